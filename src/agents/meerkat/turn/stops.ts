/** The ends of a step in our words, by Meerkat's; others stay as they are. */
export const STOPS: Readonly<Partial<Record<string, string>>> = { end_turn: 'end', max_tokens: 'length' }
