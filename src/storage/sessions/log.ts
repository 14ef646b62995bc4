/** Writes a session as it happens. */
import { isPiece, joined, type EventPiece } from '../../agent/joined.ts'
import { jsonLine, type JsonlFile } from '../jsonl-write.ts'
import type { SessionLine } from './format.ts'

/** Text that is still streaming is on disk so many milliseconds later: less than the 500 that are promised. */
const DELAY = 400

export type Timers = {
  /** Runs `run` once, `ms` milliseconds from now and never within this call. Returns how to take that back. */
  after: (ms: number, run: () => void) => () => void
}

export type SessionLog = {
  /** Adds lines, with one write. The last piece of a growing text waits a little for more of it. */
  add: (lines: readonly SessionLine[]) => void
  /** Writes what waits. */
  flush: () => void
  close: () => void
}

export type SessionLogOptions = {
  timers: Timers
  /** Is given what the system threw. What was not written is kept. */
  onProblem: (error: unknown) => void
  /** Is given why a line has no form that can be written. It is left out. */
  onUnwritable: (error: unknown) => void
}

/** Writes to `file`. Nothing here throws. */
export function createSessionLog(file: JsonlFile, { timers, onProblem, onUnwritable }: SessionLogOptions): SessionLog {
  let waiting: SessionLine | null = null
  let cancel: (() => void) | null = null

  function write(lines: readonly SessionLine[]): void {
    const texts = lines.flatMap(encoded)
    if (texts.length === 0) return
    try {
      file.append(texts.join(''))
    } catch (error) {
      onProblem(error)
    }
  }

  /** None where it cannot be encoded: that must not cost those beside it. */
  function encoded(line: SessionLine): string[] {
    try {
      return [jsonLine(line)]
    } catch (error) {
      onUnwritable(error)
      return []
    }
  }

  function flush(): void {
    cancel?.()
    cancel = null
    const last = waiting
    waiting = null
    if (last) write([last])
  }

  return {
    add(lines) {
      const folded = fold(waiting ? [waiting, ...lines] : lines)
      const last = folded.at(-1)
      waiting = last && isGrowing(last) ? last : null
      write(waiting ? folded.slice(0, -1) : folded)
      if (waiting) cancel ??= timers.after(DELAY, flush)
    },
    flush,
    close() {
      flush()
      file.close()
    },
  }
}

/** Neighbouring pieces of one text as one. */
function fold(lines: readonly SessionLine[]): SessionLine[] {
  const folded: SessionLine[] = []
  for (const line of lines) {
    const last = folded.at(-1)
    const both = last && isGrowing(last) && isGrowing(line) ? joined(last, line) : null
    if (both) folded[folded.length - 1] = both
    else folded.push(line)
  }
  return folded
}

function isGrowing(line: SessionLine): line is EventPiece {
  return line.type !== 'session' && line.type !== 'session_titled' && isPiece(line)
}
