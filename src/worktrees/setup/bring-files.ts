/**
 * Copies files that git ignores into a new worktree. Only regular files of the repository: no link is followed, neither where a file comes
 * from nor where it goes to, whatever is put in the place of a folder meanwhile. Nothing is replaced.
 */
import {
  closeSync,
  constants,
  copyFileSync,
  fchmodSync,
  fstatSync,
  lstatSync,
  lutimesSync,
  rmSync,
  type Stats,
} from 'node:fs'
import { copyFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { codeOf, messageOf } from '../../platform/errors.ts'
import { holdFolder, LinkAppeared, openInHeld, pathOfOpen, type HeldFolder } from '../../platform/held-folder.ts'
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

/** Bytes up to which a file is copied without a thread for it: that takes longer than the copy. */
const SMALL = 256 * 1024
/** Milliseconds after which keys and frames get a turn. */
const TURN = 8
/** Without and with the bits that make a program run as another user. */
const [PERMISSIONS, ALL_BITS] = [0o777, 0o7777]

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
  let rested = performance.now()
  for (const [folder, paths] of Map.groupBy(copies, path => dirname(path))) {
    const way = new CopyWay(join(top, folder), join(worktree.folder, folder))
    try {
      for (const path of paths) {
        signal?.throwIfAborted()
        const why = await way.copied(basename(path), path)
        if (why === null) count += 1
        else left.push({ path, why })
        if (performance.now() - rested < TURN) continue
        await nextTurn()
        rested = performance.now()
      }
    } finally {
      way.close()
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
  const look = looksIn(folder)
  for (const path of paths) {
    const stats = lstatSync(join(top, path), { throwIfNoEntry: false })
    if (!stats) continue
    const why = stats.isSymbolicLink() ? 'is a link' : stats.isFile() ? linkInWorktree(look, path) : 'is not a file'
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

/** What is at a path of a folder. Each is looked at once: many files have the same folders above them. */
function looksIn(folder: string): (path: string) => Stats | undefined {
  const known = new Map<string, Stats | undefined>()
  return path => {
    if (!known.has(path)) known.set(path, lstatSync(join(folder, path), { throwIfNoEntry: false }))
    return known.get(path)
  }
}

/** Why a file cannot go to its place: git does not look behind a link either. */
function linkInWorktree(look: ReturnType<typeof looksIn>, path: string): string | null {
  const names = path.split('/')
  for (let depth = 1; depth <= names.length; depth += 1) {
    const stats = look(names.slice(0, depth).join('/'))
    if (!stats) return null
    if (stats.isSymbolicLink()) return 'leads through a link of the branch'
    if (depth === names.length || !stats.isDirectory()) return 'is in the branch already'
  }
  return null
}

/** The way of the files of a folder: both ends are held, so each is found only once. */
class CopyWay {
  readonly #from: string
  readonly #to: string
  #source: HeldFolder | null = null
  #target: HeldFolder | null = null

  constructor(from: string, to: string) {
    this.#from = from
    this.#to = to
  }

  /** Copies one file. Resolves to why it did not work, null if it did. @throws what the system throws where no file can be written. */
  async copied(name: string, path: string): Promise<string | null> {
    let file: number | null = null
    try {
      this.#source ??= holdFolder(this.#from)
      file = openInHeld(this.#source, join(this.#from, name))
      this.#target ??= holdFolder(this.#to, 0o700)
      await copyOpen(file, join(this.#from, name), this.#target, name)
      return null
    } catch (error) {
      if (error instanceof UnreadableFile || error instanceof LinkAppeared) return error.reason
      if (codeOf(error) === 'EEXIST') return 'is in the branch already'
      if (codeOf(error) === 'ENOENT') return 'is gone'
      if (codeOf(error) === 'EACCES' || codeOf(error) === 'EPERM') return 'cannot be read'
      const known = this.#target?.named(error) ?? error
      throw new WorktreeProblem(`${path} cannot be copied (${messageOf(known)})`)
    } finally {
      if (file !== null) closeSync(file)
    }
  }

  close(): void {
    this.#source?.close()
    this.#target?.close()
  }
}

async function copyOpen(source: number, path: string, folder: HeldFolder, name: string): Promise<void> {
  const { mode, size, atime, mtime } = fstatSync(source)
  const to = folder.at(name)
  const from = pathOfOpen(source, path)
  const how = constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE
  try {
    if (size > SMALL) await copyFile(from, to, how)
    else copyFileSync(from, to, how)
    // The copy has the mode of the file.
    if ((mode & ALL_BITS & ~PERMISSIONS) !== 0) setMode(folder, name, mode & PERMISSIONS)
    // Build tools compare times.
    lutimesSync(to, atime, mtime)
    folder.check()
  } catch (error) {
    // A part of a file is worse than none. One that was there before is not ours.
    if (codeOf(error) !== 'EEXIST') rmSync(to, { force: true })
    throw error
  }
}

/** Never that of a link that is put in the place of the file. */
function setMode(folder: HeldFolder, name: string, mode: number): void {
  const made = openInHeld(folder, folder.at(name))
  try {
    fchmodSync(made, mode)
  } finally {
    closeSync(made)
  }
}
