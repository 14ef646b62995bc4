/**
 * Claims say which program a session is open in: each is a file whose name contains the session and the program. A program first
 * makes its claim and then looks for others. Of two that do so at once neither gets the session, so that two never have it.
 *
 * `proper-lockfile` knows a dead owner only by the age of a file that the living ones touch every few seconds: a suspended program would
 * lose its session, and that of a killed one would be closed to its next start.
 */
import { closeSync, openSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { makeFolder, namesIn } from '../../platform/folders.ts'
import { ownName } from '../../platform/owner.ts'
import { isOwnerDead } from '../../platform/owner-state.ts'

export type Claim = { release: () => void }

/** In milliseconds since the Unix epoch, as `now` is. */
type Touched = (claim: string) => number

/** When a claim was made: for what nobody holds for long. One that is gone counts as old. */
export const claimedAt: Touched = path => statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0

/**
 * Claims a session; null where it is open in a program that still runs. `touched` returns when the session last changed, or the claim of
 * this path.
 *
 * @throws what the system throws.
 */
export function claim(folder: string, id: string, touched: Touched, now: number): Claim | null {
  makeFolder(folder)
  const own = join(folder, `${id}.${ownName()}`)
  closeSync(openSync(own, 'wx', 0o600))
  const release = (): void => rmSync(own, { force: true })
  if (isOpen(folder, id, touched, now, own)) {
    release()
    return null
  }
  return { release }
}

/** Whether a running program has the session open, not counting the claim `own`. Removes the claims of programs that ended. */
export function isOpen(folder: string, id: string, touched: Touched, now: number, own = ''): boolean {
  let open = false
  for (const name of namesIn(folder)) {
    if (!name.startsWith(`${id}.`) || join(folder, name) === own) continue
    if (isOwnerDead(name.slice(id.length + 1), () => touched(join(folder, name)), now))
      rmSync(join(folder, name), { force: true })
    else open = true
  }
  return open
}

/** The sessions whose program ended without closing them. Removes their claims, so each session is returned once. */
export function takeCutOff(folder: string, touched: (id: string) => number, now: number): string[] {
  return namesIn(folder).flatMap(name => {
    const id = name.slice(0, name.indexOf('.'))
    if (!name.includes('.') || !isOwnerDead(name.slice(id.length + 1), () => touched(id), now)) return []
    rmSync(join(folder, name), { force: true })
    return [id]
  })
}
