/**
 * One setting that a running zotui takes from the user's own file as soon as that has changed. All others hold as they were at the start, or as
 * this zotui changed them: only a limit of all zotuis must not wait for a restart of each.
 */
import { statSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname } from 'node:path'
import { folderLabel } from '../platform/project.ts'
import { readRegularFileSync } from '../platform/regular-file.ts'
import type { valuesOf } from './document/jsonc.ts'
import { LARGEST_SETTINGS } from './files.ts'
import { checkSetting, type SettingName, type Settings } from './schema.ts'
import type { SettingsStore } from './settings.ts'
import { userSettingsPath } from './user-settings-path.ts'

/**
 * Returns what reads the value that is in effect now. It looks at the file at each call, and reads it if it has changed. A file that is not
 * there, not whole or not valid leaves the old value: it may be being written, and a mistake must not lift a limit.
 */
export function followOwnValue<Name extends SettingName>(
  settings: Pick<SettingsStore, 'values' | 'takeOwn'>,
  name: Name,
): () => Settings[Name] {
  const path = userSettingsPath()
  let seen = ''
  let parse: typeof valuesOf | null = null
  // Loaded before it is needed: whoever asks for the value cannot wait.
  void import('./document/jsonc.ts').then(loaded => (parse = loaded.valuesOf))
  return () => {
    const state = stateOf(path)
    if (parse && state !== seen) {
      seen = state
      takeThose(parse(readRegularFileSync(path, LARGEST_SETTINGS)?.toString('utf8') ?? '', name))
    }
    return settings.values()[name]
  }

  /** Null for a file that is not whole. */
  function takeThose(written: ReturnType<typeof valuesOf>): void {
    if (written?.length === 0) take(undefined, null)
    // Of a name that is written twice the last one counts, as at the start.
    for (const { value, line } of written?.toReversed() ?? []) {
      const checked = checkSetting(name, value)
      if (checked.ok) return take(checked.value[name], line)
    }
  }

  function take(value: Settings[Name] | undefined, line: number | null): void {
    settings.takeOwn(own => {
      const places = new Map(own.places)
      places.delete(name)
      if (line !== null) places.set(name, `${folderLabel(path, homedir())} line ${line}`)
      return { ...own, values: { ...own.values, [name]: value }, places, folder: dirname(path) }
    })
  }
}

function stateOf(path: string): string {
  try {
    const { ino, size, mtimeNs, ctimeNs } = statSync(path, { bigint: true })
    return [ino, size, mtimeNs, ctimeNs].join(' ')
  } catch {
    // It is not there, or nobody may look at it.
    return ''
  }
}
