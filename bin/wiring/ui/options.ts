import type { Backend, StartOptions } from '../../../src/agent/backend.ts'
import type { PermissionMode } from '../../../src/agent/permission.ts'
import type { InstallWay } from '../../../src/agents/zot/program/install.ts'
import type { Agents, StartSide } from '../../../src/app/context/agents.ts'
import type { OpenPageNamed } from '../../../src/app/pages/pages.ts'
import type { SessionRequest } from '../../../src/app/start.ts'
import type { SettingsStore } from '../../../src/config/settings.ts'
import type { UserNotice } from '../../../src/platform/errors.ts'
import type { Watchdog } from '../../../src/platform/watchdog.ts'
import type { ToolLimit } from '../../../src/state/state.ts'
import type { Log } from '../../../src/storage/log.ts'
import type { FirstFrame } from '../../boot/first-frame.ts'
import type { RecordingFile } from '../recording.ts'
import type { StartPermissions } from '../start/permissions.ts'
import type { Remote } from '../start/remote.ts'
import type { ChosenTheme } from '../start/theme.ts'
import type { Replay } from '../../../src/replay/player.ts'

/** `start` is the start of a zot that it takes; without it that of the command line. @throws UserError if there is no such agent. */
export type OpenAgent = (options: {
  agent: string | undefined
  folder: string
  start?: StartOptions | undefined
  /** The machine that it works on; null for this one. */
  remote: Remote | null
}) => Promise<OpenedAgent>

/** An agent, and the means to replace it and to start a second one. */
export type OpenedAgent = {
  backend: Backend
  /** Undefined if the agent cannot be changed. */
  agents: Agents | undefined
  /** Absent if no second agent can be asked. */
  startSide?: StartSide
  /** The words of `--agent` that start it on another machine; undefined if its name is enough. */
  remoteWords?: () => string | undefined
}

export type UiOptions = OpenedAgent & {
  /**
   * Opens an agent for another conversation, by its name or command line; undefined for that of this zotui. Absent if
   * there can be only one conversation. @throws UserError if there is no such agent.
   */
  openAgent?: OpenAgent
  demo: boolean
  /** The command line. */
  argv: readonly string[]
  /** Set if another process holds the conversation and saves it. */
  attached?: { id: string; mode: PermissionMode | null }
  /** The session that is replayed; null for a real conversation. */
  replay: Replay | null
  /** Opens a page in place of the conversation, and ends the program when `leave` is called. Absent for a conversation. */
  page?: (open: OpenPageNamed, leave: () => void) => void
  /** Resolves when the page shows what it has first: React and Ink are loaded after that. */
  pageFilled?: Promise<void>
  /** The file that records the wire; null without --record. */
  recording: RecordingFile | null
  /** The first message, such as why this is the demo. */
  notice: string | null
  /** The ways to install the missing agent. */
  installs?: readonly InstallWay[]
  /** Why the agent lacks tools; null if it has all of them. */
  toolLimit: ToolLimit | null
  /** The folder that sessions are stored under. For another machine it is `Remote.key`, which is no folder here. */
  folder: string
  /** The machine that the agent runs on; null for this one. */
  remote: Remote | null
  home: string
  prompt: string | null
  /** The session to resume; null for a new one. */
  session: SessionRequest | null
  look: ChosenTheme
  settings: SettingsStore
  /** Null for a replay, which runs nothing. */
  permissions: StartPermissions | null
  /** Warnings about the settings, one line each. */
  warnings: readonly UserNotice[]
  /** Values to mask on the screen and on disk. */
  secrets: readonly string[]
  version: string
  log: Log
  watchdog: Watchdog
  /** The first frame, which is already on the terminal. */
  frame: FirstFrame
}
