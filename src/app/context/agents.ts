/** The agents that the user can choose from while the program runs. */
import type { Backend, OwnSession, Reply } from '../../agent/backend.ts'

/** An agent that is known by name. */
export type OfferedAgent = {
  name: string
  /** For people: `Claude Code`. */
  title: string
  /** The way to install it; null if it is installed. */
  missing: string | null
}

export type Agents = {
  list: () => Promise<readonly OfferedAgent[]>
  /**
   * Starts the agent with this name or command line. It takes over once it has answered; otherwise nothing changes.
   * `onStart` gets its name when it is found, and returns the agent's own session of the conversation.
   */
  use: (words: string, onStart: (name: string) => OwnSession | undefined) => Promise<Reply>
}

/**
 * Makes a second agent like the current one that can be limited to reading, or says why there is none. `mode` is the
 * agent's own mode that must be set before its first prompt; null if none is needed.
 */
export type StartSide = () => Promise<Reply<{ backend: Backend; mode: string | null }>>
