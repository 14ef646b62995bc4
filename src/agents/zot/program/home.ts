/** zot's own folder: `$ZOT_HOME`, else the folder that zot uses on this system since July 2026. */
import { join } from 'node:path'

export function zotHome(env: NodeJS.ProcessEnv, platform: NodeJS.Platform, home: string): string {
  if (env['ZOT_HOME']) return env['ZOT_HOME']
  if (env['XDG_STATE_HOME']) return join(env['XDG_STATE_HOME'], 'zot')
  if (platform === 'darwin') return join(home, 'Library', 'Application Support', 'zot')
  if (platform === 'win32') return join(env['LOCALAPPDATA'] || join(home, 'AppData', 'Local'), 'zot')
  return join(home, '.local', 'state', 'zot')
}
