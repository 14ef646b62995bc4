/** What a server for browsers wants of the person at this terminal. Texts are unsanitised. */
export type ServeAsk =
  /** A server that this zotui has not started wants to pass on answers. It shows the same code. */
  | { kind: 'trust'; id: string; pid: number; code: string }
  /** A device wants to send prompts to a conversation whose mode does not ask. */
  | { kind: 'steer'; id: string; device: string; title: string; mode: string }
