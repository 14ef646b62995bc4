import type { ZotOptions } from '../../../../src/agents/zot/program/options.ts'
import type { SettingsStore } from '../../../../src/config/settings.ts'
import type { Arguments } from '../../../cli/argument-types.ts'
import type { Remote } from '../remote.ts'

export type AgentStart = {
  args: Arguments
  settings: SettingsStore
  folder: string
  /** The options for zot. */
  options: ZotOptions
  /** The machine that the agent runs on; null for this one. */
  remote: Remote | null
}
