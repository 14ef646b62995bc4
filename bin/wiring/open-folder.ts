/** Says whether a folder of this machine may be opened to the agent beside the project's. What cannot be decided may not. */
import { dirname, isAbsolute, join, resolve } from 'node:path'
import { statSync } from 'node:fs'
import { delimiter } from 'node:path'
import type { OpenedFolder } from '../../src/app/context/host.ts'
import { userSettingsPath } from '../../src/config/user-settings-path.ts'
import { codeOf } from '../../src/platform/errors.ts'
import { realPath } from '../../src/platform/real-path.ts'
import { isWithin } from '../../src/platform/within.ts'
import { isOpenable } from '../../src/sandbox/write-places.ts'
import { statePath } from '../../src/storage/log.ts'
import { lookup } from '../../src/text/lookup.ts'

export type OpenPlace = { folder: string; home: string; env: NodeJS.ProcessEnv }

export async function openFolder(path: string, { folder, home, env }: OpenPlace): Promise<OpenedFolder> {
  if (path.includes('\0')) return refused('is no path')
  const named = resolve(folder, /^~(?=[/\\]|$)/.test(path) ? join(home, path.slice(1)) : path)
  const project = realPath(folder)
  const real = realPath(named)
  const kind = kindOf(real)
  if (kind !== 'folder') return refused(kind)
  if (isWithin(real, project))
    return refused(
      real === project ? 'is the folder of the session' : 'holds the folder of the session, and all beside it',
    )
  if (isWithin(project, real)) return refused('is in the folder of the session already')
  if (isWithin(real, realPath(home))) return refused('is or holds your home folder')
  const own = [dirname(userSettingsPath()), statePath()].map(each => realPath(each))
  if (own.some(each => isWithin(each, real) || isWithin(real, each))) return refused("has zotui's own files")
  if (!isOpenable(real, env)) return refused('belongs to the system, or holds secrets or the home folder of a user')
  // The agent could put a program there, which zotui or you would start by its name.
  const searched = (lookup(env, 'PATH') ?? '').split(delimiter).filter(each => isAbsolute(each))
  const found = searched.find(each => isWithin(real, realPath(each)))
  if (found !== undefined) return refused(`has ${found}, in which programs are looked for (PATH)`)
  return { ok: true, path: real }
}

const refused = (reason: string): OpenedFolder => ({ ok: false, reason })

/** `folder`, or the reason why it is none. */
function kindOf(path: string): string {
  try {
    return statSync(path).isDirectory() ? 'folder' : 'is no folder'
  } catch (error) {
    return codeOf(error) === 'ENOENT' || codeOf(error) === 'ENOTDIR' ? 'does not exist' : 'cannot be looked at'
  }
}
