/** Looks at this machine for what a box for reading hides, and what it shows all the same. */
import { readdirSync, statSync } from 'node:fs'
import { userInfo } from 'node:os'
import { delimiter, dirname, isAbsolute, join } from 'node:path'
import envPaths from 'env-paths'
import { realPath } from '../platform/real-path.ts'
import { readRegularFileSync } from '../platform/regular-file.ts'
import { isWithin } from '../platform/within.ts'
import { holdsOwn, isOfSystem, type ReadPolicy } from './read-policy.ts'
import { secretPlaces } from './secret-places.ts'

/** What NixOS keeps in /run: programs and the certificates of authorities. They are links, by which programs name them. */
const ofNix = ['/run/current-system', '/run/wrappers', '/run/opengl-driver']

/** Folders of PATH that are looked at: each that has to be shown takes time. */
const MOST_PROGRAMS = 100

/** Links in a closed folder that are followed, and bytes of a file `.git`. */
const MOST_LINKS = 200
const POINTER = 4096

/** `folder` is that of the project. */
export function readPolicy(folder: string, env: NodeJS.ProcessEnv): ReadPolicy {
  const homes = homesOf(env)
  const { config, data, log } = envPaths('zotui', { suffix: '' })
  const closed = closedPlaces([...secretPlaces(homes, env), config, data, log])
  const project = realPath(folder)
  const isOpen = (path: string): boolean =>
    !holdsOwn(path) && !isOfSystem(path) && !closed.some(place => isWithin(place.path, path))
  // Only what the person has opened is shown in a closed place. What a project names must not open anything.
  const others = [...repositories(project), ...homes.map(home => realPath(home)), ...programs(env), ...ofNix]
  return {
    folder: project,
    seen: [...new Set([project, ...others.filter(path => isOpen(path) && kindOf(path) === 'folder')])],
    closed,
  }
}

/** Where the person's files are: HOME may be another folder than that of the account, or none. */
function homesOf({ HOME: home = '' }: NodeJS.ProcessEnv): string[] {
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
function closedPlaces(paths: readonly string[]): { path: string; isFolder: boolean }[] {
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
function programs(env: NodeJS.ProcessEnv): string[] {
  const folders = (env['PATH'] ?? '').split(delimiter).filter(path => isAbsolute(path) && kindOf(path) === 'folder')
  return folders.slice(0, MOST_PROGRAMS).flatMap(path => [realPath(path), path])
}

/** The repositories around a folder, and for a linked worktree the folder `.git` that it belongs to. */
function repositories(folder: string): string[] {
  const found: string[] = []
  for (let current = folder; dirname(current) !== current; current = dirname(current)) {
    const kind = kindOf(join(current, '.git'))
    if (kind !== null) found.push(current)
    const main = kind === 'other' ? mainRepository(join(current, '.git')) : null
    if (main !== null) found.push(main)
  }
  return found
}

/** The folder `.git` that a file `.git` names, if that names the file back: a project must not open another folder by naming it. */
function mainRepository(file: string): string | null {
  const [, main, name] = /^gitdir: (\/.+\/\.git)\/worktrees\/([^/\n]+)\n?$/.exec(textOf(file)) ?? []
  if (main === undefined || name === undefined) return null
  return realPath(textOf(join(main, 'worktrees', name, 'gitdir')).trim()) === realPath(file) ? realPath(main) : null
}

function textOf(file: string): string {
  return readRegularFileSync(file, POINTER)?.toString() ?? ''
}

function kindOf(path: string): 'folder' | 'other' | null {
  try {
    const stats = statSync(path, { throwIfNoEntry: false })
    return stats ? (stats.isDirectory() ? 'folder' : 'other') : null
  } catch {
    // We may not look at it, so neither may what runs in the box.
    return null
  }
}
