/** What a slash command gets when it runs: the parts of its conversation. `src/commands` has the commands. */
import type { FleetBoard } from '../fleet/board.ts'
import type { BuiltInCommand } from '../state/slash.ts'
import type { SessionChanges } from './changes/session-changes.ts'
import type { Attaching } from './composer/attaching.ts'
import type { Composing } from './composer/composing.ts'
import type { VimEditing } from './composer/vim-editing.ts'
import type { ChoicePrompt } from './context/choice-prompt.ts'
import type { Clipboard } from './context/clipboard.ts'
import type { AppContext } from './context/context.ts'
import type { Leaving } from './context/leaving.ts'
import type { KeyDebug } from './input/key-debug.ts'
import type { Pages } from './pages/pages.ts'
import type { Permissions } from './permissions/permissions.ts'
import type { AgentOptions } from './pickers/options.ts'
import type { Pickers } from './pickers/pickers.ts'
import type { SettingsCommand } from './settings/settings-command.ts'
import type { SideQuestions } from './side/side-questions.ts'
import type { Branching } from './turns/branching.ts'
import type { Resuming } from './turns/resuming.ts'
import type { ShellCommand } from './turns/shell-command.ts'
import type { Turns } from './turns/turns.ts'

export type CommandApp = {
  context: AppContext
  turns: Turns
  choicePrompt: ChoicePrompt
  shell: Pick<ShellCommand, 'runIn'>
  composing: Composing
  /** Opens a draft with this text in the user's editor. */
  editDraft: (text: string) => Promise<void>
  attaching: Attaching
  clipboard: Clipboard
  pages: Pick<Pages, 'open' | 'close'>
  /** Opens the board of all machines, which is to be closed; undefined where there is none. */
  openBoard: (() => Promise<FleetBoard>) | undefined
  side: SideQuestions | undefined
  branching: Branching
  resuming: Pick<Resuming, 'resume'>
  settingsCommand: SettingsCommand
  vim: VimEditing
  keyDebug: KeyDebug
  agentOptions: AgentOptions
  pickers: Pick<Pickers, 'open'>
  /** The key of the line about another conversation. */
  news: () => void
  /** Null without a host. */
  changes: SessionChanges | null
  permissions: Permissions
  /** Leaves all conversations. */
  leave: Leaving['leave']
  /** Leaves this one. */
  leaveThis: Leaving['leave']
  redraw: () => void
}

/** A command with what it does. `argument` has paths in place of chips, `typed` is the argument as it was typed. */
export type AppCommand = BuiltInCommand & {
  run: (app: CommandApp, argument: string, typed: string) => unknown
}
