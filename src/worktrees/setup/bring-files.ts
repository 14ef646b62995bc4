/**
 * Copies files that git ignores into a new worktree. Only regular files of the repository: no link is followed, neither where a file comes
 * from nor where it goes to, whatever is put in the place of a folder meanwhile. Nothing is replaced.
 */
import { closeSync, constants, fchmodSync, fstatSync, futimesSync, lstatSync, rmSync } from 'node:fs'
import { copyFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { codeOf, messageOf } from '../../platform/errors.ts'
import { holdFolder, LinkAppeared, openWithoutLinks, pathOfOpen, type HeldFolder } from '../../platform/held-folder.ts'
import { UnreadableFile } from '../../platform/regular-file.ts'
import { formatBytes } from '../../text/format.ts'
import { counted } from '../../text/counted.ts'
import { WorktreeProblem } from '../problem.ts'
import { openProject } from '../project.ts'
import type { Worktree } from '../record.ts'
import { openWorktree } from '../seal.ts'
import { alsoIgnored, ignoredFiles } from './listed-files.ts'

export type BroughtFiles = {
  /** The number of files that were copied. */
  count: number
  /** Those that a pattern names and that were not copied; `why` completes a sentence that begins with the path. */
  left: readonly { path: string; why: string }[]
}

export type BringLimits = {
  files: number
  bytes: number
}

const LIMITS: BringLimits = { files: 50_000, bytes: 4 * 1024 ** 3 }

/** Files that are copied at once. */
const AT_ONCE = 8
/** All but the bits that make a program run as another user. */
const PERMISSIONS = 0o777

/** @throws WorktreeProblem, and what the system throws. */
export async function bringFiles(
  worktree: Pick<Worktree, 'project' | 'folder'>,
  patterns: readonly string[],
  { env, signal, limits = LIMITS }: { env: NodeJS.ProcessEnv; signal?: AbortSignal | undefined; limits?: BringLimits },
): Promise<BroughtFiles> {
  const { git, top } = await openProject(worktree.project, env)
  const listed = await ignoredFiles(git, patterns)
  if (listed.length > limits.files)
    throw new WorktreeProblem(`worktreeFiles names ${listed.length} files, and at most ${limits.files} are copied`)
  const { sound, left } = withoutLinks(top, worktree.folder, listed, limits)
  const ignored = await alsoIgnored(await openWorktree(worktree, env), sound)
  const copies = sound.filter(path => ignored.has(path))
  left.push(...sound.filter(path => !ignored.has(path)).map(path => ({ path, why: NOT_IGNORED })))
  let count = 0
  for (let at = 0; at < copies.length; at += AT_ONCE) {
    signal?.throwIfAborted()
    const some = copies.slice(at, at + AT_ONCE)
    const whys = await Promise.all(some.map(async path => copied(top, worktree.folder, path)))
    for (const [index, why] of whys.entries()) {
      if (why === null) count += 1
      else left.push({ path: some[index] ?? '', why })
    }
  }
  return { count, left }
}

const NOT_IGNORED = 'is not ignored by the commit that the worktree begins at'

/** The files that can be copied, as it looks now. @throws WorktreeProblem if they are too large together. */
function withoutLinks(top: string, folder: string, paths: readonly string[], limits: BringLimits) {
  const sound: string[] = []
  const left: { path: string; why: string }[] = []
  let bytes = 0
  for (const path of paths) {
    const stats = lstatSync(join(top, path), { throwIfNoEntry: false })
    if (!stats) continue
    const why = stats.isSymbolicLink() ? 'is a link' : stats.isFile() ? linkInWorktree(folder, path) : 'is not a file'
    if (why === null) sound.push(path)
    else left.push({ path, why })
    if (why === null) bytes += stats.size
  }
  if (bytes > limits.bytes)
    throw new WorktreeProblem(
      `worktreeFiles names ${formatBytes(bytes)} in ${counted(sound.length, 'file')}, and at most ${formatBytes(limits.bytes)} are copied`,
    )
  return { sound, left }
}

/** Why a file cannot go to its place: git does not look behind a link either. */
function linkInWorktree(folder: string, path: string): string | null {
  const names = path.split('/')
  for (let depth = 1; depth <= names.length; depth += 1) {
    const stats = lstatSync(join(folder, ...names.slice(0, depth)), { throwIfNoEntry: false })
    if (!stats) return null
    if (stats.isSymbolicLink()) return 'leads through a link of the branch'
    if (depth === names.length || !stats.isDirectory()) return 'is in the branch already'
  }
  return null
}

/** Copies one file. Resolves to why it did not work, null if it did. @throws what the system throws where no file can be written. */
async function copied(top: string, folder: string, path: string): Promise<string | null> {
  let source: number | null = null
  let target: HeldFolder | null = null
  try {
    source = openWithoutLinks(join(top, path))
    target = holdFolder(dirname(join(folder, path)), 0o700)
    await copyOpen(source, join(top, path), target, join(folder, path))
    return null
  } catch (error) {
    if (error instanceof UnreadableFile || error instanceof LinkAppeared) return error.reason
    if (codeOf(error) === 'EEXIST') return 'is in the branch already'
    if (codeOf(error) === 'ENOENT') return 'is gone'
    if (codeOf(error) === 'EACCES' || codeOf(error) === 'EPERM') return 'cannot be read'
    const known = target?.named(error) ?? error
    throw new WorktreeProblem(`${path} cannot be copied (${messageOf(known)})`)
  } finally {
    target?.close()
    if (source !== null) closeSync(source)
  }
}

async function copyOpen(source: number, path: string, folder: HeldFolder, copy: string): Promise<void> {
  const { mode, atime, mtime } = fstatSync(source)
  const to = folder.at(basename(copy))
  try {
    await copyFile(pathOfOpen(source, path), to, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE)
    const made = openWithoutLinks(copy)
    try {
      fchmodSync(made, mode & PERMISSIONS)
      // Build tools compare times.
      futimesSync(made, atime, mtime)
    } finally {
      closeSync(made)
    }
    folder.check()
  } catch (error) {
    // A part of a file is worse than none. One that was there before is not ours.
    if (codeOf(error) !== 'EEXIST') rmSync(to, { force: true })
    throw error
  }
}
