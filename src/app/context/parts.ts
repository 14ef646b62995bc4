/** The parts of what the parts of the controller share, each with its name. `context.ts` makes them. */
import type { Backend, Model } from '../../agent/backend.ts'
import type { Checkpoints } from '../../checkpoints/checkpoints.ts'
import type { SettingsStore } from '../../config/settings.ts'
import type { ConversationHooks } from '../../hooks/conversation-hooks.ts'
import type { Keymap } from '../../state/keymap.ts'
import type { ListedModel } from '../../state/pickers/picker.ts'
import type { AppEvent } from '../../state/reduce.ts'
import type { SlashCommand } from '../../state/slash.ts'
import type { AppState } from '../../state/state.ts'
import type { OwnWrites } from '../../storage/journal/own-writes.ts'
import type { RecentModels } from '../../storage/journal/recent-models.ts'
import type { Marks } from '../../storage/marks/marks.ts'
import type { ReviewFile } from '../../storage/review/review-file.ts'
import type { SessionFinder } from '../../storage/find/passage.ts'
import type { QueueFile } from '../../storage/sessions/queue-file.ts'
import type { Sessions } from '../../storage/sessions/sessions.ts'
import type { DayCost } from '../../storage/usage/day-cost.ts'
import type { Ledger } from '../../storage/usage/ledger.ts'
import type { Worktrees } from '../../worktrees/worktrees.ts'
import type { Agents } from './agents.ts'
import type { CommandNaming } from './commands/command-name.ts'
import type { CurrentCommands } from './commands/prompt-commands.ts'
import type { Conversations } from './conversations.ts'
import type { DraftStore } from './draft-store.ts'
import type { Files } from './files.ts'
import type { Host } from './host.ts'
import type { LocalServer } from './local-server.ts'
import type { Serving } from './serving.ts'

/** The state that the screen is drawn from. */
export type ScreenState = {
  state: () => AppState
  dispatch: (event: AppEvent) => void
}

/** The times of the program. */
export type Times = {
  /** Milliseconds since the Unix epoch. */
  now: () => number
  /** Milliseconds that have passed, by a clock that nobody sets. */
  elapsed: () => number
}

/** The terminal, as far as the parts need to know it. */
export type TerminalFacts = {
  /** The columns that the composer wraps at. */
  composerWidth: () => number
  /** The rows of the screen. */
  screenRows: () => number
  /** Without it, there is no /theme. */
  useTheme?: UseTheme
}

/** The agent, and what stands beside it. */
export type AgentPart = {
  backend: Backend
  /** Without them, there is no /agent. */
  agents?: Agents
  /** The user's hooks. Without them, none run, as in a replay. */
  hooks?: ConversationHooks
  recentModels?: RecentModels
}

/** What the program may reach besides the agent: the machine, other conversations, worktrees. */
export type Surroundings = {
  /** Without them, this is the only conversation, as in a replay. */
  conversations?: Conversations
  /** Without it, nothing is shown to browsers, as in a replay. */
  serving?: Serving
  /** Opens the server for browsers of this zotui, once for the program; it does not run before it is started. Without it, there is no /serve. */
  openLocalServer?: () => Promise<LocalServer>
  /** Without it, zotui runs no programs for the user. */
  host?: Host
  /** Without them, all conversations work in the user's folder, as on another machine or in the demo. */
  worktrees?: Worktrees
}

/** What is kept on the disk. */
export type Kept = {
  /** Without them, sessions are not stored. */
  sessions?: Sessions
  /** Opens the index of all sessions, once for the program. Without it, there is no /find. */
  openSessionFinder?: () => Promise<SessionFinder>
  /** Without it, usage is not recorded. */
  ledger?: Ledger
  /** What all conversations have cost today, and the limit for that; once for the program. Without it, there is no such limit. */
  dayCost?: DayCost
  /** Without them, no earlier versions of files are kept. */
  checkpoints?: Checkpoints
  /** The files that zotui itself wrote into projects. Without it, such files count as changes of the agent. */
  ownWrites?: OwnWrites
  /** The marked places of all sessions. Without them, nothing can be marked. */
  marks?: Marks
  /**
   * Opens the comments of the session of this ID; null if the conversation is kept nowhere, as in the demo. `redact` masks secrets.
   * Without it, there are no comments.
   */
  openReview?: (sessionId: string | null, redact: (text: string) => string) => ReviewFile
  /** Opens the prompts that conversations in the background have left when their process ended. */
  openQueueFile?: () => Promise<QueueFile>
}

/** The commands that can be typed. */
export type CommandTable = {
  /** The slash commands that can be typed: built-in ones, and those from files, skills and the agent. */
  commands: () => readonly SlashCommand[]
  promptCommands: Pick<CurrentCommands, 'isRead' | 'isReading' | 'read'>
  /** Names the command that a notice answers. */
  naming: Pick<CommandNaming, 'during'>
}

/** What the user has set, and what completes the draft. */
export type UserPart = {
  /** The settings; `settings.values()` are the current ones. */
  settings: SettingsStore
  keymap: Keymap
  drafts: DraftStore
  showsUnicode: boolean
  files: Files | null
  /** The models in the order in which they are listed. */
  inOrder: (models: readonly Model[]) => readonly ListedModel[]
}

/** Switches the theme and redraws the screen, or returns what went wrong. */
export type UseTheme = (
  name: string,
) => { ok: true; warnings: readonly string[] } | { ok: false; message: string; hint: string }
