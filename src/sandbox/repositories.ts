/** The repositories of git around and in a folder, as files show them: no git is run. */
import { lstatSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { entriesIn } from '../platform/folders.ts'
import { realPath } from '../platform/real-path.ts'
import { readRegularFileSync } from '../platform/regular-file.ts'
import type { ClosedPlace } from './box-mounts.ts'
import { kindOf } from './places.ts'

/** Bytes of a file `.git`, and of the settings of a repository. */
const POINTER = 4096
const SETTINGS = 256 * 1024

/** Repositories of submodules, and worktrees, that are held part by part. Where there are more, all of them are held. */
const MOST_PARTS = 40

/** The repositories around a folder, and for a linked worktree the folder `.git` that it belongs to. */
export function repositories(folder: string): string[] {
  const found: string[] = []
  for (let current = folder; dirname(current) !== current; current = dirname(current)) {
    const kind = kindOf(join(current, '.git'))
    if (kind !== null) found.push(current)
    const main = kind === 'other' ? mainRepository(join(current, '.git')) : null
    if (main !== null) found.push(main.repository)
  }
  return found
}

/** A repository, and which of its linked worktrees a folder is; null for none. */
type Named = { repository: string; worktree: string | null }

/** The folder `.git` that a file `.git` names, if that names the file back: a project must not open another folder by naming it. */
function mainRepository(file: string): Named | null {
  const [, main, name] = /^gitdir: (\/.+\/\.git)\/worktrees\/([^/\n]+)\n?$/.exec(textOf(file)) ?? []
  if (main === undefined || name === undefined) return null
  const isNamedBack = realPath(textOf(join(main, 'worktrees', name, 'gitdir')).trim()) === realPath(file)
  return isNamedBack ? { repository: realPath(main), worktree: name } : null
}

/** The repository of a submodule that a file `.git` names, if its settings name the folder of that file back. */
function repositoryOfSubmodule(file: string): Named | null {
  const [, named] = /^gitdir: (.+)\n?$/.exec(textOf(file)) ?? []
  if (named === undefined) return null
  const repository = realPath(resolve(dirname(file), named))
  const [, worktree] = /^\s*worktree\s*=\s*(.+?)\s*$/m.exec(textOf(join(repository, 'config'), SETTINGS)) ?? []
  const isNamedBack = worktree !== undefined && realPath(resolve(repository, worktree)) === dirname(file)
  return isNamedBack && repository.includes('/.git/modules/') ? { repository, worktree: null } : null
}

/** What a box in which a folder can be written does with a repository. */
export type RepositoryPlaces = {
  /** Folders that git has to look into. */
  seen: readonly string[]
  writable: readonly string[]
  held: readonly string[]
  /** Parts that are not there, and must not be. */
  absent: readonly ClosedPlace[]
}

export const nothing: RepositoryPlaces = { seen: [], writable: [], held: [], absent: [] }

export function joined(places: readonly RepositoryPlaces[]): RepositoryPlaces {
  return {
    seen: places.flatMap(({ seen }) => seen),
    writable: places.flatMap(({ writable }) => writable),
    held: places.flatMap(({ held }) => held),
    absent: places.flatMap(({ absent }) => absent),
  }
}

/**
 * The repository to which a folder belongs: its own, or the nearest one around it. `mayOpen` says whether a folder may be shown. What lies
 * elsewhere is opened only if it names the entry `.git` back.
 */
export function repositoryAround(folder: string, mayOpen: (path: string) => boolean): RepositoryPlaces {
  const isBare = ['HEAD', 'objects', 'refs'].every(name => entryKind(join(folder, name)) !== null)
  if (isBare && entryKind(join(folder, '.git')) === null) return partsOf({ repository: folder, worktree: null })
  for (let root = folder; dirname(root) !== root && mayOpen(root); root = dirname(root)) {
    const entry = join(root, '.git')
    const kind = entryKind(entry)
    const seen = { ...nothing, seen: [root] }
    if (kind === 'link') return seen
    if (kind === null) continue
    const named =
      kind === 'folder'
        ? { repository: entry, worktree: null }
        : (mainRepository(entry) ?? repositoryOfSubmodule(entry))
    const held = kind === 'file' ? { ...nothing, held: [entry] } : nothing
    return named === null
      ? joined([seen, held])
      : joined([seen, held, partsOf(named), namedParts(named.repository, root)])
  }
  return nothing
}

/** Parts of a repository that say what git runs. */
const decisive = [
  { name: 'hooks', isFolder: true },
  { name: 'info', isFolder: true },
  { name: 'config', isFolder: false },
  { name: 'config.worktree', isFolder: false },
]

/** A repository can be written, without the parts that say what git runs. Where one of these is a link, which could be replaced, it is held whole. */
function partsOf({ repository, worktree }: Named): RepositoryPlaces {
  const parts = partsAt(repository)
  return parts === null
    ? { ...nothing, held: [repository] }
    : joined([parts, ofModules(join(repository, 'modules')), ofWorktrees(join(repository, 'worktrees'), worktree)])
}

function partsAt(repository: string): RepositoryPlaces | null {
  const found = decisive.map(({ name, isFolder }) => {
    const path = join(repository, name)
    return { path, isFolder, kind: entryKind(path) }
  })
  if (entryKind(repository) === 'link' || found.some(({ kind }) => kind === 'link')) return null
  const others = ['commondir', 'gitdir'].map(name => join(repository, name)).filter(path => entryKind(path) === 'file')
  return {
    seen: [],
    writable: [repository],
    held: [...found.filter(({ kind }) => kind !== null).map(({ path }) => path), ...others],
    absent: found.filter(({ kind }) => kind === null).map(({ path, isFolder }) => ({ path, isFolder })),
  }
}

/** The repositories of submodules: they lie in folders that are named after the submodules, with slashes. */
function ofModules(folder: string): RepositoryPlaces {
  const found: RepositoryPlaces[] = []
  const waiting = entryKind(folder) === 'folder' ? [folder] : []
  for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
    const entries = entriesIn(at, MOST_PARTS)
    const isOne = entries?.some(({ name }) => name === 'HEAD') === true
    const parts = isOne ? partsAt(at) : nothing
    if (entries === null || parts === null || found.length + waiting.length > MOST_PARTS)
      return { ...nothing, held: [folder] }
    found.push(parts)
    if (!isOne) waiting.push(...entries.filter(({ kind }) => kind !== 'other').map(({ name }) => join(at, name)))
    else if (entryKind(join(at, 'modules')) === 'folder') waiting.push(join(at, 'modules'))
  }
  return joined(found)
}

