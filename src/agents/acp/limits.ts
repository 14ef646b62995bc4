/** Time limits for agents, in milliseconds. */
export type AcpLimits = {
  /** From the start to the answer to `initialize`. Some agents first create a database or check for updates. */
  hello: number
  /** For the answer to any request except a prompt. Opening a session repeats its whole conversation. */
  request: number
  /** For the answer to words to the running turn, for which the end of that turn waits, too. Real agents take some milliseconds. */
  steer: number
  /** For a login, which may wait for the user in a browser. */
  login: number
  /**
   * From the abort until the user gets a message that the agent has not stopped. So long it is waited for a call in a turn that the agent has
   * begun itself and was asked to stop.
   */
  abort: number
  /** The time that `close` waits for an abort. */
  closeAbort: number
  /** The time that `close` waits for the agent to exit after its input is closed, and again after SIGTERM. */
  closeExit: number
  /** The time in which a text outside of a turn may still grow. */
  textPause: number
  /** For the answer to a ping, after which an agent has sent more of a session's history, or all of it. */
  history: number
  /** Without a word in a turn that the agent has begun itself, after which it counts as over. */
  ownTurn: number
  /** The same after the agent was asked to stop it, which some do not answer. */
  ownTurnStop: number
  /** Between two looks whether the commands in the background still run. */
  commands: number
  /** In which an agent ends the commands of a turn that is over, and in which a command ends that we end. */
  left: number
}

export const ACP_LIMITS: AcpLimits = {
  hello: 60_000,
  request: 120_000,
  steer: 5000,
  login: 600_000,
  abort: 10_000,
  closeAbort: 2000,
  closeExit: 1000,
  textPause: 300,
  history: 500,
  ownTurn: 120_000,
  ownTurnStop: 3000,
  commands: 2000,
  left: 500,
}
