/** The marks of the user in sessions. Each session has its own in a file beside it, to which every program adds. */
import { randomUUID } from 'node:crypto'
import { dirname, join } from 'node:path'
import { markSchema, type SessionMark } from '../../conversation/queries/session/mark.ts'
import type { SessionPlace } from '../../conversation/queries/session/session-place.ts'
import { namesIn } from '../../platform/folders.ts'
import { attempt, createReporter } from '../failures.ts'
import { readRecords } from '../jsonl-read.ts'
import { appendRecord } from '../jsonl-write.ts'
import { marksPath, markedSessions } from '../sessions/beside.ts'
import { openSessionFiles } from '../sessions/session-files.ts'

export type Marks = {
  /** Marks a place; false if that cannot be written. */
  add: (place: SessionPlace, word: string, line: string) => boolean
  /** All marks of all sessions, the newest first. */
  all: () => SessionMark[]
  rename: (mark: SessionMark, word: string) => boolean
  remove: (mark: SessionMark) => boolean
}

export type MarksOptions = {
  stateFolder: string
  projectFolder: string
  /** Milliseconds since the Unix epoch. */
  now: () => number
  /** Called at most once, with one line. */
  onProblem: (words: string) => void
}

/** In characters. */
const LONGEST_WORD = 200
const LONGEST_LINE = 300

/** Opening reads and creates nothing. Nothing here throws. */
export function openMarks({ stateFolder, projectFolder, now, onProblem }: MarksOptions): Marks {
  const files = openSessionFiles(stateFolder, projectFolder)
  const root = join(stateFolder, 'sessions')
  const report = createReporter('Marks cannot be read or saved', onProblem)
  return {
    add: (place, word, line) =>
      put({ id: randomUUID(), place, word: cut(word, LONGEST_WORD), line: cut(line, LONGEST_LINE), madeAt: now() }),
    all: () =>
      attempt(report, [], () => namesIn(root))
        .map(name => join(root, name))
        .flatMap(folder => attempt(report, [], () => markedSessions(folder)).flatMap(id => marksIn(folder, id)))
        .toSorted((one, other) => other.madeAt - one.madeAt),
    rename: (mark, word) => put({ ...mark, word: cut(word, LONGEST_WORD) }),
    // What it says goes with it; that it is gone has to be known to other programs.
    remove: mark => put({ ...mark, word: '', line: '', isRemoved: true }),
  }

  function put(mark: Omit<SessionMark, 'changedAt'> & { changedAt?: number }): boolean {
    const changedAt = Math.max(now(), (mark.changedAt ?? 0) + 1)
    return attempt(report, false, () => {
      appendRecord(marksPath(folderOf(mark.place.session), mark.place.session), { ...mark, changedAt })
      return true
    })
  }

  /** The folder of a session. One that has no file yet, or is that of another program, has its marks in this folder. */
  function folderOf(session: string): string {
    const path = files.pathOf(session)
    return path === null ? files.own : dirname(path)
  }

  function marksIn(folder: string, id: string): SessionMark[] {
    const known = new Map<string, SessionMark>()
    for (const record of attempt(report, [], () => readRecords(marksPath(folder, id)))) {
      const mark = markSchema.safeParse(record).data
      if (mark && mark.changedAt >= (known.get(mark.id)?.changedAt ?? 0)) known.set(mark.id, mark)
    }
    return [...known.values()].filter(({ isRemoved }) => !isRemoved)
  }
}

const cut = (text: string, most: number): string => text.trim().slice(0, most)
