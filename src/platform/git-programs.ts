/** Detects settings of a repository with which even a reading git command runs programs or reads other folders. */
import { existsSync, statSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { isMissing } from './errors.ts'
import { readTextSync } from './regular-file.ts'

/**
 * Settings that name a program, another file of settings or another folder. Reading commands fetch what a partial clone lacks, with
 * its own `uploadpack` or protocol.
 */
const names =
  /\b(?:fsmonitor|textconv|clean|smudge|process|command|external|program|hookspath|sshcommand|alternaterefscommand|uploadpack|pager|worktree)\b\s*=|\[\s*(?:include|pager|protocol)/i
/** git's own watcher. */
const harmless = /\bfsmonitor\s*=\s*(?:true|false)\s*$/gim

/** The reason why git might run a program in the folder; null if it cannot. Never throws. */
export function gitPrograms(folder: string): string | null {
  try {
    const found = repositoryOf(folder)
    if (found === null) return null
    // Files of a project can look like a repository.
    if (found.isBare) return `${found.path} is a repository without .git, and its settings can run programs`
    const common = textOf(join(found.path, 'commondir'))?.trim()
    const folders = common === undefined ? [found.path] : [found.path, resolve(found.path, common)]
    const files = folders.flatMap(path => [join(path, 'config'), join(path, 'config.worktree')])
    const file = files.find(path => names.test((textOf(path) ?? '').replaceAll(harmless, '')))
    return file === undefined ? null : `the settings in ${file} can make git run programs`
  } catch {
    return "git's settings in the folder cannot be read"
  }
}

/** The repository that git takes here. */
function repositoryOf(folder: string): { path: string; isBare: boolean } | null {
  const git = join(folder, '.git')
  const stats = statSync(git, { throwIfNoEntry: false })
  if (stats?.isDirectory()) return { path: git, isBare: false }
  const [, path] = /^gitdir: *(.+?)\s*$/.exec(stats ? readTextSync(git) : '') ?? []
  if (path !== undefined) return { path: resolve(folder, path), isBare: false }
  if (['HEAD', 'objects', 'refs'].every(name => existsSync(join(folder, name)))) return { path: folder, isBare: true }
  const parent = dirname(folder)
  return parent === folder ? null : repositoryOf(parent)
}

/** Undefined where there is no such file. */
function textOf(path: string): string | undefined {
  try {
    return readTextSync(path)
  } catch (error) {
    if (isMissing(error)) return undefined
    throw error
  }
}
