/** Facts about the folder that the user works in. */
import { createHash } from 'node:crypto'
import { closeSync, openSync, statSync } from 'node:fs'
import { basename, dirname, join, resolve, sep } from 'node:path'
import { codeOf } from './errors.ts'
import { makeFolder } from './folders.ts'
import { readTextSync } from './regular-file.ts'

/** In bytes. Git's pointer files have one line. */
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
    // There is no repository, or it cannot be read.
    return null
  }
}

/**
 * The folder whose `.zotui` is used: this one, or the nearest folder above it that has one, within the repository. Outside of a
 * repository only this folder counts, since the folders above may belong to others.
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
    // A worktree or submodule has a file here with the path of its git folder.
    if (found?.isFile()) {
      const target = /^gitdir: (.+)$/m.exec(readTextSync(path, ONE_LINE))?.[1]
      return target === undefined ? null : resolve(current, target)
    }
    if (dirname(current) === current) return null
  }
}

/**
 * Whether zotui starts in this folder for the first time; the start is recorded. Each folder has its own file, so that many
 * programs may do this at once. Where the file cannot be written, each start counts as the first.
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
