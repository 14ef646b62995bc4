/** Programs in terminals that a test has opened. `settle.ts` closes them after it. */
export const opened = new Set<{ close(): Promise<void> }>()

/** Closes all. Throws what the ends of them threw. */
export async function closeOpened(): Promise<void> {
  const failures: unknown[] = []
  for (const each of opened) await each.close().catch((failure: unknown) => failures.push(failure))
  if (failures.length === 1) throw failures[0]
  if (failures.length > 1) throw new AggregateError(failures, failures.map(String).join('\n'))
}
