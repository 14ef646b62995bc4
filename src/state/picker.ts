/** The lists with a filter that open below the composer: models, prompts of before, sessions, answers to a question. */
import type { Model } from '../agent/backend.ts'
import type { SessionRow } from './session-rows.ts'
import type { SessionSummary, SessionScope } from '../conversation/session-summary.ts'

/** `mark` says why it stands before others. */
export type ListedModel = Model & { mark?: 'favourite' | 'recent' }

export type ModelPicker = {
  kind: 'models'
  /** Whether the models of other providers alone are listed. */
  elsewhere: boolean
  filter: string
  selected: number
  /** Null while the agent has not answered. */
  models: readonly ListedModel[] | null
  /** Whether those of other providers are still to come. */
  awaitsMore?: boolean
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
export type Choice = {
  label: string
  /** In columns between the label and the detail, what matters most first. */
  facts?: readonly string[]
  detail: string
  /** The detail in whole sentences, for where it is cut; the detail itself where left out. */
  whole?: string
}

/** A question of zotui's own, with its answers. */
export type ChoicePicker = {
  kind: 'choice'
  /** What is asked, in a few words. */
  title: string
  filter: string
  selected: number
  choices: readonly Choice[]
  /** Came unasked: whoever just types on, closes it, and the text is in the composer. */
  dismissOnType: boolean
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
