/**
 * Which program a session is open in: a file whose name says both. Who wants a session says so first and looks then; of two
 * who do that at once neither gets it, so that never two have it.
 */
import { closeSync, openSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { makeFolder } from '../../platform/folders.ts'
import { isOwnerDead, ownName } from '../journal/owner.ts'
import { listing } from '../journal/places.ts'

export type Claim = { release: () => void }

/** Null where it is open in a program that is alive. `touched` says when the session last changed. Throws what the system throws. */
export function claim(folder: string, id: string, touched: () => number, now: number): Claim | null {
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

/** Whether a program that is alive has it open, other than by the claim `own`. Claims of dead programs are taken away. */
export function isOpen(folder: string, id: string, touched: () => number, now: number, own = ''): boolean {
  let open = false
  for (const name of listing(folder)) {
    if (!name.startsWith(`${id}.`) || join(folder, name) === own) continue
    if (isOwnerDead(name.slice(id.length + 1), touched, now)) rmSync(join(folder, name), { force: true })
    else open = true
  }
  return open
}

/** The sessions that are open in programs which were ended without closing them. Their claims are taken away: they are named once. */
export function takeCutOff(folder: string, touched: (id: string) => number, now: number): string[] {
  return listing(folder).flatMap(name => {
    const id = name.slice(0, name.indexOf('.'))
    if (!name.includes('.') || !isOwnerDead(name.slice(id.length + 1), () => touched(id), now)) return []
    rmSync(join(folder, name), { force: true })
    return [id]
  })
}
