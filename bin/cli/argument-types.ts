/** What the command line of `zotui [flags] [prompt]` says. */
import type { ZotOptions } from '../../src/agents/zot/program/options.ts'
import type { SettingName, Settings } from '../../src/config/schema.ts'

export type Arguments = {
  help: boolean
  version: boolean
  demo: boolean
  cwd: string | undefined
  /** The machine to run the agent on, and the command to run it behind; null for this machine. */
  on: string | null
  via: string | null
  prompt: string | null
  /** Whether to print the answer, without the UI. */
  print: boolean
  json: boolean
  quiet: boolean
  /** The JSON Schema that the answer must satisfy, or its file. */
  outputSchema: string | null
  /** Whether the conversation runs in the background, in a process of its own. */
  background: boolean
  /** Whether zot starts without the guard, so that nothing is asked. */
  noGuard: boolean
  /** The command of the program that answers permission questions; null to refuse what would be asked. */
  permissionTool: string | null
  /** The longest time of a run in milliseconds; null for no limit. */
  timeout: number | null
  /** The file to record the wire in. */
  record: string | null
  /** The session to resume: the last of the folder, or that of `--resume` (empty to choose one). Null for a new one. */
  session: 'last' | { named: string } | null
  /** The settings that were set by flags, and their flags. */
  settings: { values: Partial<Settings>; names: ReadonlyMap<SettingName, string> }
  /** The options for zot, without those that are settings. */
  options: ZotOptions
  /** The flags on the command line that are for zot, as typed, and `--` if arguments follow it. */
  zotFlags: readonly string[]
}
