/** Settings that may be the path of a file, and what a relative one counts from. Pure. */
import { isAbsolute, join, resolve } from 'node:path'
import { isThemeFile } from '../style/file-name.ts'
import type { SettingName, Settings } from './schema.ts'

/** The settings that may be paths. */
export type PathSetting = 'theme' | 'zot'

/** What of a setting is a path and no name. */
const isPath: Readonly<Record<PathSetting, (said: string) => boolean>> = {
  theme: isThemeFile,
  // Any other word is looked for in PATH.
  zot: said => /[/\\]/.test(said),
}

/** A value with the folder that it counts from; null leaves it to where zotui was started. No shell has looked at its `~`. */
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
