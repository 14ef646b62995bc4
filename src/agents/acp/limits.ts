/** Limits of time for agents, in milliseconds. */
export type AcpLimits = {
  /** From the start to the answer to `initialize`. Some agents first make a database, or look for a newer version of themselves. */
  hello: number
  /** For the answer to any request that is no turn: a session that is opened repeats all that was said in it. */
  request: number
  /** From the abort until the user gets a message that the agent has not stopped. */
  abort: number
  /** The time that `close` waits for an abort. */
  closeAbort: number
  /** The time that `close` waits for the agent to exit after its input is closed, and again after SIGTERM. */
  closeExit: number
  /** The time in which something that is said outside of a turn may still grow. */
  aside: number
}

export const ACP_LIMITS: AcpLimits = {
  hello: 60_000,
  request: 120_000,
  abort: 10_000,
  closeAbort: 2000,
  closeExit: 1000,
  aside: 300,
}
