/** Opens and finds saved sessions for the subcommands. */
import process from 'node:process'
import { UserError } from '../../src/platform/errors.ts'
import type { Transcript } from '../../src/export/schema.ts'
import { transcriptOfEvents } from '../../src/export/transcript.ts'
import { statePath } from '../../src/storage/log.ts'
import { openSessions, type Sessions } from '../../src/storage/sessions/sessions.ts'
import type { SessionContent } from '../../src/storage/sessions/read-session.ts'
import { knownSecrets } from '../../src/storage/sessions/secrets.ts'
import { writeMessage } from '../standard-streams.ts'
import { sessionsWith } from '../../src/state/pickers/session-rows.ts'
import { nearest } from '../../src/text/spelling/nearest.ts'
import { timers } from '../../src/platform/timers.ts'
import { zotSessions } from '../wiring/start/zot-sessions.ts'

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

export type StoredSession = SessionContent & { id: string }

/** The session as a transcript for exports. */
export function transcriptOfStored({ id, title, header, events }: StoredSession): Transcript {
  return transcriptOfEvents(events, { id, title, folder: header?.folder ?? null })
}

/**
 * The session that `word` names: `last`, its id, the beginning or the end of one, its title, or words of its title and prompts.
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
      2,
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
  const all = await sessions.list('all')
  const found = [
    all.filter(({ id }) => id.startsWith(word) || id.endsWith(word)),
    all.filter(({ title }) => title.toLowerCase() === word.toLowerCase()),
    sessionsWith(word, await sessions.list('folder')),
    sessionsWith(word, all),
  ].find(({ length }) => length > 0)
  if (!found) {
    const similar = nearest(
      word,
      all.flatMap(({ id, title }) => (title === '' ? [id] : [id, title])),
    )
    if (similar !== null) throw new UserError(`There is no session ${word}. Did you mean ${similar}?`, '', 2)
    return null
  }
  if (found.length > 1) {
    const ids = found.map(({ id }) => id)
    throw new UserError(
      `${found.length} sessions match ${word}: ${ids.slice(0, 3).join(', ')}.`,
      ids.some(id => id.includes(word)) ? 'Type more of the ID.' : 'Type more of the name, or an ID.',
      2,
    )
  }
  return found[0]?.id ?? null
}
