/** The seam of this room: what it is made with. */
import type { CallGate } from '../gate/call-gate.ts'
import type { Transport } from '../transport/transport.ts'
import type { MeerkatLimits } from './limits.ts'
import type { Usage } from '../../agent/event.ts'

/** The settings of a new session. An absent one is left to Meerkat's own configuration. A gate turns shell and builtins off. */
export type MeerkatSessionFlags = {
  builtins?: boolean
  shell?: boolean
  memory?: boolean
  /** The most that one session may use. */
  budget?: { tokens?: number; toolCalls?: number }
}

export type MeerkatBackendOptions = {
  /** Starts the agent. Called for each `open`. */
  connect: () => Transport
  /** Its own default if absent. */
  model?: string | undefined
  /** That of the catalog, for a model that it has. */
  provider?: string | undefined
  reasoning?: string | undefined
  flags?: MeerkatSessionFlags
  /** The cost of a model call in US dollars; null if there is no price for the model. Meerkat tells none. */
  price?: (model: string, usage: Usage) => number | null
  /** Runs tools here, behind the permissions, in the place of Meerkat's own. */
  gate?: CallGate | null
  /** Whether `clear` puts the former session away, so that it is not listed any more. */
  archivesCleared?: boolean
  /** Overrides of the default limits. */
  limits?: Partial<MeerkatLimits>
  /** Milliseconds since the Unix epoch. */
  now?: () => number
  /** Receives the agent's output that zotui does not understand, shortened, for a log. */
  debug?: (message: string) => void
  /** Removes secrets before a text is shortened. */
  redact?: (text: string) => string
}
