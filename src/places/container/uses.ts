/** Which zotuis use a container: the last one ends it. Each has a file with its name, so that a killed one does not count. */
import { rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { makeFolder, readableNamesIn } from '../../platform/folders.ts'
import { ownName } from '../../platform/owner.ts'
import { isOwnerDead } from '../../platform/owner-state.ts'

export type ContainerUses = {
  /** This zotui uses it. @throws what the system throws. */
  begin: () => void
  /** It does not any more. Returns whether another zotui does. Never throws. */
  end: () => boolean
}

const folderOf = (stateFolder: string, container: string): string => join(stateFolder, 'places', 'uses', container)

export function containerUses(stateFolder: string, container: string): ContainerUses {
  const folder = folderOf(stateFolder, container)
  const file = join(folder, ownName())
  return {
    begin() {
      makeFolder(folder)
      writeFileSync(file, '', { mode: 0o600 })
    },
    end() {
      rmSync(file, { force: true })
      if (isUsed(stateFolder, container)) return true
      rmSync(folder, { recursive: true, force: true })
      return false
    },
  }
}

/** Whether a zotui that runs uses it. */
export function isUsed(stateFolder: string, container: string): boolean {
  const folder = folderOf(stateFolder, container)
  const touched = (name: string) => () => statSync(join(folder, name), { throwIfNoEntry: false })?.mtimeMs ?? 0
  return readableNamesIn(folder).some(name => !isOwnerDead(name, touched(name), Date.now()))
}
