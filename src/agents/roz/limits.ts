/** Time limits for roz, in milliseconds. */
export type RozLimits = {
  /** From the start of a session to its first answer. */
  hello: number
  /** The time that a cancelled turn waits for its end: the server often sends none. */
  cancelled: number
  /** The time in which the rest of a rejection arrives: the server reports the failure of a turn twice, in either order. */
  rejected: number
  /** The time for which a prompt is sent again while the server still works on the former one, and the pause in between. */
  busy: number
  pause: number
  /** The silence in a turn after which the server is probed: it normally sends something every 15 s. */
  silence: number
  /** The time that it has for the answer. */
  pong: number
  /** The pauses before the tries to connect again. */
  tries: readonly number[]
  /** From the abort until the user gets a message that the agent has not stopped. */
  abort: number
  /** The time that `close` waits for an abort, and then for the end of the stream. */
  closeAbort: number
  closeStream: number
}

export const ROZ_LIMITS: RozLimits = {
  hello: 30_000,
  cancelled: 500,
  rejected: 250,
  busy: 3000,
  pause: 200,
  silence: 45_000,
  pong: 10_000,
  tries: [0, 500, 1500],
  abort: 10_000,
  closeAbort: 2000,
  closeStream: 1000,
}
