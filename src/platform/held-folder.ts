/**
 * Works in a folder that stays the same one, whatever another program puts in the place of its path meanwhile: a program of the agent's may
 * swap a folder for a link that leads out of the project between a check and a write.
 *
 * On Linux the folder is open, and its files are reached through the descriptor. Elsewhere nothing can hold it: there the path is looked at
 * right before and right after, so a swap in between is noticed, but not prevented.
 */
import { closeSync, constants, fstatSync, lstatSync, openSync, readlinkSync, statSync, type Stats } from 'node:fs'
import { basename, dirname, join, parse, sep } from 'node:path'
import process from 'node:process'
import { codeOf } from './errors.ts'
import { makeFolder } from './folders.ts'
import { checkRegular, NOT_BLOCKING, UnreadableFile } from './regular-file.ts'

export type HeldFolder = {
  /** The path of a file in it, for functions that do not follow a link at its end. '' is the folder itself. */
  at: (name: string) => string
  /** Holds a folder in it. @throws what `holdFolder` throws. */
  below: (name: string) => HeldFolder
  /** @throws `LinkAppeared` if the path has been swapped. It never throws where the folder is held. */
  check: () => void
  /** The error of the system, with the path that people know. */
  named: (error: unknown) => unknown
  close: () => void
}

/** There is a link in a path that had none. */
export class LinkAppeared extends UnreadableFile {
  constructor(path: string) {
    super(path, 'leads through a link that was put there meanwhile')
  }
}

/** Opens a folder only to reach what is in it. Node does not know the flag, which has this value in all of Linux that Node runs on. */
const O_PATH = 0o10000000
const FOLDER = O_PATH | (constants.O_DIRECTORY ?? 0) | (constants.O_NOFOLLOW ?? 0)
/** Never follows a link. Windows has no such flag. */
export const NO_LINK = constants.O_NOFOLLOW ?? 0

/**
 * Holds a folder. `path` is absolute and has no links. With a `mode` the missing folders are made.
 *
 * @throws what the system throws, and `LinkAppeared` if there is a link in the path.
 */
export function holdFolder(path: string, mode?: number): HeldFolder {
  return canHold() ? held(path, openFolder(path) ?? openEach(path, mode)) : watched(path, mode)
}

/** Does some work in the folder of a path, with the name of the file. @throws what the work throws, with paths that people know. */
export async function inFolderOf<Result>(
  path: string,
  work: (folder: HeldFolder, name: string) => Promise<Result>,
  mode?: number,
): Promise<Result> {
  const folder = holdFolder(dirname(path), mode)
  try {
    return await work(folder, basename(path))
  } catch (error) {
    throw folder.named(error)
  } finally {
    folder.close()
  }
}

/**
 * As `openRegularFileSync`, for a path that has no links.
 *
 * @throws what that throws, and `LinkAppeared` if there is a link in the path.
 */
export function openWithoutLinks(path: string, limit = Infinity): number {
  const folder = holdFolder(dirname(path))
  try {
    return openInHeld(folder, path, limit)
  } finally {
    folder.close()
  }
}

/** The same for a file of a folder that is held already. `path` is its whole path. */
export function openInHeld(folder: HeldFolder, path: string, limit = Infinity): number {
  const file = folder.at(basename(path))
  const stats = lstatSync(file)
  if (stats.isSymbolicLink()) throw new LinkAppeared(path)
  checkRegular(path, stats, limit)
  const descriptor = openSync(file, NOT_BLOCKING | NO_LINK)
  try {
    checkRegular(path, fstatSync(descriptor), limit)
    folder.check()
    return descriptor
  } catch (error) {
    closeSync(descriptor)
    throw error
  }
}

/** A path for functions that take no descriptor: it leads to the open file wherever that can be said, and is `path` elsewhere. */
export const pathOfOpen = (descriptor: number, path: string): string => (canHold() ? linkOf(descriptor) : path)

const linkOf = (descriptor: number): string => `/proc/self/fd/${descriptor}`

let isHeld: boolean | null = null

