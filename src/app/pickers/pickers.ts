/**
 * The lists below the composer as the rest of the program sees them: it opens one by its name, and passes it the keys. What each shows
 * and does is in `components/picker`.
 */
import type { SessionScope } from '../../conversation/queries/session/session-summary.ts'
import type { Picker, PickerKind } from '../../state/pickers/picker.ts'
import type { FollowPicker } from '../../state/reduce.ts'
import type { ChoicePrompt } from '../context/choice-prompt.ts'
import type { AppContext } from '../context/context.ts'
import type { Composing } from '../composer/composing.ts'
import type { Pages } from '../pages/pages.ts'
import type { Resuming } from '../turns/resuming.ts'
import type { Turns } from '../turns/turns.ts'
import type { AgentSessions } from './agent-sessions.ts'
import type { RunningWork } from './running-work.ts'
import type { ConversationActions } from './conversation-actions.ts'

/** What a list is opened with. */
export type PickerRequest = { filter?: string; scope?: SessionScope; selected?: number }

/**
 * What letters do in an open list: they are typed, or search its rows, or search them too, but j and k move with vim's keys, or act on
 * the selected row.
 */
export type PickerLetters = 'type' | 'search' | 'move' | 'act'

export type Pickers = {
  /** Opens a list by its kind, if it can be opened without its rows. */
  open: (kind: PickerKind, request?: PickerRequest) => void
  /** The number of rows that match the filter. */
  size: (picker: Picker) => number
  /** The list with another filter, at its first row. */
  filtered: (picker: Picker, filter: string) => Picker
  letters: (picker: Picker) => PickerLetters
  /** Acts on the selected row. */
  press: (picker: Picker, letter: string) => void
  /** True if typing closes it and goes to the composer. */
  isDismissedByTyping: (picker: Picker) => boolean
  /** Carries out the selected row. */
  take: (picker: Picker) => void
  /** Searches all folders, or this one again. */
  widen: (picker: Picker) => void
  rename: (picker: Picker) => void
  remove: (picker: Picker) => void
  /** Called when it was closed without taking a row. */
  closed: (picker: Picker) => void
}

/** The parts of a conversation that its lists need. */
export type PickerApp = {
  context: AppContext
  turns: Turns
  composing: Pick<Composing, 'replaceDraft'>
  choicePrompt: ChoicePrompt
  resuming: Resuming
  agentSessions: AgentSessions
  conversationActions: ConversationActions
  runningWork: RunningWork
  pages: Pick<Pages, 'open'>
}

/** The lists of a program: what an event changes in the open one, and what makes those of a conversation. */
export type PickerTable = { follow: FollowPicker; create: (app: PickerApp) => Pickers }
