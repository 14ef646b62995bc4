/** The paths of the guard: its script, its folders, and the extensions that it replaces. */
import { existsSync } from 'node:fs'
import { homedir, tmpdir } from 'node:os'
import { isAbsolute, join } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { readableNamesIn } from '../../../platform/folders.ts'
import { readTextSync } from '../../../platform/regular-file.ts'
import { isObject, parseJson } from '../../../text/json.ts'
import type { GuardPlaces } from './folder.ts'
import { memberAt } from '../../../text/member.ts'

/** Beside the shipped chunks, beside the library, and in the sources. */
const SCRIPTS = ['../zotui-guard.js', './zotui-guard.js', './zotui-guard.ts']

export function guardPlaces(): GuardPlaces {
  const scripts = SCRIPTS.map(path => fileURLToPath(new URL(path, import.meta.url)))
  const script = scripts.find(path => existsSync(path)) ?? join(scripts[0] ?? '')
  // The temporary folder of macOS has a long name. The last ones are for where another user could replace folders in the others.
  const others = process.platform === 'win32' ? [] : ['/tmp', process.env['XDG_RUNTIME_DIR'] ?? '', homedir()]
  return { script, node: process.execPath, parents: [tmpdir(), ...others.filter(path => isAbsolute(path))] }
}

/** The names of the extensions that zot would load by itself: those of the project and those of the user. */
export function installedExtensions(home: string, folder: string): string[] {
  const found = [join(folder, '.zot', 'extensions'), join(home, 'extensions')].flatMap(parent =>
    readableNamesIn(parent).filter(name => isEnabled(join(parent, name, 'extension.json'))),
  )
  return [...new Set(found)].toSorted()
}

function isEnabled(manifest: string): boolean {
  try {
    const value = parseJson(readTextSync(manifest))
    return isObject(value) && memberAt(value, 'enabled') !== false
  } catch {
    // zot skips it as well.
    return false
  }
}
