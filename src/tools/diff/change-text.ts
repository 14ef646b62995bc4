/** Texts about changed files, and diffs as plain text. */
import { sentence } from '../../text/sentence.ts'
import { diffSide, type DiffLine } from '../../text/diff-line.ts'
import type { FileChange, ChangeKind, ChangeList, FileDiff } from './change.ts'

const KINDS: Readonly<Record<ChangeKind, string>> = {
  new: 'new',
  changed: '',
  deleted: 'deleted',
  renamed: 'renamed',
  written: 'written',
  commented: '',
}
const FORMS: Readonly<Record<FileChange['form'], string>> = {
  text: '',
  binary: 'binary',
  link: 'link',
  submodule: 'submodule',
}

/** The kind of a change, such as `new`, `renamed` or `binary`; '' for an ordinary one. */
export function changeWords({ kind, form }: Pick<FileChange, 'kind' | 'form'>): string {
  return [KINDS[kind], FORMS[form]].filter(word => word !== '').join(' ')
}

/** The counts as `+12 -3`; '' if nothing was counted. */
export function countText({
  added,
  removed,
  isEstimate,
}: Pick<FileChange, 'added' | 'removed' | 'isEstimate'>): string {
  if (added === null || removed === null) return ''
  return `${isEstimate ? 'about ' : ''}+${added} -${removed}`
}

/** A sentence that says who changed a file. `before` are the files that were changed before the session began. */
export function originText(change: FileChange, { before, title }: Pick<ChangeList, 'before' | 'title'>): string {
  const { calls, kind } = change
  if (kind === 'commented') return 'It has comments, and is not among the changes.'
  if (title !== undefined) return sentence(title)
  if (before.includes(change)) return 'Changed before this session.'
  if (calls === 0) return 'Changed by a command or by someone else.'
  const times = calls === 1 ? 'once' : `${calls} times`
  return kind === 'written' ? `Written ${times} by the agent.` : `Edited ${times} by the agent.`
}

/** The lines of a diff with their signs, for a screen reader. */
export function diffText({ path, from }: Pick<FileChange, 'path' | 'from'>, { hunks, notes }: FileDiff): string {
  const name = from === null ? path : `${path} (was ${from})`
  const lines = hunks.flatMap(({ title, lines: all }) => {
    const at = all[0]?.after ?? all[0]?.before ?? null
    const head = [title, at === null ? '' : `line ${at}`].filter(part => part !== '').join(', ')
    return [`${head}:`, ...all.map(({ sign, text }) => `${sign}${text}`)]
  })
  return [name, ...notes, ...lines].join('\n')
}

/** A diff as a patch, which can be applied if its line numbers are known. */
export function patchText(
  { path, from, kind }: Pick<FileChange, 'path' | 'from' | 'kind'>,
  { hunks }: FileDiff,
): string {
  const before = kind === 'new' ? '/dev/null' : diffSide('a', from ?? path)
  const after = kind === 'deleted' ? '/dev/null' : diffSide('b', path)
  const lines = hunks.flatMap(({ lines: all }) => [
    `@@ -${placeText(all, 'before')} +${placeText(all, 'after')} @@`,
    ...all.map(({ sign, text }) => `${sign}${text}`),
  ])
  return [`--- ${before}`, `+++ ${after}`, ...lines, ''].join('\n')
}

/** The first line and the number of lines of a hunk on one side; `0,0` for none. */
function placeText(lines: readonly DiffLine[], side: 'before' | 'after'): string {
  const own = lines.filter(({ sign }) => sign !== (side === 'before' ? '+' : '-'))
  const first = own[0]?.[side] ?? 0
  return `${first},${own.length}`
}
