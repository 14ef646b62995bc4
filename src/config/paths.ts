/** Settings that may be a path, and the folder that a relative one starts from. Pure. */
import { isAbsolute, join, resolve } from 'node:path'
import { isThemeFile } from '../style/file-name.ts'
import type { SettingName, Settings } from './schema.ts'

/** The settings that may be paths. */
export type PathSetting = 'theme' | 'zot' | 'rkatRpc'

/** Whether a value is a path and not a name. */
const isPath: Readonly<Record<PathSetting, (said: string) => boolean>> = {
  theme: isThemeFile,
  // Any other word is searched in PATH.
  zot: hasSlash,
  rkatRpc: hasSlash,
}

function hasSlash(said: string): boolean {
  return /[/\\]/.test(said)
}

/** The full path of a value, with `~` expanded. A null `folder` leaves it relative to where zotui was started. */
export function wholePath<Name extends PathSetting>(
  name: Name,
  said: Settings[Name],
  { folder, home }: { folder: string | null; home: string },
): Settings[Name] | string {
  if (said === null || !isPath[name](said)) return said
  if (/^~[/\\]/.test(said)) return join(home, said.slice(2))
  return folder === null || isAbsolute(said) ? said : resolve(folder, said)
}

export function isPathSetting(name: SettingName): name is PathSetting {
  return name in isPath
}
