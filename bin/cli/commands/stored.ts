/** The sessions that are kept for this folder and the others, as the commands see them. */
import process from 'node:process'
import { UserError } from '../../../src/platform/errors.ts'
import type { Transcript } from '../../../src/export/schema.ts'
import { transcriptOfEvents } from '../../../src/export/transcript.ts'
import { statePath } from '../../../src/storage/log.ts'
import { openSessions, type Sessions } from '../../../src/storage/sessions/sessions.ts'
import type { SessionContent } from '../../../src/storage/sessions/read.ts'
import { knownSecrets } from '../../../src/storage/sessions/secrets.ts'
import { tell } from '../../standard-streams.ts'
import { nearest } from '../../../src/text/nearest.ts'
import { timers, zotSessions } from '../../wiring/journals.ts'

/** What cannot be read or written ends the command, or is told to `onProblem`. */
export function openStored(onProblem: (words: string) => void = fail): Sessions {
  return openSessions({
    stateFolder: statePath(),
    projectFolder: process.cwd(),
    now: Date.now,
    timers,
    foreign: zotSessions(process.cwd(), knownSecrets(process.env)),
    onProblem,
  })
}

function fail(words: string): never {
  throw new UserError(words)
}

type StoredSession = SessionContent & { id: string }

/** What is exported of one. */
export function transcriptOfStored({ id, title, header, events }: StoredSession): Transcript {
  return transcriptOfEvents(events, { id, title, folder: header?.folder ?? null })
}

/**
 * The session that `word` names: its id, the beginning or the end of an id, or `last`.
 *
 * @throws UserError where there is none, or more than one, or nothing in it can be understood.
 */
export async function findStored(sessions: Sessions, word: string): Promise<StoredSession> {
  const id = word === 'last' ? sessions.newest() : await matching(sessions, word)
  const content = id === null ? null : sessions.read(id)
  if (id === null || content === null) {
    throw new UserError(
      word === 'last' ? 'This folder has no sessions yet.' : `There is no session ${word}.`,
      '`zotui sessions --all` lists them.',
    )
  }
  const { header, events, skipped } = content
  if (header === null && events.length === 0) {
    throw new UserError(`The session ${id} cannot be read: nothing in it can be understood.`)
  }
  if (skipped > 0) tell(omittedNote(skipped))
  return { ...content, id }
}

/** What of a file could not be understood. */
export function omittedNote(lines: number): string {
  return lines === 1
    ? 'One line of it could not be understood, and was left out.'
    : `${lines} lines of it could not be understood, and were left out.`
}

async function matching(sessions: Sessions, word: string): Promise<string | null> {
  if (sessions.read(word)) return word
  const ids = (await sessions.list('all')).map(({ id }) => id)
  const found = ids.filter(id => id.startsWith(word) || id.endsWith(word))
  const meant = found.length === 0 ? nearest(word, ids) : null
  if (meant !== null) throw new UserError(`There is no session ${word}. Did you mean ${meant}?`)
  if (found.length > 1) {
    throw new UserError(
      `${found.length} sessions are called ${word}: ${found.slice(0, 3).join(', ')}.`,
      'Write more of it.',
    )
  }
  return found[0] ?? null
}
