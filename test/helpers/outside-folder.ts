import { mkdtempSync, realpathSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'

/** Folders of which a box has its own: a write there changes nothing outside, and is not refused. The checkout may lie in one. */
const OWN = /^\/(?:tmp|var\/tmp|dev|run)(?:\/|$)/

/** Makes a folder outside of every project, in which a box refuses a write. The caller removes it. */
export function outsideFolder(): string {
  const places = [process.cwd(), homedir(), '/srv', '/opt', '/var/lib'].filter(place => !OWN.test(place))
  for (const place of places) {
    try {
      return realpathSync(mkdtempSync(join(place, '.zotui-outside-')))
    } catch {
      // We may not write there.
    }
  }
  throw new Error(`no folder outside of the temporary ones can be written: ${places.join(', ')}`)
}
