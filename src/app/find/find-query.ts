/** What was typed into the search in all sessions: words, and filters such as `agent:zot` or `since:2w` among them. */
import { isAbsolute, join, resolve } from 'node:path'
import { passageKinds, type FindQuery, type PassageKind } from '../../storage/find/passage.ts'
import { timeSince } from '../../storage/find/since.ts'

export type QueryPlace = {
  /** Milliseconds since the Unix epoch. */
  now: number
  /** The folder of the conversation, and the user's own, as absolute paths. */
  folder: string
  home: string
}

/** A word, also with a part in double quotes: `folder:"my notes"`. */
const WORD = /(?:"[^"]*"?|[^\s"])+/g

/** A filter with a value that nobody understands is searched as text. Of two of one kind the later one counts. */
export function typedQuery(typed: string, place: QueryPlace): FindQuery {
  const filters: Partial<Omit<FindQuery, 'words'>> = {}
  const words: string[] = []
  for (const [word] of typed.matchAll(WORD)) {
    const filter = filterOf(word, place)
    if (filter === null) words.push(word)
    else Object.assign(filters, filter)
  }
  return {
    folder: null,
    agent: null,
    since: null,
    kinds: null,
    failed: false,
    ...filters,
    words: words.join(' '),
  }
}

function filterOf(word: string, place: QueryPlace): Partial<FindQuery> | null {
  const [, name = '', rest = ''] = /^(folder|agent|since|kind|failed):(.*)$/s.exec(word.toLowerCase()) ?? []
  // Folders and agents are written as they are.
  const value = unquoted(word.slice(word.length - rest.length))
  if (name === 'failed') return ['', 'yes', 'true'].includes(value.toLowerCase()) ? { failed: true } : null
  if (name === '' || value === '') return null
  if (name === 'folder') return { folder: folderOf(value, place) }
  if (name === 'agent') return { agent: value }
  if (name === 'since') {
    const since = timeSince(value.toLowerCase(), place.now)
    return since === null ? null : { since }
  }
  const kinds = value.toLowerCase().split(',').map(kindOf)
  return kinds.every(kind => kind !== undefined) ? { kinds } : null
}

/** A kind, also in the plural. */
function kindOf(word: string): PassageKind | undefined {
  return passageKinds.find(kind => kind === word || `${kind}s` === word)
}

/** A path is made absolute; a mere name stays: it is the last part of a path. */
function folderOf(value: string, { folder, home }: QueryPlace): string {
  if (value === '~' || value.startsWith('~/')) return join(home, value.slice(1))
  const isPath = isAbsolute(value) || /[/\\]/.test(value) || /^\.\.?$/.test(value)
  return isPath ? resolve(folder, value) : value
}

function unquoted(value: string): string {
  return value.replaceAll('"', '')
}
