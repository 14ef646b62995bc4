/** Checks that zotui's folders respond. On a dead network every access to them would block for ever. */
import { writeMessage } from '../../standard-streams.ts'
import { checkFolders } from './check-folders.ts'

/** Resolves when all folders have responded. Reports a folder that does not respond, and ends the process. */
export async function checkStorage(folders: readonly string[]): Promise<void> {
  await checkFolders(folders, reportSilent)
}

/** Says that a folder does not respond. */
export function reportSilent(folder: string): void {
  const hint =
    'It may be on a network that is down. XDG_STATE_HOME, XDG_CONFIG_HOME and XDG_CACHE_HOME set other folders.'
  writeMessage(`${folder} does not respond. ${hint}`)
}
