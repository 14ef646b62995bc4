/** Maps Meerkat's reasons for the end of a step to zotui's. Others stay as they are. */
export const STOPS: Readonly<Partial<Record<string, string>>> = { end_turn: 'end', max_tokens: 'length' }
