/** The ends of a run of -p, in the last line of --json. No schema: only those who read it need one. */
export const printOutcomes = ['done', 'refused', 'failed', 'max_cost', 'timeout', 'interrupted', 'held_back'] as const

export type PrintOutcome = (typeof printOutcomes)[number]
