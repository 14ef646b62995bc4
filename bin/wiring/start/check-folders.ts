/** Waits for folders. This file is in `dist/zotui.js`, which V8 compiles at each start, so it imports next to nothing. */
import { stat } from 'node:fs'
import process from 'node:process'

/** The time limit for the answers of all folders, in milliseconds. */
const LIMIT = 5000

/** Resolves when all folders have responded. Otherwise `report` gets the one that has not, and the process is killed. */
export async function checkFolders(folders: readonly string[], report: (folder: string) => void): Promise<void> {
  let asked = ''
  const timer = setTimeout(() => {
    report(asked)
    // A normal exit would wait for the pending access.
    process.kill(process.pid, 'SIGKILL')
  }, LIMIT)
  for (const path of folders) {
    asked = path
    // An error is an answer too: often the folder does not exist yet.
    await new Promise<void>(resolve => stat(path, () => resolve()))
  }
  clearTimeout(timer)
}
