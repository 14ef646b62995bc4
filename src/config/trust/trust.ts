/** The projects that the user trusts with all settings: one file for each, in the state folder. */
import { join } from 'node:path'
import { readTextSync } from '../../platform/regular-file.ts'
import { storedFolderName } from '../../storage/folder-name.ts'
import { replaceFile } from '../../storage/replace-file.ts'

/** Null while the user has not been asked. */
export type Trust = boolean | null

const YES = 'trusted\n'
const NO = 'not trusted\n'

export type TrustStore = { get: () => Trust; set: (trusted: boolean) => void }

/** The stored answer for one project; none where it cannot be read. */
export function openTrust(stateFolder: string, projectFolder: string): TrustStore {
  const path = (): string => join(stateFolder, 'trust', storedFolderName(projectFolder))
  return {
    get() {
      try {
        const answer = readTextSync(path())
        return answer === YES ? true : answer === NO ? false : null
      } catch {
        return null
      }
    },
    set: trusted => replaceFile(path(), trusted ? YES : NO),
  }
}
