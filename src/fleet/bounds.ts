/** Rows and questions of others, made harmless: short texts without control characters, and no question that is not what its digest says. */
import { createHash } from 'node:crypto'
import type { ServedQuestion } from '../published/protocol.ts'
import { oneLine, sanitize, sanitizeExact } from '../text/sanitize.ts'
import type { BoardQuestion, BoardRow } from './board-row.ts'

/** Characters of a text, of a path, and of a question that can be answered from the board. */
const [LONG, LONGEST_PATH, LONGEST_QUESTION] = [300, 2000, 100_000]
/** Questions of a conversation. */
const MOST_QUESTIONS = 20

const TOO_LONG = 'It is too long to be shown here: answer it at its own terminal.'

const short = (raw: string): string => oneLine(sanitize(raw.slice(0, LONG)))
const path = (raw: string): string => oneLine(sanitize(raw.slice(0, LONGEST_PATH)))

/** Null for a row with a question that no zotui makes. */
export function boundedRow(row: BoardRow): BoardRow | null {
  const questions = row.questions.slice(0, MOST_QUESTIONS).map(boundedQuestion)
  if (questions.includes(null)) return null
  const { session, worktreeOf, branch, attach } = row
  return {
    ...row,
    attach: attach === null ? null : attach.slice(0, LONG),
    session: session === null ? null : session.slice(0, LONG),
    folder: path(row.folder),
    worktreeOf: worktreeOf === null ? null : path(worktreeOf),
    branch: branch === null ? null : short(branch),
    agent: short(row.agent),
    model: short(row.model),
    title: short(row.title),
    lastLine: short(row.lastLine),
    stays: short(row.stays),
    questions: questions.filter(question => question !== null),
  }
}

/** Null for one that is not what its digest says, or that has what a terminal must not get. */
export function boundedQuestion(question: BoardQuestion): BoardQuestion | null {
  const { text, digest } = question
  if (text !== '' && (digestOf(text) !== digest || sanitizeExact(text) !== text)) return null
  const facts = { ...question, title: short(question.title), note: short(question.note) }
  // What is not shown whole cannot be answered.
  if (text === '' || text.length > LONGEST_QUESTION)
    return { ...facts, text: '', answers: [], note: facts.note === '' ? TOO_LONG : facts.note }
  return facts
}

/** A question of a process on this machine, for the board. */
export function boardQuestionOf({ id, kind, title, text, textDigest, answers, note }: ServedQuestion): BoardQuestion {
  const facts = { id, kind, title, text, digest: textDigest }
  if (kind === 'call') {
    const own = answers.filter(answer => answer === 'allow' || answer === 'refuse' || answer === 'say')
    return { ...facts, answers: own, note }
  }
  if (kind === 'form') {
    const fill = 'A form is filled in at its own terminal, or from a browser.'
    return { ...facts, answers: answers.includes('decline') ? ['refuse'] : [], note: note === '' ? fill : note }
  }
  return { ...facts, answers: answers.includes('change') ? ['say'] : [], note }
}

function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}
