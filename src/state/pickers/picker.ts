/** The lists with a filter below the composer: models, earlier prompts, sessions, answers to a question. */
import type { Model } from '../../agent/backend.ts'
import type { ConversationRow } from '../conversations/conversations.ts'
import type { SessionRow } from './session-rows.ts'
import type { SessionSummary, SessionScope } from '../../conversation/queries/session/session-summary.ts'

/** `mark` is the reason why it is listed first. */
export type ListedModel = Model & { mark?: 'favourite' | 'recent' }

/** A list that typing filters, and its selected row. */
type Filtered<Kind extends string> = { kind: Kind; filter: string; selected: number }

export type ModelPicker = Filtered<'models'> & {
  /** True if only the models of other providers are listed. */
  elsewhere: boolean
  /** Null while the agent has not answered. */
  models: readonly ListedModel[] | null
  /** True if those of other providers are still being listed. */
  awaitsMore?: boolean
}

/** An earlier prompt as it was sent. */
export type FoundPrompt = {
  text: string
  /** The name of its folder; empty for this one. */
  place: string
}

/** The search in earlier prompts. */
export type HistoryPicker = Filtered<'history'> & {
  scope: 'folder' | 'all'
  /** Newest first. */
  prompts: readonly FoundPrompt[]
  /** Those that match the filter. */
  found: readonly FoundPrompt[]
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

/** A question of zotui's own, with its answers. */
export type ChoicePicker = Filtered<'choice'> & {
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

/** The list of earlier sessions. */
export type SessionPicker = Filtered<'sessions'> & {
  scope: SessionScope
  /** Newest first; null while they are being read. */
  sessions: readonly SessionSummary[] | null
  /** Those that match the filter. */
  found: readonly SessionRow[]
  /** The id of the open session. */
  current: string
}

/** The list of the conversations of this zotui. Its filter stays empty: letters act on the selected one. */
export type ConversationPicker = Filtered<'conversations'> & { rows: readonly ConversationRow[] }

/** A list with a filter, which takes all keys. */
export type Picker = ModelPicker | HistoryPicker | ChoicePicker | SessionPicker | ConversationPicker
