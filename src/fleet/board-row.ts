/** A conversation on the board, wherever it runs. All texts are unsanitised. */
import { z } from 'zod'
import { permissionModes } from '../agent/permission.ts'

/** A question that waits, as it is shown in a terminal. */
const boardQuestionSchema = z.object({
  id: z.string(),
  kind: z.enum(['call', 'form', 'plan']),
  /** In a few words. */
  title: z.string(),
  /** All of it, with its dangers, in lines of plain text. */
  text: z.string(),
  /** The digest that an answer must name: it counts only for what was shown. */
  digest: z.string(),
  /** The answers that may come from the board. */
  answers: z.array(z.enum(['allow', 'refuse', 'say'])).readonly(),
  /** Why an answer is missing, as a sentence; '' if none is. */
  note: z.string(),
})
export type BoardQuestion = z.infer<typeof boardQuestionSchema>

/** What can be done with a conversation from the board. */
const boardActions = ['attach', 'background', 'answer', 'stop', 'rename', 'end', 'archive', 'diff', 'merge'] as const
export type BoardActionName = (typeof boardActions)[number]

/** Repeats much of the row in `published/protocol.ts`: a shared schema would be loaded by commands that need only one of them. */
export const boardRowSchema = z.object({
  /** Unique on its host, for as long as the conversation runs. */
  id: z.string(),
  /** `job` and `container`: a place that zotui has started, and in which no conversation is known. */
  kind: z.enum(['ui', 'background', 'job', 'container']),
  /** The process that holds it; null for none. */
  pid: z.int().nullable(),
  /** What `zotui attach` opens it by; null for one that a UI holds. */
  attach: z.string().nullable(),
  /** Its saved session; null for none. */
  session: z.string().nullable(),
  /** Absolute, or a folder of another machine with its name. */
  folder: z.string(),
  /** The folder that its worktree was made from; null for one that works in no worktree. */
  worktreeOf: z.string().nullable(),
  branch: z.string().nullable(),
  agent: z.string(),
  model: z.string(),
  title: z.string(),
  state: z.enum(['starting', 'working', 'waiting', 'asks', 'done', 'failed', 'idle', 'resting']),
  /** When its turn began, or its last turn ended, in milliseconds since the Unix epoch by the clock of its host; null before the first. */
  since: z.number().nullable(),
  lastLine: z.string(),
  costUsd: z.number().nullable(),
  mode: z.enum(permissionModes).nullable(),
  /** The lines that its folder differs by from its last commit, or its worktree from its base; null while unknown. */
  changes: z.object({ files: z.int(), added: z.int(), removed: z.int() }).nullable(),
  questions: z.array(boardQuestionSchema).readonly(),
  /** Of one that a UI holds: why it cannot be moved to the background, to be attached to, as a sentence; '' if it can. */
  stays: z.string(),
  can: z.array(z.enum(boardActions)).readonly(),
})
export type BoardRow = z.infer<typeof boardRowSchema>

/** What comes first on the board: what waits for the person, then what failed, then what works, then what is done. */
const RANKS: Readonly<Record<BoardRow['state'], number>> = {
  asks: 0,
  failed: 1,
  working: 2,
  waiting: 2,
  starting: 2,
  done: 3,
  idle: 4,
  resting: 4,
}

export function rankOf({ questions, state }: Pick<BoardRow, 'questions' | 'state'>): number {
  return questions.length > 0 ? 0 : RANKS[state]
}
