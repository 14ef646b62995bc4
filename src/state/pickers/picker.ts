/** The lists with a filter below the composer: models, earlier prompts, sessions, answers to a question. */
import type { Model } from '../../agent/backend.ts'
import type { SessionRow } from './session-rows.ts'
import type { SessionSummary, SessionScope } from '../../conversation/session-summary.ts'

/** `mark` is the reason why it is listed first. */
export type ListedModel = Model & { mark?: 'favourite' | 'recent' }

export type ModelPicker = {
  kind: 'models'
  /** Whether only the models of other providers are listed. */
  elsewhere: boolean
  filter: string
  selected: number
  /** Null while the agent has not answered. */
  models: readonly ListedModel[] | null
  /** Whether those of other providers are still to come. */
  awaitsMore?: boolean
}

/** An earlier prompt as it was sent. */
export type FoundPrompt = {
  text: string
  /** The name of the folder that it is from; empty for this one. */
  place: string
}

/** The search in earlier prompts. */
export type HistoryPicker = {
  kind: 'history'
  scope: 'folder' | 'all'
  filter: string
  selected: number
  /** Newest first. */
  prompts: readonly FoundPrompt[]
  /** Those that match the filter. */
  found: readonly FoundPrompt[]
}

/** One of the answers to a question. */
export type Choice = {
  label: string
  /** Columns between the label and the detail, the most important first. */
  facts?: readonly string[]
  detail: string
  /** The detail in whole sentences, shown if it is cut; the detail itself by default. */
  whole?: string
}

/** A question of zotui's own, with its answers. */
export type ChoicePicker = {
  kind: 'choice'
  /** The question, in a few words. */
  title: string
  filter: string
  selected: number
  choices: readonly Choice[]
  /** The person did not ask for it: typing closes it and goes to the composer. */
  dismissOnType: boolean
  /** Takes the typed text when Enter is pressed, for a question that is answered by typing. Null if typing searches the answers. */
  typed: string | null
}

/** The list of earlier sessions. */
export type SessionPicker = {
  kind: 'sessions'
  scope: SessionScope
  filter: string
  selected: number
  /** Newest first; null while they are being read. */
  sessions: readonly SessionSummary[] | null
  /** Those that match the filter. */
  found: readonly SessionRow[]
  /** The one that is open. */
  current: string
}

/** A list with a filter, which has the keyboard to itself. */
export type Picker = ModelPicker | HistoryPicker | ChoicePicker | SessionPicker
