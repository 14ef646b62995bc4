/** Opens and finds saved sessions for the subcommands. */
import process from 'node:process'
import { UserError } from '../../../src/platform/errors.ts'
import type { Transcript } from '../../../src/export/schema.ts'
import { transcriptOfEvents } from '../../../src/export/transcript.ts'
import { statePath } from '../../../src/storage/log.ts'
import { openSessions, type Sessions } from '../../../src/storage/sessions/sessions.ts'
import type { SessionContent } from '../../../src/storage/sessions/read-session.ts'
import { knownSecrets } from '../../../src/storage/sessions/secrets.ts'
import { writeMessage } from '../../standard-streams.ts'
import { nearest } from '../../../src/text/spelling/nearest.ts'
import { timers } from '../../../src/platform/timers.ts'
import { zotSessions } from '../../wiring/start/zot-sessions.ts'

/** Opens the saved sessions. A problem ends the command, unless `onProblem` takes it. */
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

/** The session as a transcript for exports. */
export function transcriptOfStored({ id, title, header, events }: StoredSession): Transcript {
  return transcriptOfEvents(events, { id, title, folder: header?.folder ?? null })
}

/**
 * The session that `word` names: its id, the beginning or the end of an id, or `last`.
 *
 * @throws UserError if no session matches, or several, or the session cannot be read.
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
    throw new UserError(`The session ${id} cannot be read: its file is damaged.`)
  }
  if (skipped > 0) writeMessage(omittedNote(skipped))
  return { ...content, id }
}

/** A note on damaged lines of a file. */
export function omittedNote(lines: number): string {
  return lines === 1 ? 'Skipped one line that could not be read.' : `Skipped ${lines} lines that could not be read.`
}

async function matching(sessions: Sessions, word: string): Promise<string | null> {
  if (sessions.read(word)) return word
  const ids = (await sessions.list('all')).map(({ id }) => id)
  const found = ids.filter(id => id.startsWith(word) || id.endsWith(word))
  const similar = found.length === 0 ? nearest(word, ids) : null
  if (similar !== null) throw new UserError(`There is no session ${word}. Did you mean ${similar}?`)
  if (found.length > 1) {
    throw new UserError(
      `${found.length} sessions match ${word}: ${found.slice(0, 3).join(', ')}.`,
      'Type more of the ID.',
    )
  }
  return found[0] ?? null
}
