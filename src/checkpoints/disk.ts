/** The disk that a project and its shadow are on: this machine's, or another one's (`remote-disk.ts`). */
import { constants, existsSync, rmSync, type Stats } from 'node:fs'
import { access, chmod, copyFile, lstat, readdir, realpath, stat, utimes } from 'node:fs/promises'
import { join } from 'node:path'
import { createGit, type AskGit, type GitOptions } from '../changes/run-git.ts'
import { makeFolder } from '../platform/folders.ts'
import { createPace } from '../platform/pace.ts'
import { readRegularFile } from '../platform/regular-file.ts'
import { replaceFile } from '../storage/replace-file.ts'
import {
  isBehindLink,
  removeLeftovers,
  writeFiles,
  type FileModes,
  type Restored,
  type RestorePlace,
  type PlannedFile,
} from './restore.ts'

/** A file itself, not the target of a link. A `module` is a folder with a repository of its own. */
export type PathFacts = { kind: 'file' | 'link' | 'folder' | 'module' | 'other'; size: number; mode: number }

/** The reason why git cannot read a file: its path goes through a link, or its permissions forbid it. */
export type Obstacle = 'behind' | 'unreadable'

/** `path` begins at the folder; `at` is when it was written, in milliseconds since the Unix epoch. */
export type StoredFile = { path: string; bytes: number; at: number }

type GitPlace = Pick<GitOptions, 'folder' | 'project' | 'limit' | 'variables'>

/** Answers are in the order of the paths. Everything rejects with what the system says, or where the connection is lost. */
export type Disk = {
  /** The folder of all shadows. */
  shadows: string
  /** Part of a file name: other disks have other names. */
  name: string
  /** The folder of git's settings, other than the usual one. */
  config: string | undefined
  git: (place: GitPlace) => Promise<AskGit>
  /** The path without links; null for what does not exist. */
  realPath: (path: string) => Promise<string | null>
  /** A text of at most `most` bytes; empty if there is none. */
  readText: (path: string, most: number) => Promise<string>
  exists: (path: string) => Promise<boolean>
  /** Makes a folder for the user only, with those above it. */
  makeFolder: (path: string) => Promise<void>
  /** Writes a file for the user only, with its folders. */
  write: (path: string, content: string | Uint8Array) => Promise<void>
  /** Copies a regular file for the user only. Its times stay. */
  copy: (from: string, to: string) => Promise<void>
  /** Removes files and folders with all that is in them. */
  remove: (paths: readonly string[]) => Promise<void>
  /** Null for what does not exist. */
  facts: (root: string, paths: readonly string[]) => Promise<readonly (PathFacts | null)[]>
  obstacles: (root: string, paths: readonly string[]) => Promise<readonly (Obstacle | null)[]>
  /** Removes the lock of an index that a git left, and ends that git if it still runs. */
  unlock: (index: string) => Promise<void>
  /** All files below a folder of ours. */
  list: (folder: string) => Promise<readonly StoredFile[]>
  /** Writes the files of a plan and deletes those that it deletes. `modes` are those that git does not keep. */
  restore: (place: RestorePlace, files: readonly PlannedFile[], modes: FileModes) => Promise<Restored>
  /**
   * Removes the files of this name in the folders of the paths, and the folders that are empty and had one of the paths that is not there.
   */
  tidy: (root: string, paths: readonly string[], name: string) => Promise<void>
}

/** The disk of this machine. */
export function localDisk(shadows: string, env: NodeJS.ProcessEnv): Disk {
  return {
    shadows,
    name: '',
    config: env['XDG_CONFIG_HOME'],
    git: place => createGit({ ...place, env }),
    realPath: path => realpath(path).catch(() => null),
    async readText(path, most) {
      const read = await readRegularFile(path, most)
      return read.ok ? read.bytes.toString('utf8') : ''
    },
    exists: async path => existsSync(path),
    makeFolder: async path => makeFolder(path),
    write: async (path, content) => replaceFile(path, content),
    async copy(from, to) {
      const { atime, mtime, size } = await regular(from)
      if (size > MOST_COPIED) throw new Error(`${from} is too large`)
      await copyFile(from, to)
      await chmod(to, 0o600)
      await utimes(to, atime, mtime)
    },
    async remove(paths) {
      for (const path of paths) rmSync(path, { recursive: true, force: true })
    },
    facts: factsOf,
    async obstacles(root, paths) {
      const found: (Obstacle | null)[] = []
      for (const path of paths) found.push(await obstacleOf(root, path))
      return found
    },
    unlock: async index => rmSync(`${index}.lock`, { force: true }),
    list: folder => filesBelow(folder, ''),
    restore: writeFiles,
    tidy: removeLeftovers,
  }
}

/** Bytes of the largest file that is copied: the index of a repository with millions of files. */
const MOST_COPIED = 2 ** 30

/** A pipe would hold up the copy, and a device may have no end. */
async function regular(path: string): Promise<Stats> {
  const stats = await stat(path)
  if (!stats.isFile()) throw new Error(`${path} is not a file`)
  return stats
}

async function factsOf(root: string, paths: readonly string[]): Promise<(PathFacts | null)[]> {
  const pace = createPace(5)
  const found: (PathFacts | null)[] = []
  for (const path of paths) {
    if (pace.isDue()) await pace.rest()
    const stats = await lstat(join(root, path)).catch(() => null)
    if (stats === null) {
      found.push(null)
      continue
    }
    const isModule = stats.isDirectory() && existsSync(join(root, path, '.git'))
    const folder = isModule ? 'module' : stats.isDirectory() ? 'folder' : 'other'
    const kind = stats.isFile() ? 'file' : stats.isSymbolicLink() ? 'link' : folder
    found.push({ kind, size: stats.size, mode: stats.mode & 0o7777 })
  }
  return found
}

async function obstacleOf(root: string, path: string): Promise<Obstacle | null> {
  if (await isBehindLink(root, path)) return 'behind'
  const stats = await lstat(join(root, path)).catch(() => null)
  if (!stats?.isFile()) return null
  return access(join(root, path), constants.R_OK).then(
    () => null,
    () => 'unreadable',
  )
}

async function filesBelow(folder: string, prefix: string): Promise<StoredFile[]> {
  const found: StoredFile[] = []
  for (const entry of await readdir(join(folder, prefix), { withFileTypes: true }).catch(() => [])) {
    const path = prefix === '' ? entry.name : `${prefix}/${entry.name}`
    if (entry.isDirectory()) found.push(...(await filesBelow(folder, path)))
    else {
      const stats = await lstat(join(folder, path)).catch(() => null)
      if (stats) found.push({ path, bytes: stats.size, at: stats.mtimeMs })
    }
  }
  return found
}
