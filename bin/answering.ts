/** The folders of what zotui keeps may lie on a network that is gone: whoever looks there waits for ever. */
import { writeSync } from 'node:fs'
import { stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import process from 'node:process'
import { userSettingsPath } from '../src/config/files.ts'
import { statePath } from '../src/log.ts'

/** How long, in milliseconds, a file system may take for its first answer. */
const LIMIT = 5000

/** Resolves when these folders can be asked for. Ends the process, and says why, where they do not answer. */
export async function awaitFolders(): Promise<void> {
  const silent = setTimeout(endUnanswered, LIMIT)
  for (const path of [statePath(), dirname(userSettingsPath())]) {
    asked = path
    // Whatever the answer is, it is one: most often that nothing is there yet.
    await stat(path).catch(() => undefined)
  }
  clearTimeout(silent)
}

let asked = ''

function endUnanswered(): void {
  const hint = 'It may lie on a network that is gone: XDG_STATE_HOME and XDG_CONFIG_HOME name other folders.'
  writeSync(2, `zotui: ${asked} does not answer. ${hint}\n`)
  // In any other way the process would wait at its exit for what it has asked.
  process.kill(process.pid, 'SIGKILL')
}
