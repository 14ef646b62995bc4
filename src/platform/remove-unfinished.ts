import { lstatSync, rmSync, statSync } from 'node:fs'
import { basename, join } from 'node:path'
import { readableNamesIn } from './folders.ts'
import { isOwnerDead } from './owner-state.ts'
import { readTextSync } from './regular-file.ts'
import { listsIn } from './unfinished.ts'

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
