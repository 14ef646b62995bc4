/**
 * Comments of sessions that never began: somebody wrote them, sent no prompt, and left. The next session of the folder that has not begun
 * either takes them over, as it does with drafts. A mark in a file name says which program such comments are open in.
 */
import { renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { makeFolder, namesIn } from '../../platform/folders.ts'
import { isOwnerDead } from '../../platform/owner-state.ts'
import { ownName } from '../../platform/owner.ts'
import { formerReviewPath, changedBeside, reviewPath } from '../sessions/beside.ts'
import { sessionPath } from '../sessions/session-path.ts'

/** The folder of the marks. */
const HELD = 'reviewing'

/** Marks the comments of a session, if it has not begun, as open in this program. @throws what the system throws. */
export function holdUnbegun(folder: string, id: string): void {
  if (hasBegun(folder, id)) return
  const held = join(folder, HELD)
  makeFolder(held)
  writeFileSync(join(held, `${id}.${ownName()}`), '', { mode: 0o600 })
}

/**
 * Takes over the comments that ended programs left. Each file is first moved to a place that belongs to session `id`, which is marked as
 * open before, so that it is found again if this program is killed; then `take` gets its path. @throws what the system throws.
 */
export function takeUnbegun(folder: string, id: string, now: number, take: (path: string) => void): void {
  const own = formerReviewPath(folder, id)
  // What was moved there before is read first.
  if (hasBegun(folder, id) || isThere(own)) return
  for (const name of namesIn(join(folder, HELD))) {
    const [other = '', owner = ''] = name.split('.')
    const mark = join(folder, HELD, name)
    if (other === id || !isOwnerDead(owner, () => changedBeside(folder, other), now)) continue
    // The first is there if the other program was killed while it took some over itself.
    const left = hasBegun(folder, other) ? [] : [formerReviewPath(folder, other), reviewPath(folder, other)]
    for (const path of left.filter(isThere)) {
      holdUnbegun(folder, id)
      if (!moved(path, own)) continue
      take(own)
      rmSync(own, { force: true })
    }
    rmSync(mark, { force: true })
  }
}

function hasBegun(folder: string, id: string): boolean {
  return isThere(sessionPath(folder, id))
}

function isThere(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false }) !== undefined
}

/** False if another program was faster. */
function moved(from: string, to: string): boolean {
  try {
    renameSync(from, to)
    return true
  } catch {
    return false
  }
}
