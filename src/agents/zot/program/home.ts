/** zot's own folder, and its settings there that zotui keeps. */
import { join } from 'node:path'
import { readRegularFileSync } from '../../../platform/regular-file.ts'
import { parseJson } from '../../../text/json.ts'
import { memberAt } from '../../../text/member.ts'

/** `$ZOT_HOME`, else the folder that zot uses on this system since July 2026. */
export function zotHome(env: NodeJS.ProcessEnv, platform: NodeJS.Platform, home: string): string {
  if (env['ZOT_HOME']) return env['ZOT_HOME']
  if (env['XDG_STATE_HOME']) return join(env['XDG_STATE_HOME'], 'zot')
  if (platform === 'darwin') return join(home, 'Library', 'Application Support', 'zot')
  if (platform === 'win32') return join(env['LOCALAPPDATA'] || join(home, 'AppData', 'Local'), 'zot')
  return join(home, '.local', 'state', 'zot')
}

/** Bytes of zot's settings. */
const LARGEST = 1024 * 1024

/** Whether the user has confined zot's tools to its folder, for every session (`jail_by_default`). `home` is zot's own folder. */
export function isJailed(home: string): boolean {
  const settings = parseJson(readRegularFileSync(join(home, 'config.json'), LARGEST)?.toString('utf8') ?? '')
  return memberAt(settings, 'jail_by_default') === true
}
