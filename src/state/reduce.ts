/** The events of the program, and the reducer of its state. */
import type { StartupContext } from '../agent/startup-context.ts'
import type { ChatState } from '../conversation/state.ts'
import { createEditor, type Editor } from '../composer/editor.ts'
import type { Vim } from '../composer/vim/vim.ts'
import { backAtDraft, type History } from '../composer/history.ts'
import type { PromptCommand } from '../config/prompts/command.ts'
import type { Chip, Chips, ImageChip } from './composer/chips.ts'
import { type EarlyEvent, reduceEarly } from './composer/early-typing.ts'
import { entriesShown } from './conversations/resent.ts'
import type { ConversationRow } from './conversations/conversations.ts'
import { newsKey } from './conversations/news.ts'
import type { News } from './conversations/conversations.ts'
import type { QuestionView } from './question.ts'
import type { ListedModel, Picker } from './pickers/picker.ts'
import type { ServeAsk } from './serve-ask.ts'
import type { SideWork } from './pickers/running-rows.ts'
import type { QueueEntry, WaitingSteer } from './composer/queue-entry.ts'
import type { AppState, EditedEntry, FoundFiles, Queue, SeenKey, Welcome } from './state.ts'
import type { Detail } from '../tools/panel/tool-context.ts'

export type AppEvent =
  | { type: 'edited'; editor: Editor; beginsNote?: boolean }
  | { type: 'note_left' }
  | { type: 'vim_edited'; editor: Editor; vim: Vim }
  | { type: 'vim_changed'; vim: Vim | null; editor?: Editor }
  | { type: 'history_moved'; editor: Editor; history: History }
  | { type: 'prompt_taken'; history: History }
  /** `isWaiting`: it is in the draft that waits. */
  | { type: 'chip_added'; character: string; chip: Chip; editor: Editor; isWaiting?: boolean }
  | { type: 'draft_waits' }
  | { type: 'waiting_edited'; editor: Editor }
  | { type: 'draft_resumed' }
  | { type: 'chips_found'; chips: Chips }
  | { type: 'queue_changed'; queue: Queue; edited?: EditedEntry | null }
  | { type: 'on_its_way_changed'; entry: QueueEntry | null }
  | { type: 'steering_known'; steering: AppState['steering'] }
  | { type: 'steers_changed'; steers: readonly WaitingSteer[] }
  | { type: 'entry_edited'; queue: Queue; edited: EditedEntry | null; text: string }
  | { type: 'stashed'; stash: string | null; editor: Editor }
  | { type: 'files_found'; files: FoundFiles }
  | { type: 'commands_read'; commands: readonly PromptCommand[] }
  | { type: 'branches_listed'; branches: readonly string[] }
  | { type: 'models_listed'; models: readonly ListedModel[]; awaitsMore?: boolean }
  | { type: 'reading_found'; reading: StartupContext | 'awaited' | null }
  | { type: 'image_read'; character: string; chip: ImageChip }
  | {
      type: 'restored'
      history: History
      draft: string
      stash: string | null
      queue: readonly QueueEntry[]
      chips: Chips
    }
  | { type: 'popup_moved'; selected: number }
  | { type: 'popup_closed'; text: string }
  | { type: 'picker_changed'; picker: Picker | null }
  | { type: 'side_changed'; side: SideWork | null }
  | { type: 'serve_asks_changed'; asks: readonly ServeAsk[] }
  | { type: 'watchers_changed'; names: readonly string[] }
  | { type: 'question_changed'; question: QuestionView | null }
  | { type: 'page_shown'; page: AppState['page'] }
  | { type: 'keys_watched'; watched: readonly SeenKey[] | null }
  | { type: 'hinted'; hint: string | null; armed?: AppState['armed'] }
  | { type: 'session_restored'; chat: ChatState; shown?: number }
  | { type: 'session_read'; share: number | null }
  | { type: 'conversation_shown'; terminal: TerminalView; now: number }
  /** `background` are those in the background that are not among `rows`; `at` is the time that has passed, by a clock that nobody sets. */
  | {
      type: 'conversations_changed'
      rows: readonly ConversationRow[]
      background?: readonly ConversationRow[]
      news: readonly News[]
      at: number
    }
  | { type: 'theme_used'; name: string }
  | { type: 'detail_chosen'; detail: Detail }
  | { type: 'status_facts_chosen'; facts: AppState['statusFacts'] }
  | { type: 'limit_wait_changed'; wait: AppState['limitWait'] }
  | { type: 'sandbox_chosen'; sandbox: AppState['sandbox'] }
  | { type: 'custom_status_changed'; status: AppState['customStatus'] }
  | { type: 'hooks_asked'; events: AppState['askedHooks'] }
  | { type: 'raw_chosen'; raw: boolean }
  | { type: 'thoughts_chosen'; thoughts: boolean }
  | { type: 'welcomed'; welcome: Welcome }
  | EarlyEvent
  /** Events of the agent were folded. `now` moves the clock of the screen with them. */
  | { type: 'conversation_folded'; chat: ChatState; now?: number | undefined }
  /** The keys are bound as in this keymap. */
  | { type: 'keys_named'; names: AppState['keyNames'] }
  | { type: 'commands_known'; commands: AppState['knownCommands'] }
  /** The process that holds the conversation has sent all of it again. */
  | { type: 'conversation_resent'; chat: ChatState }
  | { type: 'left'; leaving: 'ending' | 'gone' }

