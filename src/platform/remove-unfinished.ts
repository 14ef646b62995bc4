import { existsSync, lstatSync, rmSync, statSync } from 'node:fs'
import { basename, join } from 'node:path'
import { readableNamesIn } from './folders.ts'
import { isOwnerDead } from './owner-state.ts'
import { readTextSync } from './regular-file.ts'
import { listsIn } from './unfinished.ts'

/** The folder with the claims of the programs that change a settings file just now. A kill leaves one behind. */
export const claimsOfWriters = (state: string): string => join(state, 'writing')

/** The name of an unfinished file. */
const NAME = /^\.zotui-[\da-f]{12}\.tmp$/

/** Removes the unfinished files of programs that ended. What cannot be removed stays listed. `now` is in milliseconds. Never throws. */
export function removeUnfinished(folder: string, now: number): void {
  for (const name of readableNamesIn(listsIn(folder))) {
    const path = join(listsIn(folder), name)
    try {
      if (!isOwnerDead(name, () => statSync(path).mtimeMs, now)) continue
      for (const each of listed(path)) removeOne(each)
      rmSync(path, { force: true })
    } catch {
      // Another program was faster, or the disk is read-only now.
    }
  }
  for (const claims of [claimsOfWriters(folder), join(folder, 'checkpoints', 'in-use')]) removeClaims(claims, now)
}

/** Removes the claims of programs that ended. */
function removeClaims(folder: string, now: number): void {
  for (const name of readableNamesIn(folder)) {
    const path = join(folder, name)
    try {
      if (isOwnerDead(name.slice(name.lastIndexOf('.') + 1), () => statSync(path).mtimeMs, now)) rmSync(path)
    } catch {
      // Another program was faster, or the disk is read-only now.
    }
  }
}

/** Those of these files that are unfinished, or were: they are listed, or gone. Never throws. */
export function unfinishedAmong(files: readonly string[], folder: string): ReadonlySet<string> {
  const named = files.filter(file => NAME.test(basename(file)))
  if (named.length === 0) return new Set()
  const lists = new Set(readableNamesIn(listsIn(folder)).flatMap(name => listedIn(join(listsIn(folder), name))))
  return new Set(named.filter(file => lists.has(file) || !existsSync(file)))
}

function listedIn(path: string): string[] {
  try {
    return listed(path)
  } catch {
    // Its program has ended meanwhile.
    return []
  }
}

function listed(path: string): string[] {
  return readTextSync(path)
    .split('\n')
    .flatMap(line => {
      try {
        const name: unknown = JSON.parse(line)
        return typeof name === 'string' ? [name] : []
      } catch {
        // The end of a line that was cut off.
        return []
      }
    })
}

/** Nothing but a file with such a name is removed, whatever the list says. */
function removeOne(path: string): void {
  if (!NAME.test(basename(path))) return
  const found = lstatSync(path, { throwIfNoEntry: false })
  if (found?.isFile()) rmSync(path, { force: true })
}
