/**
 * Changes a file that several programs write: one after the other reads it, changes what it has read, and writes it back. Of two that did so
 * at once, one would undo what the other has written.
 */
import { realpathSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'
import { claimsOfWriters } from '../platform/remove-unfinished.ts'
import { storedFolderName } from '../storage/folder-name.ts'
import type { Claim } from '../storage/sessions/claim.ts'

/** Milliseconds until a program gives up. Each write takes some milliseconds, and a claim of a killed program counts as none. */
const LIMIT = 10_000

/** The last change of each file in this program. */
const last = new Map<string, Promise<unknown>>()

/**
 * Does the work when no other program changes the file. Only where the claim cannot be written, as on a full disk, it does so without one.
 *
 * @throws if other programs do not end their turn, and what `work` throws.
 */
export function inTurn<Value>(stateFolder: string, path: string, work: () => Promise<Value>): Promise<Value> {
  const file = targetOf(path)
  const before = last.get(file) ?? Promise.resolve()
  const done = before.then(() => claimed(claimsOfWriters(stateFolder), storedFolderName(file), work))
  const over = done.then(noop, noop)
  last.set(file, over)
  void over.then(() => last.get(file) === over && last.delete(file))
  return done
}

function noop(): void {}

/** The file may be a link to where the user keeps all settings. */
function targetOf(path: string): string {
  try {
    return realpathSync(path)
  } catch {
    return path
  }
}

/** A claim that cannot be removed counts as none when this program has ended. */
function release(claim: Claim): void {
  try {
    claim.release()
  } catch {
    // The disk is read-only now.
  }
}

async function claimed<Value>(folder: string, name: string, work: () => Promise<Value>): Promise<Value> {
  const { claim, claimedAt } = await import('../storage/sessions/claim.ts')
  const attempt = (): Claim | null | 'impossible' => {
    try {
      return claim(folder, name, claimedAt, Date.now())
    } catch {
      return 'impossible'
    }
  }
  const until = performance.now() + LIMIT
  for (;;) {
    const claim = attempt()
    if (claim === 'impossible') return work()
    if (claim) {
      try {
        return await work()
      } finally {
        release(claim)
      }
    }
    if (performance.now() > until) throw new Error('another zotui is writing it')
    // If two try at once, neither gets it.
    await wait(5 + Math.random() * 20)
  }
}
