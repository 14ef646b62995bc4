/** One file of the list, and a function that loads its lines. */
import { countLines, type FileChange, type ChangeForm, type ChangeKind, type FileDiff } from '../tools/diff/change.ts'
import type { FileContent } from './file-content.ts'
import { compareContents } from './patch.ts'
import type { Repository } from './repository.ts'

export type ChangeEntry = {
  change: FileChange
  /** Never rejects. */
  load: () => Promise<FileDiff>
  /** What to ask git for, so that several entries are loaded by one question; absent if it is not git that knows the lines. */
  asked?: AskedOfGit
}

/** The lines of a file since a commit. Two paths are those of a rename. */
export type AskedOfGit = { repository: Repository; commit: string | null; paths: readonly string[] }

/** The entry of a file with known contents before and after. */
export function comparedEntry(
  { file, path }: { file: string; path: string },
  before: FileContent,
  after: FileContent,
  notes: readonly string[] = [],
): ChangeEntry {
  const diff = compareContents(before, after)
  const isCounted = diff.hunks.length > 0 || (isText(before) && isText(after))
  const counts = isCounted ? countLines(diff) : { added: null, removed: null }
  const kind: ChangeKind = before.kind === 'none' ? 'new' : after.kind === 'none' ? 'deleted' : 'changed'
  const form = formOf(after.kind === 'none' ? before : after)
  const change: FileChange = { file, path, from: null, kind, form, ...counts, isEstimate: false, calls: 0 }
  return { change, load: async () => ({ ...diff, notes: [...notes, ...diff.notes] }) }
}

const isText = ({ kind }: FileContent): boolean => kind === 'text' || kind === 'link' || kind === 'none'

function formOf({ kind }: FileContent): ChangeForm {
  return kind === 'binary' || kind === 'link' ? kind : 'text'
}
