/** Every command loads this file, even those that read no settings. */
import { dirname } from 'node:path'
import { userSettingsPath } from '../../../src/config/user-settings-path.ts'
import { statePath } from '../../../src/storage/log.ts'

/** The folders that zotui writes to. */
export function keptFolders(): string[] {
  return [statePath(), dirname(userSettingsPath())]
}
