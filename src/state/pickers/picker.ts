/** The lists with a filter below the composer, which take all keys: what each remembers while it is open. */
import type { Model } from '../../agent/backend.ts'
import type { RunningCommand } from '../../agent/requests.ts'
import type { ConversationRow } from '../conversations/conversations.ts'
import type { MarkRow } from './mark-rows.ts'
import type { RunningRow, SideWork } from './running-rows.ts'
import type { SessionRow } from './session-rows.ts'
import type { FamilyRow } from './tree-rows.ts'
import type { SessionSummary, SessionScope } from '../../conversation/queries/session/session-summary.ts'

/** `mark` is the reason why it is listed first. */
export type ListedModel = Model & { mark?: 'favourite' | 'recent' }

/** An earlier prompt as it was sent. */
export type FoundPrompt = {
  text: string
  /** The name of its folder; empty for this one. */
  place: string
}

/** An answer to a question. */
export type Choice = {
  label: string
  /** Columns between the label and the detail, the most important first. */
  facts?: readonly string[]
  detail: string
  /** The detail in whole sentences, shown if it is cut; the detail itself by default. */
  whole?: string
  /** True if the detail begins with what matters: it may end after a clause. */
  endsEarly?: boolean
}

/** What each list has besides its filter. A new list has a line here, and one in `components/picker/table.ts`. */
type PickerData = {
  models: {
    /** True if only the models of other providers are listed. */
    ofOtherProvider: boolean
    /** Null while the agent has not answered. */
    models: readonly ListedModel[] | null
    /** True if those of other providers are still being listed. */
    awaitsMore?: boolean
  }
  /** The search in earlier prompts. */
  history: {
    scope: 'folder' | 'all'
    /** Newest first. */
    prompts: readonly FoundPrompt[]
    /** Those that match the filter. */
    found: readonly FoundPrompt[]
  }
  /** A question of zotui's own, with its answers. */
  choice: {
    /** The question, in a few words. */
    title: string
    choices: readonly Choice[]
    /** True if the user did not ask for the question: typing closes it and goes to the composer. */
    dismissOnType: boolean
    /** For a question that is answered by typing: what Enter does with the text. Null if typing searches the answers. */
    typed: string | null
    /** True if the typed text is a secret, which is neither shown nor read out. */
    isSecret: boolean
  }
  /** Earlier sessions. */
  sessions: {
    scope: SessionScope
    /** Newest first; null while they are being read. */
    sessions: readonly SessionSummary[] | null
    /** Those that match the filter. */
    found: readonly SessionRow[]
    /** The id of the open session. */
    current: string
  }
  /** The marked places of all sessions. */
  marks: {
    /** The newest first. */
    marks: readonly MarkRow[]
    /** Those that match the filter. */
    found: readonly MarkRow[]
  }
  /** This session and what came from it. The filter stays empty: letters act on the selected row. */
  tree: {
    /** Null while the sessions are being read. */
    rows: readonly FamilyRow[] | null
    /** The id of the open session. */
    current: string
  }
  /** What works in this conversation. The filter stays empty: letters act on the selected row. */
  running: {
    rows: readonly RunningRow[]
    /** As the agent listed them last; null while it has not answered. */
    commands: readonly RunningCommand[] | null
    side: SideWork | null
  }
  /** The conversations of this zotui. The filter stays empty: letters act on the selected one. */
  conversations: { rows: readonly ConversationRow[] }
}

export type PickerKind = keyof PickerData

/** An open list of one of these kinds, and its selected row. */
export type PickerOf<Kind extends PickerKind> = {
  [Each in Kind]: { kind: Each; filter: string; selected: number } & PickerData[Each]
}[Kind]

export type Picker = PickerOf<PickerKind>
export type ModelPicker = PickerOf<'models'>
export type HistoryPicker = PickerOf<'history'>
export type ChoicePicker = PickerOf<'choice'>
export type SessionPicker = PickerOf<'sessions'>
export type MarkPicker = PickerOf<'marks'>
export type TreePicker = PickerOf<'tree'>
export type RunningPicker = PickerOf<'running'>
export type ConversationPicker = PickerOf<'conversations'>

/** The open list if it is of this kind: for those who opened it. */
export function openPicker<Kind extends PickerKind>(
  picker: Picker | null,
  kind: Kind,
): Extract<Picker, { kind: Kind }> | null {
  const isOf = (open: Picker | null): open is Extract<Picker, { kind: Kind }> => open?.kind === kind
  return isOf(picker) ? picker : null
}
