/** The rows of all hosts in one order: what waits for the person first, then what has failed, works, and is done. */
import { rankOf, type BoardQuestion, type BoardRow } from '../../../src/fleet/board-row.ts'
import type { BoardHost } from '../../../src/fleet/board-source.ts'

export type BoardEntry = {
  key: string
  host: BoardHost
  row: BoardRow
}

/** The kinds of rows, in order, with their headings. */
export const groups = ['waits for you', 'failed', 'works', 'done', 'idle'] as const

export function boardEntries(hosts: readonly BoardHost[], filter: string): BoardEntry[] {
  const words = filter
    .toLowerCase()
    .split(/\s+/)
    .filter(word => word !== '')
  return hosts
    .flatMap(host => host.rows.map(row => ({ key: entryKey(host.name, row.id), host, row })))
    .filter(entry => words.length === 0 || matches(entry, words))
    .toSorted((one, other) => {
      const rank = rankOf(one.row)
      return rank - rankOf(other.row) || later(one.row, other.row) * (isNewestFirst(rank) ? -1 : 1)
    })
}

/** Of what waits or works, what began earlier comes first; of what is over, the newest. */
function isNewestFirst(rank: number): boolean {
  return rank !== rankOf({ questions: [], state: 'asks' }) && rank !== rankOf({ questions: [], state: 'working' })
}

/** Neither of the two can hold the separator: a host is a word of a command line, and an ID is one line. */
export function entryKey(host: string, id: string): string {
  return `${host}\n${id}`
}

function later(one: BoardRow, other: BoardRow): number {
  return (one.since ?? 0) - (other.since ?? 0)
}

function matches({ host, row }: BoardEntry, words: readonly string[]): boolean {
  const { title, folder, worktreeOf, branch, agent, model, lastLine } = row
  const all = [title, folder, worktreeOf, branch, agent, model, lastLine, host.name, groupOf(row)]
  const text = all.join('\n').toLowerCase()
  return words.every(word => text.includes(word))
}

export function groupOf(row: Pick<BoardRow, 'questions' | 'state'>): (typeof groups)[number] {
  return groups[rankOf(row)] ?? 'idle'
}

/** A question on the board. The key changes with what is asked: an answer counts for one key. */
export type BoardAsk = { key: string; entry: BoardEntry; question: BoardQuestion }

export function askOf(entry: BoardEntry | null): BoardAsk | null {
  const question = entry?.row.questions[0]
  if (!entry || !question) return null
  return { key: [entry.key, question.id, question.digest].join('\n'), entry, question }
}

/** The index of the selected row; -1 if there is none. */
export function selectedEntry(entries: readonly BoardEntry[], selected: string | null): number {
  const at = entries.findIndex(({ key }) => key === selected)
  return at >= 0 || entries.length === 0 ? at : 0
}

/** What is known of a host that is not connected comes from the past. */
export function isLost({ host }: BoardEntry): boolean {
  return host.state !== 'connected'
}
