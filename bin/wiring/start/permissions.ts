/** What may run here: the mode to begin with, the rules, and the folders that paths are compared with. */
import { realpathSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import process from 'node:process'
import { permissionModes } from '../../../src/agent/permission.ts'
import { noRules } from '../../../src/app/permissions/judge.ts'
import type { PermissionOptions } from '../../../src/app/permissions/permissions.ts'

export function permissionOptions({
  folder,
  home,
  own,
}: {
  folder: string
  home: string
  own: readonly string[]
}): PermissionOptions {
  const wanted = process.env['ZOTUI_PERMISSIONS']
  const mode = permissionModes.find(each => each === wanted) ?? null
  const place = {
    folder: resolveLinks(resolve(folder)),
    home: resolveLinks(home),
    own: own.map(resolveLinks),
    resolve: resolveLinks,
  }
  return { start: { mode, remember: () => {} }, place, store: noRules }
}

/** The path with its links resolved; of one that does not exist yet, those of its nearest folder that does. */
export function resolveLinks(path: string): string {
  try {
    return realpathSync(path)
  } catch {
    const folder = dirname(path)
    return folder === path ? path : join(resolveLinks(folder), basename(path))
  }
}
