/** Everything that the screen is drawn from. */
import type { Model } from '../agent/backend.ts'
import type { AgentEvent } from '../agent/event.ts'
import { reduce } from '../chat/reduce.ts'
import { initialChat, type ChatState } from '../chat/state.ts'
import type { Chip, Chips } from './chips.ts'
import { withImage, type FoundImage } from './with-image.ts'
import type { SessionScope } from '../session/places.ts'
import type { SessionSummary } from '../session/summary.ts'
import type { SessionRow } from './session-rows.ts'
import { createEditor, type Editor } from '../composer/editor.ts'
import { emptyHistory, type History } from '../composer/history.ts'

/** Prompts and commands that wait for the agent. They belong to zotui: they are sent one by one after a turn ended. */
export type Queue = {
  entries: readonly string[]
  /** Nothing is sent by itself, since the last turn did not end well. */
  held: boolean
}

export type ModelPicker = {
  kind: 'models'
  filter: string
  selected: number
  /** Null while the agent has not answered. */
  models: readonly Model[] | null
}

/** A prompt of before, as it was sent. */
export type FoundPrompt = {
  text: string
  /** The name of the folder that it is from; empty for this one. */
  place: string
}

/** The search in the prompts of before. */
export type HistoryPicker = {
  kind: 'history'
  scope: 'folder' | 'all'
  filter: string
  selected: number
  /** Newest first. */
  prompts: readonly FoundPrompt[]
  /** Those that suit the filter. */
  found: readonly FoundPrompt[]
}

/** One of the answers to a question. */
export type Choice = { label: string; detail: string }

/** A question of zotui's own, with its answers. */
export type ChoicePicker = {
  kind: 'choice'
  /** What is asked, in a few words. */
  title: string
  filter: string
  selected: number
  choices: readonly Choice[]
  /** Came unasked: whoever just types on, closes it, and the text is in the composer. */
  yields: boolean
  /** For one that is answered by typing: what Enter does with what was typed. Null where typing searches the answers. */
  typed: string | null
}

/** The sessions of before. */
export type SessionPicker = {
  kind: 'sessions'
  scope: SessionScope
  filter: string
  selected: number
  /** Newest first; null while they are being read. */
  sessions: readonly SessionSummary[] | null
  /** Those that suit the filter. */
  found: readonly SessionRow[]
  /** The one that is open. */
  current: string
}

/** A list with a filter, which has the keyboard to itself. */
export type Picker = ModelPicker | HistoryPicker | ChoicePicker | SessionPicker

/** A message of the queue that is in the composer, and goes back to its place with Enter. */
export type EditedEntry = {
  /** Its place: how many go before it. */
  at: number
  /** What was in the composer before. */
  draft: string
}

/** What the terminal sent, the key that was read from it, and what that does; null where it is none. */
export type SeenKey = { bytes: string; key: string | null; action: string | null }

/** The files that suit what stands behind an `@` at the caret, or what is to become a command's argument. */
export type FoundFiles = {
  query: string
  /** Best first; a directory ends with a slash. `positions` are the offsets in the path that suit, rising. */
  found: readonly { path: string; positions: readonly number[] }[]
}

/** What was found out before the first frame, and does not change. */
export type Startup = {
  version: string
  /** The folder as shown, with `~` for the home. */
  folder: string
  branch: string | null
  demo: boolean
}

/** A theme that can be chosen. */
export type ThemeRow = { name: string; detail: string }

export type AppState = {
  startup: Startup
  chat: ChatState
  /**
   * How often the conversation was replaced by that of a session, and how many entries of this one are on the screen
   * already: what else is there belongs to another.
   */
  restored: { times: number; shown: number }
  editor: Editor
  history: History
  chips: Chips
  queue: Queue
  edited: EditedEntry | null
  /** A draft that was put aside with Ctrl+S. */
  stash: string | null
  /** The models that the agent offers, as it said last; null while it was not asked. */
  models: readonly Model[] | null
  /** Null while no file is being completed. */
  files: FoundFiles | null
  /** The row chosen in the popup under the composer, and the text for which Esc closed it. */
  popup: { selected: number; closedFor: string | null }
  picker: Picker | null
  /** The keys that came while `/keys debug` shows them; null while it does not. */
  watched: readonly SeenKey[] | null
  /** How much of each tool call is shown from now on. */
  detail: Detail
  /** The theme in use, as it was asked for, and those that are there. */
  themes: { used: string; offered: readonly ThemeRow[] }
  /** One line that answers the last key, until the next one. */
  hint: string | null
  /** The key that has to be pressed again to do what it said. */
  armed: 'exit' | 'clear_draft' | 'rewind' | null
  /** Milliseconds since the Unix epoch: of the last frame, for elapsed times. */
  now: number
  /** On the way out: the agent is being ended, or is gone. */
  leaving: 'ending' | 'gone' | null
}

/** `names` is the title alone, `short` what one needs to see, `full` all of it within reason. */
export type Detail = 'names' | 'short' | 'full'