/** Other worktrees stay as they are; of the own one, what leads to the repository. */
function ofWorktrees(folder: string, own: string | null): RepositoryPlaces {
  if (entryKind(folder) !== 'folder') return nothing
  const entries = entriesIn(folder, MOST_PARTS)
  const others = entries?.filter(({ name }) => name !== own).map(({ name }) => join(folder, name))
  const areLinks = entries === null || entries.some(({ kind }) => kind === 'link')
  const held = areLinks ? [folder] : (others ?? [])
  if (own === null) return { ...nothing, held }
  const parts = ['commondir', 'gitdir', 'config.worktree'].map(part => join(folder, own, part))
  return {
    ...nothing,
    writable: [join(folder, own)],
    held: [...held, ...parts.filter(path => entryKind(path) === 'file')],
  }
}

/** What the settings of a repository name in the project: a folder with hooks, and more settings. */
function namedParts(repository: string, root: string): RepositoryPlaces {
  const settings = textOf(join(repository, 'config'), SETTINGS)
  const named = [...settings.matchAll(/^\s*(hookspath|path)\s*=\s*"?(.+?)"?\s*$/gim)].map(([, key = '', value = '']) =>
    resolve(key.toLowerCase() === 'path' ? repository : root, value),
  )
  const isPart = (path: string): boolean => path.startsWith(`${root}/`) && realPath(path) === path
  return { ...nothing, held: named.filter(path => isPart(path) && entryKind(path) !== null) }
}

export function entryKind(path: string): 'folder' | 'file' | 'link' | null {
  try {
    const stats = lstatSync(path, { throwIfNoEntry: false })
    if (!stats) return null
    return stats.isSymbolicLink() ? 'link' : stats.isDirectory() ? 'folder' : 'file'
  } catch {
    // We may not look at it.
    return null
  }
}

function textOf(file: string, most = POINTER): string {
  return readRegularFileSync(file, most)?.toString() ?? ''
}
