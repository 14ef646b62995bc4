/** Everything that the screen is drawn from. */
import type { StartupContext } from '../agent/startup-context.ts'
import { initialChat, type ChatState } from '../conversation/state.ts'
import { createEditor, type Editor } from '../composer/editor.ts'
import { emptyHistory, type History } from '../composer/history.ts'
import type { PromptCommand } from '../config/prompts/command.ts'
import type { Chips } from './chips.ts'
import type { Changes } from './diff-screen.ts'
import type { ListedModel, Picker } from './picker.ts'
import type { QueueEntry } from './queue-entry.ts'
import type { ToolLimit } from './tool-limit.ts'
import type { Detail } from '../tools/detail.ts'

/** Prompts and commands that wait for the agent. They belong to zotui: they are sent one by one after a turn ended. */
export type Queue = {
  entries: readonly QueueEntry[]
  /** Nothing is sent by itself, since the last turn did not end well. */
  held: boolean
}

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
  /** The home itself, for what else is shown so. */
  home?: string
  branch: string | null
  demo: boolean
  /** Why the agent lacks tools; null where it has all of its own. */
  toolLimit?: ToolLimit | null
  /** Keys steer a recording, and nothing can be typed. */
  isReplay?: boolean
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
  /** How much of a session that is gone on with has been read, from 0 to 1; null while none is read. */
  opening: number | null
  editor: Editor
  history: History
  chips: Chips
  queue: Queue
  edited: EditedEntry | null
  /** A draft that was put aside with Ctrl+S. */
  stash: string | null
  /** The models that the agent offers, as it said last; null while it was not asked. */
  models: readonly ListedModel[] | null
  /** The commands that files make, as they were read last. */
  promptCommands: readonly PromptCommand[]
  /** What the agent read by itself when it was started; null where it tells nothing of that. */
  reading: StartupContext | 'awaited' | null
  /** Null while no file is being completed. */
  files: FoundFiles | null
  /** The row chosen in the popup under the composer, and the text for which Esc closed it. */
  popup: { selected: number; closedFor: string | null }
  picker: Picker | null
  /** What is shown on a screen of its own. */
  viewing: 'conversation' | 'changes' | 'help' | null
  /** What was changed, as it was found out last; null while nobody has asked. */
  changes: Changes | null
  /** The keys that came while `/keys debug` shows them; null while it does not. */
  watched: readonly SeenKey[] | null
  /** How much of each tool call is shown from now on. */
  detail: Detail
  /** Whether what is said is shown as it was written, from now on. */
  raw: boolean
  /** The theme in use, as it was asked for, and those that are there. */
  themes: { used: string; offered: readonly ThemeRow[] }
  /** One line that answers the last key, until the next one. */
  hint: string | null
  /** The key that has to be pressed again to do what it said. */
  armed: 'exit' | 'kill' | 'clear_draft' | 'rewind' | null
  /** Milliseconds since the Unix epoch: of the last frame, for elapsed times. */
  now: number
  /** On the way out: the agent is being ended, or is gone. */
  leaving: 'ending' | 'gone' | null
}
const noThemes: AppState['themes'] = { used: 'auto', offered: [] }

export function initialState(startup: Startup, now: number, themes = noThemes, detail: Detail = 'short'): AppState {
  return {
    startup,
    chat: initialChat,
    restored: { times: 0, shown: 0 },
    opening: null,
    editor: createEditor(),
    history: emptyHistory,
    chips: new Map(),
    queue: { entries: [], held: false },
    edited: null,
    stash: null,
    models: null,
    promptCommands: [],
    reading: null,
    files: null,
    popup: { selected: 0, closedFor: null },
    picker: null,
    viewing: null,
    changes: null,
    watched: null,
    themes,
    detail,
    raw: false,
    hint: null,
    armed: null,
    now,
    leaving: null,
  }
}

/** Whether the agent works, or is not ready to: what is said now waits. */
export function isBusy(state: AppState): boolean {
  return state.chat.open !== null || state.chat.agent.phase === 'starting' || state.opening !== null
}
