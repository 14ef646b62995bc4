/** The rows of the board with their hosts, in its order, as far as the filter lets them through. */
import { rankOf, type BoardQuestion, type BoardRow } from '../../../src/fleet/board-row.ts'
import { inBoardOrder } from '../../../src/fleet/board.ts'
import type { BoardHost } from '../../../src/fleet/board-source.ts'

export type BoardEntry = {
  key: string
  host: BoardHost
  row: BoardRow
  /** True if nothing is heard of its host: it is as it was at the last moment. */
  isStale: boolean
}

/** The kinds of rows, in order, with their headings. */
export const groups = ['waits for you', 'failed', 'works', 'done', 'idle', 'out of reach'] as const

export function boardEntries(hosts: readonly BoardHost[], filter: string): BoardEntry[] {
  const words = filter
    .toLowerCase()
    .split(/\s+/)
    .filter(word => word !== '')
  const named = new Map(hosts.map(host => [host.name, host]))
  return inBoardOrder(hosts).flatMap(({ host: name, row, isStale }) => {
    const host = named.get(name)
    const entry = host && { key: entryKey(name, row.id), host, row, isStale }
    return entry && (words.length === 0 || matches(entry, words)) ? [entry] : []
  })
}

/** Neither of the two can hold the separator: a host is a word of a command line, and an ID is one line. */
export function entryKey(host: string, id: string): string {
  return `${host}\n${id}`
}

function matches(entry: BoardEntry, words: readonly string[]): boolean {
  const { host, row } = entry
  const { title, folder, worktreeOf, branch, agent, model, lastLine } = row
  const all = [title, folder, worktreeOf, branch, agent, model, lastLine, host.name, groupOf(entry)]
  const text = all.join('\n').toLowerCase()
  return words.every(word => text.includes(word))
}

export function groupOf({ row, isStale }: Pick<BoardEntry, 'row' | 'isStale'>): (typeof groups)[number] {
  return isStale ? 'out of reach' : (groups[rankOf(row)] ?? 'idle')
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
