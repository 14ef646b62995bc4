import { appendFileSync, renameSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import envPaths from 'env-paths'
import { makeFolder } from '../platform/folders.ts'
import { showMarks } from '../text/controls/marks.ts'

/** In bytes. A larger log is renamed to `.old`. */
const LIMIT = 5_000_000
/** Characters of a message. */
const LONGEST = 20_000

export type Log = {
  readonly path: string
  write(message: string): void
  /** Messages written from now on go through `hide`, which removes secrets. */
  mask(hide: (text: string) => string): void
}

/** The folder for state and logs of this user on this machine. The call does not create it. */
export function statePath(): string {
  return envPaths('zotui', { suffix: '' }).log
}

/**
 * The log file: stacks of bugs, and agent output that cannot be understood, with its control characters visible. Writing never fails,
 * since a log that cannot be written is no reason to stop.
 */
export function openLog(now: () => Date): Log {
  const path = join(statePath(), 'zotui.log')
  let broken = false
  let begun = false
  let size = 0
  let hide: ((text: string) => string) | null = null

  function begin(): void {
    begun = true
    makeFolder(dirname(path))
    size = statSync(path, { throwIfNoEntry: false })?.size ?? 0
  }

  function append(line: string): void {
    if (size > LIMIT) {
      renameSync(path, `${path}.old`)
      size = 0
    }
    appendFileSync(path, line, { mode: 0o600 })
    size += Buffer.byteLength(line)
  }

  return {
    path,
    write(message) {
      if (broken) return
      try {
        if (!begun) begin()
        const text = showMarks((hide?.(message) ?? message).slice(0, LONGEST).toWellFormed())
        append(`${now().toISOString()} ${process.pid} ${text}\n`)
      } catch {
        // The disk is full or read-only: the program continues without a log.
        broken = true
      }
    },
    mask(next) {
      hide = next
    },
  }
}
