/** The folder that the person works in. */
import { createHash } from 'node:crypto'
import { closeSync, openSync, statSync } from 'node:fs'
import { basename, dirname, join, resolve, sep } from 'node:path'
import { codeOf } from './errors.ts'
import { makeFolder } from './folders.ts'
import { readTextSync } from './regular-file.ts'

/** Bytes of a file of git's own that says where something is: it has one line. */
const ONE_LINE = 64 * 1024

/** The folder as people write it, with `~` for the home. */
export function folderLabel(folder: string, home: string): string {
  if (home === '' || home === sep) return folder
  if (folder === home) return '~'
  return folder.startsWith(home + sep) ? `~${folder.slice(home.length)}` : folder
}

/**
 * The branch that is checked out, read from `.git/HEAD` without running git; a short commit where the head is detached; null
 * outside a repository.
 */
export function gitBranch(folder: string): string | null {
  try {
    const git = gitFolder(folder)
    if (git === null) return null
    const head = readTextSync(join(git, 'HEAD'), ONE_LINE).trim()
    const branch = /^ref: refs\/heads\/(.+)$/.exec(head)?.[1]
    return branch ?? (/^[\da-f]{40,64}$/.test(head) ? head.slice(0, 7) : null)
  } catch {
    // No repository, or one that cannot be read: then there is no branch to show.
    return null
  }
}

/**
 * The folder whose `.zotui` is the project's: this one, or else the next above it that has one, as far as the repository goes.
 * Outside of a repository what stands above belongs to who knows whom.
 */
export function projectFolder(folder: string): string {
  const start = resolve(folder)
  let found: string | null = null
  for (let current = start; ; current = dirname(current)) {
    if (found === null && statSync(join(current, '.zotui'), { throwIfNoEntry: false })?.isDirectory()) found = current
    if (found === start) return start
    if (statSync(join(current, '.git'), { throwIfNoEntry: false })) return found ?? start
    if (dirname(current) === current) return start
  }
}

function gitFolder(folder: string): string | null {
  for (let current = resolve(folder); ; current = dirname(current)) {
    const path = join(current, '.git')
    const found = statSync(path, { throwIfNoEntry: false })
    if (found?.isDirectory()) return path
    // A worktree or submodule has a file here that says where its own folder is.
    if (found?.isFile()) {
      const target = /^gitdir: (.+)$/m.exec(readTextSync(path, ONE_LINE))?.[1]
      return target === undefined ? null : resolve(current, target)
    }
    if (dirname(current) === current) return null
  }
}

/**
 * Whether zotui starts in this folder for the first time, which is noted. Each folder is a file of its own, so that many
 * programs may do this at once. Where nothing can be noted it is the first time every time.
 */
export function isFirstStart(folder: string, stateFolder: string): boolean {
  const known = join(stateFolder, 'folders')
  const mark = createHash('sha256').update(resolve(folder)).digest('hex').slice(0, 16)
  try {
    makeFolder(known)
    closeSync(openSync(join(known, `${basename(resolve(folder)).slice(0, 40)}-${mark}`), 'wx', 0o600))
    return true
  } catch (error) {
    return codeOf(error) !== 'EEXIST'
  }
}
