/** The sessions that are kept for this folder and the others, as the commands see them. */
import process from 'node:process'
import { UserError } from '../../src/errors.ts'
import type { Transcript } from '../../src/export/schema.ts'
import { transcriptOfEvents } from '../../src/export/transcript.ts'
import { statePath } from '../../src/log.ts'
import { openSessions, type Sessions } from '../../src/session/sessions.ts'
import type { SessionContent } from '../../src/session/read.ts'
import { knownSecrets } from '../../src/session/secrets.ts'
import { nearest } from '../../src/text/nearest.ts'
import { timers, zotSessions } from '../journals.ts'

/** What cannot be read or written ends the command. */
export function openStored(): Sessions {
  return openSessions({
    stateFolder: statePath(),
    projectFolder: process.cwd(),
    now: Date.now,
    timers,
    foreign: zotSessions(process.cwd(), knownSecrets(process.env)),
    onProblem(words) {
      throw new UserError(words)
    },
  })
}

type StoredSession = SessionContent & { id: string }

/** What is exported of one. */
export function transcriptOfStored({ id, title, header, events }: StoredSession): Transcript {
  return transcriptOfEvents(events, { id, title, folder: header?.folder ?? null })
}

/**
 * The session that `word` names: its id, the beginning or the end of an id, or `last`.
 *
 * @throws UserError where there is none, or more than one.
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
  return { ...content, id }
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
