/** The options of a controller, and what it can do. */
import type { FleetBoard } from '../fleet/board.ts'
import type { Notice } from '../conversation/part.ts'
import type { OutsideRequests } from '../published/conversation.ts'
import type { SlashCommand } from '../state/slash.ts'
import type { Welcome } from '../state/state.ts'
import type { AppCommand } from './command-app.ts'
import type { ContextOptions } from './context/context.ts'
import type { InputRouter } from './input/input-router.ts'
import type { MakePages, OpenPageNamed } from './pages/pages.ts'
import type { PickerTable } from './pickers/pickers.ts'
import type { Permissions, PermissionOptions } from './permissions/permissions.ts'
import type { After } from './permissions/panel.ts'
import type { StartConversation } from './start.ts'

export type Controller = InputRouter & {
  start: StartConversation
  /** Shows the first screen, until something is said. */
  welcome: (welcome: Welcome) => void
  /** Prints a notice of zotui in the conversation. */
  addProgramNotice: (level: Notice['level'], text: string, hint?: string) => void
  commands: () => readonly SlashCommand[]
  openPage: OpenPageNamed
  /** Closes all pages that it has open. */
  closePages: () => void
  /** Closes the agent in good order and exits. */
  leave: () => Promise<void>
  /** Kills the agent and its processes, and exits at once. */
  quit: () => Promise<void>
  /** Stops the open turn. */
  stop: () => void
  /** Sends the next queued entry if it waits for a turn. */
  sendWaiting: () => void
  /** Ends the agent of an idle conversation to save memory. */
  suspendAgent: () => void
  /** Starts the agent again, with its own session or a digest. */
  restartAgent: () => void
  /** Delivers the waiting events, because the conversation is shown now. */
  catchUp: () => void
  /** Answers a waiting call, once; false if it does not wait, or came only a moment ago. */
  answerCall: Permissions['answerCall']
  /** What carries out the requests of devices. Loaded at the first call. */
  outside: () => Promise<OutsideRequests>
}

export type ControllerOptions = Omit<ContextOptions, 'slashCommands' | 'follow'> & {
  /** All built-in commands. */
  slashCommands: readonly AppCommand[]
  /** Opens the board of all machines, which is to be closed. */
  openBoard?: () => Promise<FleetBoard>
  redraw: () => void
  pages: MakePages
  pickers: PickerTable
  /** Prints an unchanged text into the scrollback. */
  print?: (text: string) => void
  /** Null if nothing runs, as in a replay: then no call is asked about. */
  permissions: PermissionOptions | null
  /** The timer of questions, which take keys only after a pause. */
  after?: After
  /** The rows of a question's content, and how many of them are visible. */
  questionRoom?: () => { rows: number; visible: number }
  /** True if the characters that Option types on a Mac are read as Alt with a letter. */
  readsMacOption?: () => boolean
  /** True if the screen shows this conversation. */
  isShown?: () => boolean
  /** Called once, when the agent is gone and the program may end. */
  onLeave: (exitCode: number) => void
}
