/** A question in the place of the composer: its subject, its answers, and the selection. */
import type { PermissionMode } from '../agent/permission.ts'
import type { Editor } from '../composer/editor.ts'
import type { RequestFacts } from '../tools/describe-request.ts'

/** The subject of a question, unsanitised. `text` is null for a plan that is already shown above. */
export type QuestionContent =
  | CallContent
  | FormContent
  | ModeContent
  | { kind: 'plan'; text: string | null }
  | SideContent

/** The choice of the mode; `call` is the one that waits for it, in a few words. `isMore`: the modes behind "more" are shown. */
export type ModeContent = { kind: 'mode'; folder: string; call: string; isMore: boolean }

/** A side question. `answer` grows until `isOver`; `facts` are a few words about the agent and its work. */
export type SideContent = { kind: 'side'; question: string; answer: string; facts: readonly string[]; isOver: boolean }

/** A question of the agent's own, and one field of its form; `label` and `about` may be ''. */
export type FormContent = { kind: 'form'; message: string; label: string; about: string }

/** A call that waits. */
export type CallContent = RequestFacts & {
  kind: 'call'
  /** The other questions that wait, in a few words each. */
  others: readonly string[]
  /** Its place among all that wait, counted from 1. */
  at: number
}

export type QuestionAnswer = {
  label: string
  /** A fact after the label; '' for none. */
  detail: string
  /** A warning that stands below the answers while this one is chosen. */
  warning?: string | null
  /** The key that gives it, in addition to its number; null for none. */
  move: QuestionMove | null
  /** A word or two instead of the label, for its key hint and for the smallest screens; the label by default. */
  short?: string
  /** True for a label that takes several rows rather than being cut or made short: it says what is allowed. */
  isWhole?: boolean
  /** True for an answer that is only a key hint if there is too little room. */
  isMinor?: boolean
  /** The heading of the answers that it is one of, and a short form of it; absent for an answer without a heading. */
  group?: { label: string; short: string }
}

export type QuestionView = {
  /** Identifies the question. */
  id: string
  /** The question in a few words. */
  title: string
  content: QuestionContent
  answers: readonly QuestionAnswer[]
  selected: number
  /** Rows of the content above the first visible one. */
  scroll: number
  /** True if keys answer it; before that they belong to the draft. */
  isArmed: boolean
  /** The text that is typed as the answer, and its label; null while an answer is chosen. */
  typed: { label: string; editor: Editor } | null
}

export type QuestionMove =
  | 'up'
  | 'down'
  | 'take'
  | 'leave'
  | 'page_up'
  | 'page_down'
  | 'previous'
  | 'next'
  | 'yes'
  | 'again'
  | 'more'
  | 'no'
  | 'instead'
  | 'edit_command'
  | 'yes_all'
  | 'no_all'
  | 'next_mode'
  | 'take_over'

export type QuestionAction = { do: 'question'; how: QuestionMove }

/** The modes that are offered first, and the others, which few want. */
export const offeredModes = (hasSandbox: boolean): readonly PermissionMode[] =>
  hasSandbox ? ['ask', 'edits', 'contained', 'plan'] : ['ask', 'edits', 'plan']
export const otherModes: readonly PermissionMode[] = ['read', 'allow']