/** Whether files can be reached through the descriptor of a folder: /proc may be missing. */
function canHold(): boolean {
  return (isHeld ??= process.platform === 'linux' && isReachedThroughDescriptor())
}

function isReachedThroughDescriptor(): boolean {
  try {
    const root = openSync('/', FOLDER)
    try {
      const [through, direct] = [statSync(`${linkOf(root)}/proc`), statSync('/proc')]
      return readlinkSync(linkOf(root)) === '/' && through.ino === direct.ino && through.dev === direct.dev
    } finally {
      closeSync(root)
    }
  } catch {
    return false
  }
}

function held(path: string, descriptor: number): HeldFolder {
  const through = linkOf(descriptor)
  return {
    at: name => `${through}/${name}`,
    below(name) {
      const at = join(path, name)
      try {
        return held(at, openIn(descriptor, { name, at, mode: undefined }))
      } catch (error) {
        throw withPath(error, through, path)
      }
    },
    check: () => {},
    named: error => withPath(error, through, path),
    close: () => closeSync(descriptor),
  }
}

/** Opens all of the path at once. Null if there is no such folder, or if the system says that it opened another one. */
function openFolder(path: string): number | null {
  let descriptor: number
  try {
    descriptor = openSync(path, FOLDER)
  } catch {
    return null
  }
  if (readlinkSync(linkOf(descriptor)) === path) return descriptor
  closeSync(descriptor)
  return null
}

/** Opens one name after the other: some file systems give a folder another name than it was asked for by. */
function openEach(path: string, mode?: number): number {
  let folder = openSync('/', FOLDER)
  let at = '/'
  try {
    for (const name of path.split('/').filter(Boolean)) {
      at = join(at, name)
      const next = openIn(folder, { name, at, mode })
      closeSync(folder)
      folder = next
    }
    return folder
  } catch (error) {
    closeSync(folder)
    throw withPath(error, linkOf(folder), dirname(at))
  }
}

function openIn(folder: number, { name, at, mode }: { name: string; at: string; mode: number | undefined }): number {
  const path = `${linkOf(folder)}/${name}`
  try {
    return openSync(path, FOLDER)
  } catch (error) {
    if (codeOf(error) === 'ENOENT' && mode !== undefined) {
      makeFolder(path, mode)
      return openIn(folder, { name, at, mode: undefined })
    }
    if (lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink()) throw new LinkAppeared(at)
    throw error
  }
}

/** The system's error, with `path` where it names `through`. */
function withPath(error: unknown, through: string, path: string): unknown {
  if (!(error instanceof Error)) return error
  const plain = (text: string): string => text.replaceAll(through, () => (path === '/' ? '' : path))
  error.message = plain(error.message)
  const { path: own, dest } = error as NodeJS.ErrnoException & { dest?: string }
  if (own !== undefined) Object.assign(error, { path: plain(own) })
  if (dest !== undefined) Object.assign(error, { dest: plain(dest) })
  return error
}

/** A folder that nothing holds. */
function watched(path: string, mode?: number): HeldFolder {
  checkNames(path)
  if (mode !== undefined) makeFolder(path, mode)
  const before = checkNames(path)
  if (!before) statSync(path)
  return {
    at: name => join(path, name),
    below: name => watched(join(path, name)),
    check() {
      const now = checkNames(path)
      if (now?.ino !== before?.ino || now?.dev !== before?.dev) throw new LinkAppeared(path)
    },
    named: error => error,
    close: () => {},
  }
}

/** The facts about the last name of a path; undefined if it is not there. @throws `LinkAppeared` if a name is a link. */
function checkNames(path: string): Stats | undefined {
  const { root } = parse(path)
  let at = root
  let stats = lstatSync(root, { throwIfNoEntry: false })
  for (const name of path.slice(root.length).split(sep).filter(Boolean)) {
    at = join(at, name)
    stats = lstatSync(at, { throwIfNoEntry: false })
    if (stats?.isSymbolicLink()) throw new LinkAppeared(at)
  }
  return stats
}
