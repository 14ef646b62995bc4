/** Writes a session as it happens. */
import { PieceGatherer } from '../../agent/join-pieces.ts'
import type { Timers } from '../../platform/timers.ts'
import { jsonLine, type JsonlFile } from '../jsonl-write.ts'
import { isEvent, type OwnLine, type SessionLine } from './session-format.ts'

/** Streaming text is on disk after this many milliseconds: less than the promised 500. */
const DELAY = 400

export type SessionWriter = {
  /** Adds lines, with one write. The last piece of each growing text waits a little for more of it. */
  add: (lines: readonly SessionLine[]) => void
  /** Writes pending lines. */
  flush: () => void
  /** What is not in the file yet, as its text: nothing after `flush`, unless the disk refuses it. */
  unwritten: () => string
  close: () => void
}

export type SessionWriterOptions = {
  timers: Timers
  /** Called with what the system threw. Unwritten lines are kept. */
  onProblem: (error: unknown) => void
  /** Called with the reason why a line cannot be encoded. The line is omitted. */
  onUnwritable: (error: unknown) => void
}

/** Writes to `file`. Nothing here throws. */
export function createSessionWriter(
  file: JsonlFile,
  { timers, onProblem, onUnwritable }: SessionWriterOptions,
): SessionWriter {
  const waiting = new PieceGatherer<OwnLine>(isEvent)
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

  /** Empty where the line cannot be encoded: the other lines are still written. */
  function encoded(line: SessionLine): string[] {
    try {
      return [jsonLine(line)]
    } catch (error) {
      onUnwritable(error)
      return []
    }
  }

  /** A timer that is left would hold up the end of the program. */
  function unset(): void {
    cancel?.()
    cancel = null
  }

  function flush(): void {
    unset()
    write(waiting.takeAll())
  }

  return {
    add(lines) {
      for (const line of lines) waiting.add(line)
      write(waiting.takeSettled())
      if (waiting.isEmpty) unset()
      else cancel ??= timers.after(DELAY, flush)
    },
    flush,
    unwritten: () => file.unwritten(),
    close() {
      flush()
      try {
        file.close()
      } catch (error) {
        onProblem(error)
      }
    },
  }
}
