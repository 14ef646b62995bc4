/**
 * The pages on the alternate screen as the rest of the program sees them: it opens one by its name, and passes it the keys. They are
 * made with the screen (`components/pages`); people who use a screen reader get lists and printed texts of the same names.
 */
import type { UsageFormat, UsageSelection } from '../../usage/groups.ts'
import type { CollectedChanges } from '../../changes/collect.ts'
import type { EditCommand } from '../../composer/editor.ts'
import type { SessionPlace } from '../../conversation/queries/session/session-place.ts'
import type { DiffSubject } from '../../tools/diff/subject.ts'
import type { DaySum } from '../../storage/usage/day-cost.ts'
import type { FindAnswer, FoundPassage, PassageKind } from '../../storage/find/passage.ts'
import type { ChoicePrompt } from '../context/choice-prompt.ts'
import type { Clipboard } from '../context/clipboard.ts'
import type { AppContext } from '../context/context.ts'
import type { BoardAction } from '../../fleet/board-lines.ts'
import type { BoardRow } from '../../fleet/board-row.ts'
import type { BoardHost } from '../../fleet/board-source.ts'
import type { OutsideReply } from '../../published/outside-call.ts'
import type { LocalServer } from '../context/local-server.ts'
import type { RaceRun } from '../race/race-run.ts'

/** What each page is opened with. */
export type PageRequests = {
  transcript: TranscriptRequest
  diff: DiffRequest
  help: HelpRequest
  find: FindPageRequest
  usage: UsageRequest
  serve: ServePageRequest
  board: BoardPageRequest
  race: RacePageRequest
}

export type PageName = keyof PageRequests

/** The whole conversation (null), that of a subagent by its id, or a session as it is stored, which only the viewer opens. */
export type TranscriptRequest = null | { task: string } | StoredRequest

export type StoredRequest = {
  /** The id of a stored session, of any folder. */
  session: string
  /** Where it opens; null for its end. */
  place: Pick<SessionPlace, 'at' | 'call'> | null
  /** What is searched for in it; '' for nothing. */
  words: string
}

/** The changes to show, and what they are. `first` are those that are known at once. */
export type DiffRequest = {
  subject: DiffSubject
  collect: () => Promise<CollectedChanges>
  first?: () => Promise<CollectedChanges>
}

/** The search in all sessions, and what is done with what it finds. */
export type FindPageRequest = {
  /** Searched for first; '' for what was searched for last. */
  words: string
  /** The folder of the conversation as an absolute path. */
  folder: string
  /** A later question ends an earlier one. Never rejects. */
  ask: (search: TypedSearch) => Promise<FindAnswer>
  /** Puts into the index what has changed. Resolves to one line if that did not work, otherwise to null. Never rejects. */
  catchUp: () => Promise<string | null>
  /** Resumes the session of a passage, or asks whether to fork there. */
  continueFrom: (passage: FoundPassage) => void
  /** Takes a passage into the draft. */
  quote: (passage: FoundPassage) => void
}

export type TypedSearch = {
  /** With the filters in it, such as `agent:zot`. */
  typed: string
  kind: PassageKind | null
  /** True for this folder only. */
  isHere: boolean
}

export type { FindAnswer, FoundPassage, PassageKind }

export type UsageRequest = {
  /** What the user should know now of the records, and of the limit of the day; usually empty. */
  note: () => string
  /** The same as Markdown, for people who use a screen reader. */
  text: () => string
  /** Saves the selected usage in a file of the folder. Resolves with a sentence about it. */
  save: (selection: UsageSelection, format: UsageFormat) => Promise<string>
}

export type ServePageRequest = { server: LocalServer }

/** The conversations of all machines, as the board shows them. Nothing of it throws or rejects. */
export type ShownBoard = {
  /** False until all machines are known. */
  isComplete: () => boolean
  /** This machine first. The same array as long as nothing has changed. */
  hosts: () => readonly BoardHost[]
  /** Calls the listener after changes. Returns a function that unsubscribes. */
  onChange: (listener: () => void) => () => void
  act: (host: string, row: string, action: BoardAction) => Promise<OutsideReply>
}

/** A worktree that would be merged: the lines to show before a yes, and what a yes does. That resolves to what has become of it. */
export type BoardMerge = { title: string; lines: readonly string[]; run: () => Promise<string> }

export type OrWhy<Value> = { ok: true; value: Value } | { ok: false; why: string }

/** What the board shows, and what can be done with a row beyond an action. `host` is the name of its host. Nothing rejects. */
export type BoardPageRequest = {
  board: ShownBoard
  /** A folder as people write it. */
  label: (folder: string) => string
  dayCost: () => DaySum | null
  /** Shows the conversation. Resolves to why it is not shown, as a sentence; null if it is, or was. */
  open: (host: string, row: BoardRow) => Promise<string | null>
  /** What the conversation has changed. */
  diff: (row: BoardRow) => Promise<OrWhy<DiffRequest>>
  /**
   * The merge of the row's worktree into the folder that it was made from. `isAskedThere`: what stands against it is asked about in the
   * conversation itself, by `/worktree`.
   */
  merge: (row: BoardRow) => Promise<OrWhy<BoardMerge> & { isAskedThere?: boolean }>
  /** Moves a conversation of this zotui to the background. Resolves to a sentence about it. Null where nothing can run there. */
  background: ((row: BoardRow) => Promise<string>) | null
  /** Goes back to the list of conversations; null where there is none. */
  back: (() => void) | null
  /** Called when the board is closed. */
  closed: () => void
}

/** A race, and what is done with one who runs, by the index. What asks closes the page first. */
export type RacePageRequest = {
  run: RaceRun
  /** Goes to its conversation. */
  attach: (at: number) => void
  /** Null if it has no worktree. */
  diffOf: (at: number) => DiffRequest | null
  pick: (at: number) => void
  /** Of those that were not taken; without one, of all but this one. */
  discardOthers: (at: number) => void
}

/** The keys and commands, or a text, which is not sanitised. */
export type HelpRequest = { kind: 'keys' } | { kind: 'text'; title: string; text: string }

export type OpenPageNamed = <Name extends PageName>(name: Name, request: PageRequests[Name]) => void

export type Pages = {
  /** Does nothing while a page is open, or while the program ends. */
  open: OpenPageNamed
  /** Does an action of the open page's keys. */
  perform: (how: string) => void
  /** Takes typed text if the open page has a text field; otherwise returns false. */
  type: (text: string) => boolean
  /** Edits the text if the open page has a text field with the composer's keys; otherwise returns false. */
  edit: (command: EditCommand) => boolean
  /** Closes all that are open, also those below another. Does nothing without an open page. */
  close: () => void
}

/** The parts of a conversation that its pages need. */
export type PageParts = {
  context: AppContext
  choicePrompt: ChoicePrompt
  clipboard: Clipboard
  /** Calls `listener` after events that may have changed files. Returns a function that unsubscribes. */
  followChanges: (listener: () => void) => () => void
  redraw: () => void
  /** Prints a text into the scrollback as it is. */
  print: (text: string) => void
}

export type MakePages = (parts: PageParts) => Pages
