/** Looks at this machine for what every box hides, and what it shows all the same. */
import { readdirSync, statSync } from 'node:fs'
import { userInfo } from 'node:os'
import { delimiter, isAbsolute, join } from 'node:path'
import envPaths from 'env-paths'
import { realPath } from '../platform/real-path.ts'
import type { ClosedPlace } from './box-mounts.ts'
import { secretPlaces } from './secret-places.ts'

/** What NixOS keeps in /run: programs and the certificates of authorities. They are links, by which programs name them. */
export const ofNix = ['/run/current-system', '/run/wrappers', '/run/opengl-driver']

/** Folders of PATH that are looked at: each that has to be shown takes time. */
const MOST_PROGRAMS = 100

/** Links in a closed folder that are followed. */
const MOST_LINKS = 200

/** What is closed to every box: where the person keeps secrets, and what zotui keeps. `more` are other such paths, which need not exist. */
export function secretsHere(
  homes: readonly string[],
  env: NodeJS.ProcessEnv,
  more: readonly string[] = [],
): ClosedPlace[] {
  const { config, data, log } = envPaths('zotui', { suffix: '' })
  return closedPlaces([...secretPlaces(homes, env), config, data, log, ...more])
}

/** Where the person's files are: HOME may be another folder than that of the account, or none. */
export function homesOf({ HOME: home = '' }: NodeJS.ProcessEnv): string[] {
  return [...new Set([home, homeOfAccount()])].filter(path => isAbsolute(path) && path !== '/')
}

function homeOfAccount(): string {
  try {
    return userInfo().homedir
  } catch {
    // A container may run as a user that is in no list.
    return ''
  }
}

/** Those that exist, and the targets of links in them. Most do not exist, and to resolve their links would take longer than all else. */
function closedPlaces(paths: readonly string[]): ClosedPlace[] {
  const all = new Set(paths.filter(path => kindOf(path) !== null).map(path => realPath(path)))
  for (const target of Array.from(all, linksIn).flat()) all.add(target)
  return [...all].flatMap(path => {
    const kind = path === '/' ? null : kindOf(path)
    return kind === null ? [] : [{ path, isFolder: kind === 'folder' }]
  })
}

function linksIn(folder: string): string[] {
  try {
    const links = readdirSync(folder, { withFileTypes: true }).filter(entry => entry.isSymbolicLink())
    return links.slice(0, MOST_LINKS).map(({ name }) => realPath(join(folder, name)))
  } catch {
    // It is a file, or is not there.
    return []
  }
}

/** The folders of programs, by their own names and by those in PATH. */
export function programs(env: NodeJS.ProcessEnv): string[] {
  const folders = (env['PATH'] ?? '').split(delimiter).filter(path => isAbsolute(path) && kindOf(path) === 'folder')
  return folders.slice(0, MOST_PROGRAMS).flatMap(path => [realPath(path), path])
}

export function kindOf(path: string): 'folder' | 'other' | null {
  try {
    const stats = statSync(path, { throwIfNoEntry: false })
    return stats ? (stats.isDirectory() ? 'folder' : 'other') : null
  } catch {
    // We may not look at it, so neither may what runs in the box.
    return null
  }
}