/** The user's choices for the terminal: they go with the user from one conversation to another. */
type TerminalView = Pick<AppState, 'themes' | 'detail' | 'raw' | 'thoughts' | 'newsReadAt'>

/** The open list after an event, which may change its rows. `state` is the one before. */
export type FollowPicker = (picker: Picker, event: AppEvent, state: AppState) => Picker

/** The reducer of a program with these lists. */
export function reducerWith(follow: FollowPicker): (state: AppState, event: AppEvent) => AppState {
  return (state, event) => {
    const next = reduceApp(state, event)
    if (!next.picker) return next
    const picker = follow(next.picker, event, state)
    return picker === next.picker ? next : { ...next, picker }
  }
}

export function reduceApp(state: AppState, event: AppEvent): AppState {
  if (isOf(OF_CONVERSATION, event)) return reduceConversation(state, event)
  return isOf(OF_COMPOSER, event) ? reduceComposer(state, event) : reducePages(state, event)
}

const OF_CONVERSATION = [
  'session_restored',
  'conversation_resent',
  'session_read',
  'conversation_shown',
  'conversations_changed',
  'conversation_folded',
  'left',
] as const
type ConversationEvent = Of<typeof OF_CONVERSATION>

const OF_COMPOSER = [
  'edited',
  'note_left',
  'vim_edited',
  'vim_changed',
  'history_moved',
  'prompt_taken',
  'chip_added',
  'draft_waits',
  'waiting_edited',
  'draft_resumed',
  'chips_found',
  'queue_changed',
  'on_its_way_changed',
  'steering_known',
  'steers_changed',
  'entry_edited',
  'stashed',
  'files_found',
  'commands_read',
  'image_read',
  'restored',
  'popup_moved',
  'popup_closed',
] as const
type ComposerEvent = Of<typeof OF_COMPOSER>

type Of<Types extends readonly AppEvent['type'][]> = Extract<AppEvent, { type: Types[number] }>

function isOf<Types extends readonly AppEvent['type'][]>(types: Types, event: AppEvent): event is Of<Types> {
  return types.includes(event.type)
}

