import { appendFileSync, renameSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import envPaths from 'env-paths'
import { makeFolder } from '../platform/folders.ts'

/** In bytes. A larger log is renamed to `.old`. */
const LIMIT = 5_000_000

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
 * The log file: stacks of bugs, and agent output that cannot be understood, with a `?` for its control characters. Writing never fails,
 * since a log that cannot be written is no reason to stop.
 */
export function openLog(now: () => Date): Log {
  const path = join(statePath(), 'zotui.log')
  let hide: (text: string) => string = String

  return {
    path,
    write(message) {
      const text = hide(message).replaceAll(/[^\P{C}\n\t]/gu, '?')
      try {
        const size = statSync(path, { throwIfNoEntry: false })?.size
        if (!size) makeFolder(dirname(path))
        else if (size > LIMIT) renameSync(path, `${path}.old`)
        appendFileSync(path, `${now().toISOString()} ${process.pid} ${text}\n`, { mode: 0o600 })
      } catch {
        // The disk is full or read-only: the program continues without a log.
      }
    },
    mask(next) {
      hide = next
    },
  }
}
