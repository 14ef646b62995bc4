import { appendFileSync, renameSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import envPaths from 'env-paths'
import { makeFolder } from '../platform/folders.ts'

/** A log that has grown to this many bytes is put aside as `.old` when the program starts. */
const LIMIT = 5_000_000

export type Log = {
  readonly path: string
  write(message: string): void
  /** What is written from now on goes through `hide`, which takes out what nobody may read. */
  mask(hide: (text: string) => string): void
}

/** Where zotui keeps what belongs to this machine and person: state, logs. Not created by asking. */
export function statePath(): string {
  return envPaths('zotui', { suffix: '' }).log
}

/**
 * The log file: stacks of bugs, and what the agent wrote that means nothing. Writing never fails: a log that cannot be
 * written is no reason to stop.
 */
export function openLog(now: () => Date): Log {
  const path = join(statePath(), 'zotui.log')
  let broken = false
  let begun = false
  let hide: ((text: string) => string) | null = null

  function begin(): void {
    begun = true
    makeFolder(dirname(path))
    const size = statSync(path, { throwIfNoEntry: false })?.size ?? 0
    if (size > LIMIT) renameSync(path, `${path}.old`)
  }

  return {
    path,
    write(message) {
      if (broken) return
      try {
        if (!begun) begin()
        appendFileSync(path, `${now().toISOString()} ${process.pid} ${hide?.(message) ?? message}\n`, { mode: 0o600 })
      } catch {
        // A full or read-only disk: the program goes on without a log.
        broken = true
      }
    },
    mask(next) {
      hide = next
    },
  }
}