/** The events of the conversation that is shown, and of the others beside it. */
function reduceConversation(state: AppState, event: ConversationEvent): AppState {
  switch (event.type) {
    case 'session_restored':
      return {
        ...state,
        chat: { ...event.chat, ...ofRunningAgent(state.chat), questions: [], forms: [], plan: null },
        restored: { times: state.restored.times + 1, shown: event.shown ?? 0 },
      }
    case 'conversation_resent':
      return {
        ...state,
        chat: event.chat,
        restored: { times: state.restored.times + 1, shown: entriesShown(state.chat, event.chat) },
      }
    case 'session_read':
      return { ...state, opening: event.share }
    case 'conversation_shown':
      return { ...state, ...event.terminal, now: event.now, hint: null, armed: null }
    case 'conversations_changed':
      return {
        ...state,
        conversations: event.rows,
        news: event.news,
        newsChangedAt: newsKey(event.news) === newsKey(state.news) ? state.newsChangedAt : event.at,
      }
    case 'conversation_folded': {
      const { chat, now = state.now } = event
      // What a subagent does says nothing about the turn.
      const isBeside = chat.tasks !== state.chat.tasks && chat.open === state.chat.open
      return { ...state, chat, now, lastEventAt: event.now === undefined || isBeside ? state.lastEventAt : now }
    }
    case 'left':
      return { ...state, leaving: event.leaving }
  }
}

/** What is written, and what waits to be sent. */
function reduceComposer(state: AppState, event: ComposerEvent): AppState {
  switch (event.type) {
    case 'edited': {
      const noting = (state.noting || event.beginsNote === true) && isNoteText(event.editor.text)
      return { ...state, editor: event.editor, noting, popup: resetPopup(state, event.editor), hint: null, armed: null }
    }
    case 'note_left':
      return { ...state, noting: false }
    case 'vim_edited':
      return { ...reduceApp(state, { type: 'edited', editor: event.editor }), vim: event.vim }
    case 'vim_changed':
      return { ...state, vim: event.vim, editor: event.editor ?? state.editor }
    case 'history_moved':
      return {
        ...state,
        editor: event.editor,
        history: event.history,
        noting: false,
        popup: { selected: 0, closedFor: event.editor.text },
      }
    case 'prompt_taken':
      return {
        ...state,
        welcome: null,
        editor: createEditor('', state.editor.kills),
        // The next prompt is typed in insert mode.
        vim: state.vim && { ...state.vim, mode: 'insert', pending: [], marked: null, insertion: null },
        noting: false,
        history: event.history,
        popup: { selected: 0, closedFor: null },
        hint: null,
        // A user who types on has read it. A question stays.
        newsReadAt: Math.max(state.newsReadAt, ...state.news.map(({ at }) => at)),
      }
    case 'draft_waits':
      return {
        ...reduceApp(state, { type: 'edited', editor: createEditor('', state.editor.kills) }),
        waitingDraft: state.editor,
      }
    case 'waiting_edited':
      return { ...state, waitingDraft: event.editor }
    case 'draft_resumed':
      return { ...reduceApp(state, { type: 'edited', editor: state.waitingDraft ?? state.editor }), waitingDraft: null }
    case 'chip_added':
      return {
        ...reduceApp(state, { type: event.isWaiting === true ? 'waiting_edited' : 'edited', editor: event.editor }),
        chips: new Map(state.chips).set(event.character, event.chip),
      }
    case 'chips_found':
      return { ...state, chips: event.chips }
    case 'queue_changed':
      return { ...state, queue: event.queue, edited: event.edited === undefined ? state.edited : event.edited }
    case 'on_its_way_changed':
      return { ...state, onItsWay: event.entry }
    case 'steering_known':
      return { ...state, steering: event.steering }
    case 'steers_changed':
      return { ...state, steers: event.steers }
    case 'entry_edited': {
      const { queue, edited, text } = event
      // There is nothing to undo: the earlier text belongs to another draft.
      const editor = createEditor(text, state.editor.kills)
      const { history } = backAtDraft(state.history, state.editor.text)
      return { ...reduceApp(state, { type: 'edited', editor }), noting: false, queue, edited, history }
    }
    case 'stashed':
      return { ...reduceApp(state, { type: 'edited', editor: event.editor }), noting: false, stash: event.stash }
    case 'files_found':
      return { ...state, files: event.files, popup: { ...state.popup, selected: sameRow(state, event.files) } }
    case 'commands_read':
      return { ...state, promptCommands: event.commands }
    case 'image_read':
      return { ...state, chips: new Map(state.chips).set(event.character, event.chip) }
    case 'restored':
      return {
        ...state,
        history: event.history,
        editor: createEditor(event.draft),
        stash: event.stash,
        chips: event.chips,
        queue: { entries: event.queue, paused: event.queue.length > 0 },
      }
    case 'popup_moved':
      return { ...state, popup: { ...state.popup, selected: event.selected } }
    case 'popup_closed':
      return { ...state, popup: { selected: 0, closedFor: event.text } }
  }
}

