/** One file of a list, and how its lines are found. */
import { countLines, type Change, type ChangeForm, type ChangeKind, type FileDiff } from './change.ts'
import type { Content } from './content.ts'
import { compareContents } from './patch.ts'

export type Entry = {
  change: Change
  /** Never rejects. */
  load: () => Promise<FileDiff>
}

/** Of a file whose contents are both known. */
export function comparedEntry(
  { file, path }: { file: string; path: string },
  before: Content,
  after: Content,
  notes: readonly string[] = [],
): Entry {
  const diff = compareContents(before, after)
  const isCounted = diff.hunks.length > 0 || (isText(before) && isText(after))
  const counts = isCounted ? countLines(diff) : { added: null, removed: null }
  const kind: ChangeKind = before.kind === 'none' ? 'new' : after.kind === 'none' ? 'deleted' : 'changed'
  const form = formOf(after.kind === 'none' ? before : after)
  const change: Change = { file, path, from: null, kind, form, ...counts, isEstimate: false, calls: 0 }
  return { change, load: async () => ({ hunks: diff.hunks, notes: [...notes, ...diff.notes] }) }
}

const isText = ({ kind }: Content): boolean => kind === 'text' || kind === 'link' || kind === 'none'

function formOf({ kind }: Content): ChangeForm {
  return kind === 'binary' || kind === 'link' ? kind : 'text'
}
