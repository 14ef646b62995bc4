/** The folders of what zotui keeps may lie on a network that is gone: whoever looks there waits for ever. */
import { stat } from 'node:fs/promises'
import process from 'node:process'
import { tell } from '../standard-streams.ts'

/** How long, in milliseconds, a file system may take for its first answer. */
const LIMIT = 5000

/** Resolves when these folders can be asked for. Ends the process, and says why, where they do not answer. */
export async function checkStorage(folders: readonly string[]): Promise<void> {
  let asked = ''
  const silent = setTimeout(() => endUnanswered(asked), LIMIT)
  for (const path of folders) {
    asked = path
    // Whatever the answer is, it is one: most often that nothing is there yet.
    await stat(path).catch(() => undefined)
  }
  clearTimeout(silent)
}

function endUnanswered(asked: string): void {
  const hint =
    'It may lie on a network that is gone: XDG_STATE_HOME, XDG_CONFIG_HOME and XDG_CACHE_HOME name other folders.'
  tell(`${asked} does not answer. ${hint}`)
  // In any other way the process would wait at its exit for what it has asked.
  process.kill(process.pid, 'SIGKILL')
}
