/** Checks that zotui's folders respond. On a dead network every access to them would block for ever. */
import { stat } from 'node:fs'
import process from 'node:process'

/** The time limit for a file system's first answer, in milliseconds. */
const LIMIT = 5000

/** Resolves when all folders have responded. Reports a folder that does not respond, and ends the process. */
export async function checkStorage(folders: readonly string[]): Promise<void> {
  let asked = ''
  const silent = setTimeout(() => void endUnanswered(asked), LIMIT)
  for (const path of folders) {
    asked = path
    // An error is an answer too: often the folder does not exist yet.
    await new Promise<void>(resolve => stat(path, () => resolve()))
  }
  clearTimeout(silent)
}

async function endUnanswered(asked: string): Promise<void> {
  // Imported late, since this file is loaded before the compile cache is enabled.
  const { tell } = await import('../../standard-streams.ts')
  const hint =
    'It may be on a network that is down. XDG_STATE_HOME, XDG_CONFIG_HOME and XDG_CACHE_HOME set other folders.'
  tell(`${asked} does not respond. ${hint}`)
  // A normal exit would wait for the pending access.
  process.kill(process.pid, 'SIGKILL')
}
