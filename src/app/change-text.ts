/** What is said of changed files, in words and as plain text. */
import type { Change, ChangeKind, FileDiff } from '../changes/change.ts'

const KINDS: Readonly<Record<ChangeKind, string>> = {
  new: 'new',
  changed: '',
  deleted: 'deleted',
  renamed: 'renamed',
  written: 'written',
}
const FORMS: Readonly<Record<Change['form'], string>> = {
  text: '',
  binary: 'binary',
  link: 'link',
  submodule: 'submodule',
}

/** What it is besides its counts: `new`, `renamed`, `binary`; '' where nothing is to be said. */
export function changeWords({ kind, form }: Pick<Change, 'kind' | 'form'>): string {
  return [KINDS[kind], FORMS[form]].filter(word => word !== '').join(' ')
}

/** `+12 -3`, or '' where nothing was counted. */
export function countText({ added, removed, isEstimate }: Pick<Change, 'added' | 'removed' | 'isEstimate'>): string {
  if (added === null || removed === null) return ''
  return `${isEstimate ? 'about ' : ''}+${added} -${removed}`
}

/** Who changed it, as far as that is known: a sentence. */
export function originText({ calls, kind }: Pick<Change, 'calls' | 'kind'>): string {
  if (calls === 0) return 'No edit of the agent: a command, or somebody else.'
  const times = calls === 1 ? 'once' : `${calls} times`
  return kind === 'written' ? `Written ${times} by the agent.` : `Edited ${times} by the agent.`
}

/** The lines of a difference, each behind its sign: to be copied, and for who hears them. */
export function diffText({ path, from }: Pick<Change, 'path' | 'from'>, { hunks, notes }: FileDiff): string {
  const name = from === null ? path : `${path} (was ${from})`
  const lines = hunks.flatMap(({ title, lines: all }) => {
    const [first] = all
    const at = first?.after ?? first?.before ?? null
    const head = [title, at === null ? '' : `line ${at}`].filter(part => part !== '').join(', ')
    return [`@@ ${head} @@`, ...all.map(({ sign, text }) => `${sign}${text}`)]
  })
  return [name, ...notes, ...lines].join('\n')
}
