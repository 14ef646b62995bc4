/** Everything that the screen is drawn from. */
import type { MentionedLines } from '../composer/mentions.ts'
import type { StartupContext } from '../agent/startup-context.ts'
import type { Ability } from '../agent/abilities.ts'
import { initialChat, type ChatState } from '../conversation/state.ts'
import { createEditor, type Editor } from '../composer/editor.ts'
import type { Vim } from '../composer/vim/vim.ts'
import { emptyHistory, type History } from '../composer/history.ts'
import type { PromptCommand } from '../config/prompts/command.ts'
import type { HookEvent } from '../config/hooks.ts'
import { usualFacts, type StatusFact } from '../config/status-facts.ts'
import type { Chips } from './composer/chips.ts'
import type { ConversationRow } from './conversations/conversations.ts'
import type { News } from './conversations/conversations.ts'
import type { QuestionView } from './question.ts'
import type { ListedModel, Picker } from './pickers/picker.ts'
import type { ServeAsk } from './serve-ask.ts'
import type { SideWork } from './pickers/running-rows.ts'
import type { QueueEntry, WaitingSteer } from './composer/queue-entry.ts'
import type { Detail } from '../tools/panel/tool-context.ts'
import type { KeyNames } from '../text/key-hints.ts'

/** Prompts and commands that wait for the agent: zotui sends them one by one, each after a turn. */
export type Queue = {
  entries: readonly QueueEntry[]
  /** True if the queue waits for the user, for example because the last turn failed. */
  paused: boolean
  /** True if it waits until a turn of another conversation has ended. */
  isInLine?: boolean
}

/** A queue entry that is being edited in the composer; Enter puts it back into its place. */
export type EditedEntry = {
  /** Its index in the queue. */
  at: number
  /** The draft that was in the composer before. */
  draft: string
  /** The entry as it was. */
  entry: QueueEntry
}

/** The bytes that the terminal sent, the key that was read from them, and its action; null if there is none. */
export type SeenKey = { bytes: string; key: string | null; action: string | null }

/** The files that match the text after an `@` at the caret, or a command's argument. */
export type FoundFiles = {
  query: string
  /** Best first; a directory ends with a slash. `positions` are the matching offsets in the path, ascending. */
  found: readonly { path: string; positions: readonly number[] }[]
  /** The symbols that match, if the query is for symbols. */
  symbols?: readonly FoundSymbol[]
  /** A line that says why there are none. */
  note?: string | null
}

/** A symbol in a file. `positions` are the matching offsets in its name, ascending. */
export type FoundSymbol = {
  name: string
  kind: string
  path: string
  lines: MentionedLines | null
  positions: readonly number[]
}

/** Why the agent lacks tools: it may only read, or the command line chooses its tools. */
export type ToolLimit = 'read-only' | 'chosen'

/** Facts that are known before the first frame and do not change. */
export type Startup = {
  version: string
  /** The folder as shown, with `~` for the home directory. */
  folder: string
  /** The absolute path of the agent's folder, which may be a worktree: paths in it are shown without it. */
  place?: string
  /** The home directory, to shorten other paths. */
  home?: string
  branch: string | null
  demo: boolean
  /** Why the agent lacks tools; null if it has all of its own. */
  toolLimit?: ToolLimit | null
  /** True if a session is replayed: keys control that, and nothing can be typed. */
  isReplay?: boolean
  /** The number of this conversation within this zotui; 1 by default, the first of them. */
  conversation?: number
}

/** The first screen. The prompts stand as they are typed; `about` is what comes of one, '' if the prompt says it. Unsanitised. */
export type Welcome = { greeting: string; suggestions: readonly { prompt: string; about: string }[] }

/** A theme that can be chosen. */
export type ThemeRow = { name: string; detail: string }

/** The line of the user's own command, unsanitised. `problem` says why it is not newer, in words after "statusLine". */
export type CustomStatus = { text: string; problem: string | null }

/** A command by its names. It is offered if the agent has one of the abilities; without any, every agent has it. */
export type KnownCommand = { name: string; aliases: readonly string[]; abilities: readonly Ability[] }

