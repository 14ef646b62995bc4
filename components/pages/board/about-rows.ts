/** What is said of the selected row: its question whole, or else where it works and what it said last. */
import type { BoardRow } from '../../../src/fleet/board-row.ts'
import { drawn, empty, type Styled } from '../../../src/style/styled.ts'
import type { Theme } from '../../../src/style/theme.ts'
import { counted } from '../../../src/text/counted.ts'
import { formatCost } from '../../../src/text/format.ts'
import { truncate } from '../../../src/text/lines/shorten.ts'
import { wrap } from '../../../src/text/lines/wrap.ts'
import { expandTabs } from '../../../src/text/lines/width.ts'
import { oneLine, sanitize } from '../../../src/text/sanitize.ts'
import { stateWords } from '../../status/conversations.ts'
import { type BoardEntry } from './entries.ts'
import { hostWords, type FolderLabel } from './list-rows.ts'

export type AboutLook = { now: number; label: FolderLabel; theme: Theme; width: number }

/** All lines. A question is whole, with nothing cut. */
export function aboutLines(entry: BoardEntry | null, look: AboutLook): Styled[] {
  if (!entry) return []
  const { row, host } = entry
  const { theme, width } = look
  const room = Math.max(2, width)
  const dim = (text: string): Styled[] => wrap(oneLine(sanitize(text)), room).map(line => theme.dim(line))
  const lost = entry.isStale ? wrap(oneLine(sanitize(hostWords(host))), room).map(line => theme.warning(line)) : []
  const facts = factWords(entry, look)
  if (row.questions.length > 0) {
    // The rows are for the question: its conversation is named in the list.
    const line = truncate(oneLine(sanitize(facts)), room, theme.signs.ellipsis)
    return [theme.dim(line), ...lost, ...questionLines(row, theme, room)]
  }
  return [
    ...wrap(oneLine(sanitize(row.title || 'new conversation')), room).map(line => theme.strong(line)),
    ...dim(facts),
    ...lost,
    ...lastLines(row, room),
  ]
}

/** The words of its question are the figure: nothing of them is shortened. */
function questionLines({ questions }: BoardRow, theme: Theme, room: number): Styled[] {
  const [question] = questions
  if (!question) return []
  const more = questions.length - 1
  const text = sanitize(question.text)
    .split('\n')
    .flatMap(line => wrap(expandTabs(sanitize(line)), room))
  const note = wrap(oneLine(sanitize(question.note)), room).filter(line => line !== '')
  return [
    ...wrap(oneLine(sanitize(question.title)), room).map(line => theme.warning(line)),
    ...text.map(line => drawn`${line}`),
    ...note.map(line => theme.dim(line)),
    ...(more > 0 ? [theme.dim(sanitize(`${counted(more, 'more question')} after this one`))] : []),
  ]
}

function lastLines({ lastLine }: BoardRow, room: number): Styled[] {
  const words = oneLine(sanitize(lastLine))
  return words === '' ? [] : [empty, ...wrap(words, room).map(line => drawn`${line}`)]
}

/** Where it works, with what, and who holds it. */
export function factWords({ row, host }: BoardEntry, { label }: Pick<AboutLook, 'label'>): string {
  const { folder, worktreeOf, branch, agent, model, mode, changes, costUsd, kind, pid, state } = row
  const place = worktreeOf === null ? label(folder) : `a worktree of ${label(worktreeOf)}`
  const holders = {
    ui: pid === null ? '' : `in the zotui ${pid}`,
    background: 'in the background',
    job: 'a Job',
    container: 'a container',
  }
  return [
    row.questions.length > 0 ? stateWords.asks : stateWords[state],
    host.name === '' ? '' : host.name,
    branch === null ? place : `${place} on ${branch}`,
    [agent, model].filter(word => word !== '').join(' '),
    mode === null ? '' : `mode ${mode}`,
    changes && changes.files > 0 ? `${counted(changes.files, 'file')} +${changes.added} -${changes.removed}` : '',
    costUsd === null || costUsd === 0 ? '' : formatCost(costUsd),
    holders[kind],
  ]
    .filter(word => word !== '')
    .join(', ')
}