export type AppEvent =
  | { type: 'agent_told'; event: AgentEvent }
  | { type: 'edited'; editor: Editor }
  | { type: 'history_moved'; editor: Editor; history: History }
  | { type: 'prompt_taken'; history: History }
  | { type: 'chip_added'; character: string; chip: Chip; editor: Editor }
  | { type: 'queued'; text: string }
  | { type: 'queue_changed'; queue: Queue; edited?: EditedEntry | null }
  | { type: 'entry_edited'; queue: Queue; edited: EditedEntry | null; text: string }
  | { type: 'stashed'; stash: string | null; editor: Editor }
  | { type: 'files_found'; files: FoundFiles }
  | { type: 'models_listed'; models: readonly Model[] }
  | { type: 'image_restored'; image: FoundImage }
  | { type: 'restored'; history: History; draft: string; queue: readonly string[] }
  | { type: 'popup_moved'; selected: number }
  | { type: 'popup_closed'; text: string }
  | { type: 'picker_changed'; picker: Picker | null }
  | { type: 'keys_watched'; watched: readonly SeenKey[] | null }
  | { type: 'hinted'; hint: string | null; armed?: AppState['armed'] }
  | { type: 'session_restored'; chat: ChatState; shown?: number }
  | { type: 'theme_used'; name: string }
  | { type: 'detail_chosen'; detail: Detail }
  | { type: 'ticked'; now: number }
  | { type: 'left'; leaving: 'ending' | 'gone' }

const noThemes: AppState['themes'] = { used: 'auto', offered: [] }

export function initialState(startup: Startup, now: number, themes = noThemes, detail: Detail = 'short'): AppState {
  return {
    startup,
    chat: initialChat,
    restored: { times: 0, shown: 0 },
    editor: createEditor(),
    history: emptyHistory,
    chips: new Map(),
    queue: { entries: [], held: false },
    edited: null,
    stash: null,
    models: null,
    files: null,
    popup: { selected: 0, closedFor: null },
    picker: null,
    watched: null,
    themes,
    detail,
    hint: null,
    armed: null,
    now,
    leaving: null,
  }
}

export function reduceApp(state: AppState, event: AppEvent): AppState {
  switch (event.type) {
    case 'agent_told':
      return { ...state, chat: reduce(state.chat, event.event) }
    case 'edited':
      return { ...state, editor: event.editor, popup: resetPopup(state, event.editor), hint: null, armed: null }
    case 'history_moved':
      return {
        ...state,
        editor: event.editor,
        history: event.history,
        popup: { selected: 0, closedFor: event.editor.text },
      }
    case 'prompt_taken':
      return {
        ...state,
        editor: createEditor('', state.editor.kills),
        history: event.history,
        popup: { selected: 0, closedFor: null },
        hint: null,
      }
    case 'chip_added':
      return {
        ...reduceApp(state, { type: 'edited', editor: event.editor }),
        chips: new Map(state.chips).set(event.character, event.chip),
      }
    case 'queued':
      return { ...state, queue: { ...state.queue, entries: [...state.queue.entries, event.text] } }
    case 'queue_changed':
      return { ...state, queue: event.queue, edited: event.edited === undefined ? state.edited : event.edited }
    case 'entry_edited': {
      const { queue, edited, text } = event
      // With nothing to undo: the text of before belongs elsewhere.
      const editor = createEditor(text, state.editor.kills)
      return { ...reduceApp(state, { type: 'edited', editor }), queue, edited }
    }
    case 'stashed':
      return { ...reduceApp(state, { type: 'edited', editor: event.editor }), stash: event.stash }
    case 'files_found':
      return { ...state, files: event.files, popup: { ...state.popup, selected: sameRow(state, event.files) } }
    case 'models_listed':
      return { ...state, models: event.models, picker: withModels(state, event.models) }
    case 'image_restored':
      return withImage(state, event.image)
    case 'restored':
      return {
        ...state,
        history: event.history,
        editor: createEditor(event.draft),
        queue: { entries: event.queue, held: event.queue.length > 0 },
      }
    case 'popup_moved':
      return { ...state, popup: { ...state.popup, selected: event.selected } }
    case 'popup_closed':
      return { ...state, popup: { selected: 0, closedFor: event.text } }
    case 'picker_changed':
      return { ...state, picker: event.picker }
    case 'keys_watched':
      return { ...state, watched: event.watched, hint: null, armed: null }
    case 'hinted':
      return { ...state, hint: event.hint, armed: event.armed ?? null }
    case 'session_restored':
      return { ...state, chat: event.chat, restored: { times: state.restored.times + 1, shown: event.shown ?? 0 } }
    case 'theme_used':
      return { ...state, themes: { ...state.themes, used: event.name } }
    case 'detail_chosen':
      return { ...state, detail: event.detail }
    case 'ticked':
      return { ...state, now: event.now }
    case 'left':
      return { ...state, leaving: event.leaving }
  }
}

function resetPopup(state: AppState, editor: Editor): AppState['popup'] {
  return editor.text === state.editor.text ? state.popup : { selected: 0, closedFor: null }
}

/** While more files are found, the row that was moved to stays chosen. */
function sameRow({ files, popup }: AppState, found: FoundFiles): number {
  const chosen = popup.selected > 0 && files?.query === found.query ? files.found[popup.selected]?.path : undefined
  return chosen === undefined
    ? 0
    : Math.max(
        0,
        found.found.findIndex(({ path }) => path === chosen),
      )
}

/** The picker with the models; at first the one in use is chosen. */
function withModels({ picker, chat }: AppState, models: readonly Model[]): Picker | null {
  if (picker?.kind !== 'models') return picker
  const isFirst = picker.models === null && picker.filter === ''
  const used = models.findIndex(model => model.id === chat.agent.model)
  return { ...picker, models, selected: isFirst ? Math.max(0, used) : picker.selected }
}

/** Whether the agent works, or is not ready to. */
export function isBusy(state: AppState): boolean {
  return state.chat.open !== null || state.chat.agent.phase === 'starting'
}
