/** Everything that the screen is drawn from. */
import type { Model } from '../agent/backend.ts'
import type { AgentEvent } from '../agent/event.ts'
import { reduce, remark } from '../chat/reduce.ts'
import { initialChat, type ChatState, type Notice } from '../chat/state.ts'
import type { Chip, Chips } from './chips.ts'
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
  editor: Editor
  history: History
  chips: Chips
  queue: Queue
  /** The row chosen in the popup under the composer, and the text for which Esc closed it. */
  popup: { selected: number; closedFor: string | null }
  picker: ModelPicker | null
  /** How much of each tool call is shown from now on. */
  detail: Detail
  /** The theme in use, as it was asked for, and those that are there. */
  themes: { used: string; offered: readonly ThemeRow[] }
  /** One line that answers the last key, until the next one. */
  hint: string | null
  /** The key that has to be pressed again to do what it said. */
  armed: 'exit' | 'clear_draft' | null
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
  | { type: 'queue_changed'; queue: Queue }
  | { type: 'popup_moved'; selected: number }
  | { type: 'popup_closed'; text: string }
  | { type: 'picker_opened' }
  | { type: 'picker_changed'; picker: ModelPicker | null }
  | { type: 'hinted'; hint: string | null; armed?: AppState['armed'] }
  | {
      type: 'remarked'
      level: Notice['level']
      text: string
      hint?: string | undefined
      markdown?: boolean
      at: number
    }
  | { type: 'theme_used'; name: string }
  | { type: 'detail_chosen'; detail: Detail }
  | { type: 'ticked'; now: number }
  | { type: 'left'; leaving: 'ending' | 'gone' }

const noThemes: AppState['themes'] = { used: 'auto', offered: [] }

export function initialState(startup: Startup, now: number, themes = noThemes): AppState {
  return {
    startup,
    chat: initialChat,
    editor: createEditor(),
    history: emptyHistory,
    chips: new Map(),
    queue: { entries: [], held: false },
    popup: { selected: 0, closedFor: null },
    picker: null,
    themes,
    detail: 'short',
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
      return { ...state, queue: event.queue }
    case 'popup_moved':
      return { ...state, popup: { ...state.popup, selected: event.selected } }
    case 'popup_closed':
      return { ...state, popup: { selected: 0, closedFor: event.text } }
    case 'picker_opened':
      return { ...state, picker: { kind: 'models', filter: '', selected: 0, models: null } }
    case 'picker_changed':
      return { ...state, picker: event.picker }
    case 'hinted':
      return { ...state, hint: event.hint, armed: event.armed ?? null }
    case 'remarked':
      return { ...state, chat: remark(state.chat, remarkOf(event)) }
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

function remarkOf(event: Extract<AppEvent, { type: 'remarked' }>): Notice {
  const { at, level, text, hint, markdown = false } = event
  return { kind: 'notice', withdrawn: false, at, level, source: null, text, hint: hint ?? null, markdown }
}

/** Whether the agent works, or is not ready to. */
export function isBusy(state: AppState): boolean {
  return state.chat.open !== null || state.chat.agent.phase === 'starting'
}
