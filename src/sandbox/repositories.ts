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

/** The repository of a submodule that a file `.git` names, if its settings name the folder of that file back. */
function repositoryOfSubmodule(file: string): string | null {
  const [, named] = /^gitdir: (.+)\n?$/.exec(textOf(file)) ?? []
  if (named === undefined) return null
  const repository = realPath(resolve(dirname(file), named))
  const [, worktree] = /^\s*worktree\s*=\s*(.+?)\s*$/m.exec(textOf(join(repository, 'config'), SETTINGS)) ?? []
  const isNamedBack = worktree !== undefined && realPath(resolve(repository, worktree)) === dirname(file)
  return isNamedBack && repository.includes('/.git/modules/') ? repository : null
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

const nothing: RepositoryPlaces = { seen: [], writable: [], held: [], absent: [] }

/** The repository to which a folder belongs: its own, or the nearest one around it. `mayOpen` says whether a folder may be shown. */
export function repositoryAround(folder: string, mayOpen: (path: string) => boolean): RepositoryPlaces {
  for (let root = folder; dirname(root) !== root && mayOpen(root); root = dirname(root)) {
    const entry = join(root, '.git')
    const kind = entryKind(entry)
    if (kind !== null) return withSeen(repositoryAt(entry, kind), root)
  }
  return nothing
}

function withSeen(places: RepositoryPlaces, root: string): RepositoryPlaces {
  return { ...places, seen: [root, ...places.seen] }
}

/** The repository of an entry `.git`. What lies elsewhere is opened only if it names this entry back. */
export function repositoryAt(entry: string, kind = entryKind(entry)): RepositoryPlaces {
  if (kind === 'folder') return partsOf(entry)
  if (kind !== 'file') return nothing
  const repository = mainRepository(entry) ?? repositoryOfSubmodule(entry)
  const held = { ...nothing, held: [entry] }
  return repository === null ? held : both(held, partsOf(repository))
}

function both(one: RepositoryPlaces, other: RepositoryPlaces): RepositoryPlaces {
  return {
    seen: [...one.seen, ...other.seen],
    writable: [...one.writable, ...other.writable],
    held: [...one.held, ...other.held],
    absent: [...one.absent, ...other.absent],
  }
}

export const joined = (places: readonly RepositoryPlaces[]): RepositoryPlaces => places.reduce(both, nothing)

/** Parts of a repository that say what git runs. */
const decisive = [
  { name: 'hooks', isFolder: true },
  { name: 'config', isFolder: false },
  { name: 'config.worktree', isFolder: false },
  { name: 'info/attributes', isFolder: false },
]

/** Others, which must stay as they are where they exist. */
const whereThere = ['commondir', 'gitdir', 'objects/info/alternates']

/** A repository can be written, without the parts that say what git runs. Where one of these is a link, which could be replaced, it is held whole. */
export function partsOf(repository: string): RepositoryPlaces {
  const found = decisive.map(({ name, isFolder }) => {
    const path = join(repository, name)
    return { path, isFolder, kind: entryKind(path) }
  })
  const isLinked = [repository, join(repository, 'info')].some(path => entryKind(path) === 'link')
  if (isLinked || found.some(({ kind }) => kind === 'link')) return { ...nothing, held: [repository] }
  const others = whereThere.map(name => join(repository, name)).filter(path => entryKind(path) === 'file')
  return joined([
    {
      seen: [],
      writable: [repository],
      held: [...found.filter(({ kind }) => kind !== null).map(({ path }) => path), ...others],
      absent: found.filter(({ kind }) => kind === null).map(({ path, isFolder }) => ({ path, isFolder })),
    },
    ofModules(join(repository, 'modules')),
    ofWorktrees(join(repository, 'worktrees')),
  ])
}

/** The repositories of submodules: they lie in folders that are named after the submodules, with slashes. */
function ofModules(folder: string): RepositoryPlaces {
  const found: RepositoryPlaces[] = []
  const waiting = [folder]
  for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
    const entries = entriesIn(at, MOST_PARTS)
    if (entries === null || found.length + waiting.length > MOST_PARTS) return { ...nothing, held: [folder] }
    if (entries.some(({ name }) => name === 'HEAD')) found.push(partsOf(at))
    else waiting.push(...entries.filter(({ kind }) => kind !== 'other').map(({ name }) => join(at, name)))
  }
  return joined(found)
}

function ofWorktrees(folder: string): RepositoryPlaces {
  const entries = entriesIn(folder, MOST_PARTS)
  if (entries === null) return { ...nothing, held: [folder] }
  const parts = entries.flatMap(({ name }) =>
    ['commondir', 'gitdir', 'config.worktree'].map(part => join(folder, name, part)),
  )
  return { ...nothing, held: parts.filter(path => entryKind(path) === 'file') }
}

/** The folder that the settings of a repository name for hooks; null for none. It need not exist. */
export function hooksFolder(repository: string, root: string): string | null {
  const [, named] = /^\s*hookspath\s*=\s*"?(.+?)"?\s*$/im.exec(textOf(join(repository, 'config'), SETTINGS)) ?? []
  return named === undefined ? null : realPath(resolve(root, named))
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
