/** Time limits for Meerkat, in milliseconds. */
export type MeerkatLimits = {
  /** From the start to the answer to `initialize`. */
  hello: number
  /** For the answer to any request except a turn. */
  request: number
  /** The time that the answer to `turn/start` waits for the last event of the run. */
  grace: number
  /** The time that the last event of a run waits for the answer to `turn/start`. */
  answer: number
  /** From the abort until the user gets a message that the agent has not stopped. */
  abort: number
  /** The time that `close` waits for an abort. */
  closeAbort: number
  /** The time that `close` waits for the agent to exit after its input is closed: in the middle of a turn it takes 5 s. Then it is killed. */
  closeExit: number
}

export const MEERKAT_LIMITS: MeerkatLimits = {
  hello: 60_000,
  request: 60_000,
  grace: 100,
  answer: 10_000,
  abort: 10_000,
  closeAbort: 2000,
  closeExit: 6000,
}