/** Lists, pages, questions, and what is on the screen at all. */
function reducePages(state: AppState, event: Exclude<AppEvent, ConversationEvent | ComposerEvent>): AppState {
  switch (event.type) {
    case 'branches_listed':
      return { ...state, branches: event.branches }
    case 'models_listed':
      return { ...state, models: event.models }
    case 'reading_found':
      return { ...state, reading: event.reading }
    case 'picker_changed':
      return { ...state, picker: event.picker, hint: event.picker ? null : state.hint }
    case 'side_changed':
      return { ...state, side: event.side }
    case 'serve_asks_changed':
      return { ...state, serveAsks: event.asks }
    case 'watchers_changed':
      return { ...state, watchers: event.names }
    case 'question_changed':
      return { ...state, question: event.question, hint: event.question ? null : state.hint }
    case 'page_shown':
      return { ...state, page: event.page, hint: null, armed: null }
    case 'keys_watched':
      return { ...state, watched: event.watched, hint: null, armed: null }
    case 'hinted':
      return { ...state, hint: event.hint, armed: event.armed ?? null }
    case 'theme_used':
      return { ...state, themes: { ...state.themes, used: event.name } }
    case 'detail_chosen':
      return { ...state, detail: event.detail }
    case 'status_facts_chosen':
      return { ...state, statusFacts: event.facts }
    case 'limit_wait_changed':
      return { ...state, limitWait: event.wait }
    case 'sandbox_chosen':
      return { ...state, sandbox: event.sandbox }
    case 'custom_status_changed':
      return { ...state, customStatus: event.status }
    case 'thoughts_chosen':
      return { ...state, thoughts: event.thoughts }
    case 'hooks_asked':
      return { ...state, askedHooks: event.events }
    case 'raw_chosen':
      return { ...state, raw: event.raw }
    case 'welcomed':
      return { ...state, welcome: event.welcome }
    case 'ticked':
    case 'typed_early':
      return reduceEarly(state, event)
    case 'keys_named':
      return { ...state, keyNames: event.names }
    case 'commands_known':
      return { ...state, knownCommands: event.commands }
  }
}

/** The facts about the running agent, which a restored session does not replace. */
function ofRunningAgent({ permissionMode, options, agentCommands, login, servers, reportedCost }: ChatState) {
  return { permissionMode, options, agentCommands, login, servers, reportedCost }
}

function resetPopup(state: AppState, editor: Editor): AppState['popup'] {
  return editor.text === state.editor.text ? state.popup : { selected: 0, closedFor: null }
}

/** The selected row stays selected while more files are found. */
function sameRow({ files, popup }: AppState, found: FoundFiles): number {
  const chosen = popup.selected > 0 && files?.query === found.query ? files.found[popup.selected]?.path : undefined
  return chosen === undefined
    ? 0
    : Math.max(
        0,
        found.found.findIndex(({ path }) => path === chosen),
      )
}

/** True for one line after one #. A heading of several lines, or with several #, is a prompt. */
function isNoteText(text: string): boolean {
  return /^#(?!#)[^\n]*$/.test(text)
}
