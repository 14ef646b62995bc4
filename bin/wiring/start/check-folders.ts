/** Waits for folders. This file is loaded first and is not cached, so it imports next to nothing. */
import { stat } from 'node:fs'
import process from 'node:process'

/** The time limit for a file system's first answer, in milliseconds. */
const LIMIT = 5000

/** Resolves when all folders have responded. One that does not respond ends the process; before that, `report` says so. */
export async function checkFolders(folders: readonly string[], report: (folder: string) => void): Promise<void> {
  let asked = ''
  const silent = setTimeout(() => {
    report(asked)
    // A normal exit would wait for the pending access.
    process.kill(process.pid, 'SIGKILL')
  }, LIMIT)
  for (const path of folders) {
    asked = path
    // An error is an answer too: often the folder does not exist yet.
    await new Promise<void>(resolve => stat(path, () => resolve()))
  }
  clearTimeout(silent)
}
