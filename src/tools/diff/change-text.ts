/** What is said of changed files, in words and as plain text. */
import type { FileChange, ChangeKind, ChangeList, DiffLine, FileDiff } from './change.ts'

const KINDS: Readonly<Record<ChangeKind, string>> = {
  new: 'new',
  changed: '',
  deleted: 'deleted',
  renamed: 'renamed',
  written: 'written',
}
const FORMS: Readonly<Record<FileChange['form'], string>> = {
  text: '',
  binary: 'binary',
  link: 'link',
  submodule: 'submodule',
}

/** What it is besides its counts: `new`, `renamed`, `binary`; '' where nothing is to be said. */
export function changeWords({ kind, form }: Pick<FileChange, 'kind' | 'form'>): string {
  return [KINDS[kind], FORMS[form]].filter(word => word !== '').join(' ')
}

/** `+12 -3`, or '' where nothing was counted. */
export function countText({
  added,
  removed,
  isEstimate,
}: Pick<FileChange, 'added' | 'removed' | 'isEstimate'>): string {
  if (added === null || removed === null) return ''
  return `${isEstimate ? 'about ' : ''}+${added} -${removed}`
}

/** Who changed it, as far as that is known: a sentence. `before`: those that were changed when the session began. */
export function originText(change: FileChange, { before }: Pick<ChangeList, 'before'>): string {
  const { calls, kind } = change
  if (before.includes(change)) return 'Changed before this session.'
  if (calls === 0) return 'No edit of the agent: a command, or somebody else.'
  const times = calls === 1 ? 'once' : `${calls} times`
  return kind === 'written' ? `Written ${times} by the agent.` : `Edited ${times} by the agent.`
}

/** The lines of a difference, each behind its sign, for who hears them. */
export function diffText({ path, from }: Pick<FileChange, 'path' | 'from'>, { hunks, notes }: FileDiff): string {
  const name = from === null ? path : `${path} (was ${from})`
  const lines = hunks.flatMap(({ title, lines: all }) => {
    const at = all[0]?.after ?? all[0]?.before ?? null
    const head = [title, at === null ? '' : `line ${at}`].filter(part => part !== '').join(', ')
    return [`${head}:`, ...all.map(({ sign, text }) => `${sign}${text}`)]
  })
  return [name, ...notes, ...lines].join('\n')
}

/** As a patch: what is copied can be applied, as far as the numbers of the lines are known. */
export function patchText(
  { path, from, kind }: Pick<FileChange, 'path' | 'from' | 'kind'>,
  { hunks }: FileDiff,
): string {
  const before = kind === 'new' ? '/dev/null' : `a/${from ?? path}`
  const after = kind === 'deleted' ? '/dev/null' : `b/${path}`
  const lines = hunks.flatMap(({ lines: all }) => [
    `@@ -${placeText(all, 'before')} +${placeText(all, 'after')} @@`,
    ...all.map(({ sign, text }) => `${sign}${text}`),
  ])
  return [`--- ${before}`, `+++ ${after}`, ...lines, ''].join('\n')
}

/** Where a hunk begins and how many lines it has there; of none it is the line before. */
function placeText(lines: readonly DiffLine[], side: 'before' | 'after'): string {
  const own = lines.filter(({ sign }) => sign !== (side === 'before' ? '+' : '-'))
  const first = own[0]?.[side] ?? 0
  return `${first},${own.length}`
}
