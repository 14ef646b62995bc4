/** What a server for browsers wants of the person at this terminal. Texts are unsanitised. */
export type ServeAsk =
  /** A server that this zotui has not started, or a board, wants to pass on answers. It shows the same code. */
  | { kind: 'trust'; id: string; purpose: 'serve' | 'board'; pid: number; code: string }
  /** A device wants to send prompts to a conversation whose mode does not ask. */
  | { kind: 'steer'; id: string; device: string; title: string; mode: string }
