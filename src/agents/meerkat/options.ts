/** The interface of this room: its options. */
import type { ToolHost } from '../tool-host/tool-host.ts'
import type { HostOptions } from '../host/hosted-backend.ts'
import type { Transport } from '../transport/transport.ts'
import type { MeerkatLimits } from './limits.ts'
import type { Usage } from '../../agent/event.ts'

/** The settings of a new session. An absent one is left to Meerkat's own configuration. A tool host turns shell and builtins off. */
export type MeerkatSessionFlags = {
  builtins?: boolean
  shell?: boolean
  memory?: boolean
  /** The most that one session may use. */
  budget?: { tokens?: number; toolCalls?: number }
}

export type MeerkatBackendOptions = HostOptions & {
  /** Starts the agent. Called for each `open`. */
  connect: () => Transport
  /** Waits, before it is started again, for a machine that can come back. Resolves to why it does not; null if it is there. */
  comeBack?: () => Promise<string | null>
  /** Absent for the agent's own default. */
  model?: string | undefined
  /** Absent for the provider that the catalog gives for the model. */
  provider?: string | undefined
  reasoning?: string | undefined
  flags?: MeerkatSessionFlags
  /** The cost of a model call in US dollars; null if there is no price for the model. Meerkat reports none. */
  price?: (model: string, usage: Usage) => number | null
  /** Runs zotui's tools, after a permission check, instead of Meerkat's own. */
  toolHost?: ToolHost | null
  /** Whether `clear` archives the former session, so that it is no longer listed. */
  archivesCleared?: boolean
  /** Overrides of the default limits. */
  limits?: Partial<MeerkatLimits>
}
