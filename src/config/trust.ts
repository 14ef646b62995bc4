/** Which projects the person trusts with all settings: one file for each, in the state folder. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { makeFolder } from '../platform/folders.ts'
import { storedFolderName } from '../storage/folder-name.ts'
import { readTextSync } from '../platform/regular-file.ts'

/** Null while the person has not been asked. */
export type Trust = boolean | null

const YES = 'trusted\n'
const NO = 'not trusted\n'

export type TrustStore = { get: () => Trust; set: (trusted: boolean) => void }

/** The stored answer for one project; none where it cannot be read. */
export function openTrust(stateFolder: string, projectFolder: string): TrustStore {
  const folder = join(stateFolder, 'trust')
  const path = join(folder, storedFolderName(projectFolder))
  return {
    get() {
      try {
        const answer = readTextSync(path)
        return answer === YES ? true : answer === NO ? false : null
      } catch {
        return null
      }
    },
    set(trusted) {
      makeFolder(folder)
      writeFileSync(path, trusted ? YES : NO, { mode: 0o600 })
    },
  }
}