export type AppState = {
  startup: Startup
  chat: ChatState
  /** The first screen; null if there is none. Use `visibleWelcome`. */
  welcome: Welcome | null
  /** All conversations of this zotui while this one is shown; empty while there are no others. */
  conversations: readonly ConversationRow[]
  /** Other conversations that ask something or have ended, the most important first. */
  news: readonly News[]
  /** The times at which the first of the news changed, and until which the user has read of ends. */
  newsChangedAt: number
  newsReadAt: number
  /**
   * The number of times that a session's conversation replaced this one, and the number of its entries that were not
   * printed or were already on the screen.
   */
  restored: { times: number; shown: number }
  /** The share of a resumed session that has been read, from 0 to 1; null while none is read. */
  opening: number | null
  editor: Editor
  /** A draft that is to be sent when the images in it are read; null if none waits. `editor` is the next one. */
  waitingDraft: Editor | null
  /** Null unless the composer has vim's keys. */
  vim: Vim | null
  history: History
  chips: Chips
  queue: Queue
  /** The entry that has left the queue and is not with the agent yet. */
  onItsWay: QueueEntry | null
  /** The words for the running turn that the agent has not confirmed yet. */
  steers: readonly WaitingSteer[]
  /** What steers while a turn runs: a key, or Enter, or nothing, because the agent takes no words into its turn. */
  steering: 'key' | 'enter' | 'nothing'
  edited: EditedEntry | null
  /** The draft that was stashed with Ctrl+S. */
  stash: string | null
  /** The branches and tags that git listed last. */
  branches: readonly string[]
  /** The models that the agent listed last; null until it was asked. */
  models: readonly ListedModel[] | null
  /** The built-in commands, also those that are not offered here. */
  knownCommands: readonly KnownCommand[]
  /** The prompt files as they were read last. */
  promptCommands: readonly PromptCommand[]
  /** The files that the agent read when it was started; null if it does not report them. */
  reading: StartupContext | 'awaited' | null
  /** Null while no file is being completed. */
  files: FoundFiles | null
  /** The selected row of the completion popup, and the text for which Esc closed it. */
  popup: { selected: number; closedFor: string | null }
  picker: Picker | null
  /** The last side question; null if there is none. */
  side: SideWork | null
  /** What servers for browsers want of the person, the oldest first. The same in all conversations. */
  serveAsks: readonly ServeAsk[]
  /** The names of the devices that look at this conversation now, unsanitised. */
  watchers: readonly string[]
  /** The question in the place of the composer; null if nothing is asked. */
  question: QuestionView | null
  /** The page on the alternate screen, by the context of its keys; null without one. What it shows is its own. */
  page: string | null
  /** The keys that `/keys debug` shows; null while it is closed. */
  watched: readonly SeenKey[] | null
  /** The keys that hints name. */
  keyNames: KeyNames
  /** The part of each tool call that is shown. */
  detail: Detail
  /** True if the model's thinking is shown in full. */
  thoughts: boolean
  /** True if text is shown as it was written, without Markdown drawn. */
  raw: boolean
  /** True if the draft is a note for the project's AGENTS.md: it was begun with a typed #. */
  noting: boolean
  /** The facts in zotui's own status line. */
  statusFacts: readonly StatusFact[]
  /**
   * The time at which the limit of the user's plan resets, in milliseconds since the Unix epoch, if the agent refused the last prompt
   * because of it. `kept`: the entry of the paused queue that is sent then; null for none. Otherwise null.
   */
  limitWait: { at: number; kept: QueueEntry | null; isOver: boolean } | null
  /** The setting: whether all commands of the agent run in the sandbox, and without a network. */
  sandbox: 'off' | 'on' | 'closed'
  /** The line of the user's own command, below the status line; null without such a command. */
  customStatus: CustomStatus | null
  /** The events whose hooks are asked now. */
  askedHooks: readonly HookEvent[]
  /** The theme in use, as it was named, and the themes to choose from. */
  themes: { used: string; offered: readonly ThemeRow[] }
  /** A line that answers the last key, shown until the next one. */
  hint: string | null
  /** The effect of pressing the last key again. */
  armed: 'exit' | 'kill' | 'clear_draft' | 'rewind' | null
  /** The time of the agent's last event, in milliseconds since the Unix epoch. */
  lastEventAt: number
  /** The time of the last frame, in milliseconds since the Unix epoch. */
  now: number
  /** Set on exit: the agent is being ended, or is gone. */
  leaving: 'ending' | 'gone' | null
}

const noThemes: AppState['themes'] = { used: 'auto', offered: [] }

/** The keys that the first frames name. The table of keys, with `keys.json` applied, is loaded after these frames. */
export const firstKeyNames: KeyNames = new Map([
  ['composer.submit', ['enter']],
  ['composer.stop', ['escape']],
])

export function initialState(startup: Startup, now: number, themes = noThemes, detail: Detail = 'short'): AppState {
  return {
    startup,
    chat: initialChat,
    welcome: null,
    conversations: [],
    news: [],
    newsChangedAt: 0,
    newsReadAt: 0,
    restored: { times: 0, shown: 0 },
    opening: null,
    editor: createEditor(),
    waitingDraft: null,
    vim: null,
    history: emptyHistory,
    chips: new Map(),
    queue: { entries: [], paused: false },
    onItsWay: null,
    steers: [],
    steering: 'nothing',
    edited: null,
    stash: null,
    branches: [],
    models: null,
    knownCommands: [],
    promptCommands: [],
    reading: null,
    files: null,
    popup: { selected: 0, closedFor: null },
    picker: null,
    side: null,
    serveAsks: [],
    watchers: [],
    question: null,
    page: null,
    watched: null,
    themes,
    keyNames: firstKeyNames,
    detail,
    statusFacts: usualFacts,
    limitWait: null,
    sandbox: 'off',
    customStatus: null,
    thoughts: false,
    askedHooks: [],
    raw: false,
    noting: false,
    hint: null,
    armed: null,
    lastEventAt: now,
    now,
    leaving: null,
  }
}

/** The question that is on the screen: a list or a view covers it. */
export function visibleQuestion({
  question,
  picker,
  page,
  watched,
}: Pick<AppState, 'question' | 'picker' | 'page' | 'watched'>): QuestionView | null {
  return picker || page || watched ? null : question
}

/** True if keys answer the question: a pause has passed, and nothing is typed. Keys are for a draft otherwise, Enter too. */
export function takesKeys({ question, editor }: Pick<AppState, 'question' | 'editor'>): boolean {
  return question !== null && question.isArmed && editor.text === ''
}

/** True if the agent works or is not ready: prompts are queued. */
export function isBusy(state: AppState): boolean {
  return state.chat.open !== null || state.chat.agent.phase === 'starting' || state.opening !== null
}
