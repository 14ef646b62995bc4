/** The target of a path, links resolved, also if it does not exist yet. */
import { lstatSync, readlinkSync, realpathSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'

/** The most links that point to what does not exist; more are a circle. */
const MOST = 40

/** Whether it is a file that has more than one name. Never throws. */
export function hasOtherNames(path: string): boolean {
  try {
    const stats = lstatSync(path)
    return stats.isFile() && stats.nlink > 1
  } catch {
    // It does not exist, or nobody can write it.
    return false
  }
}

/** Resolves the links of an absolute path: of the nearest part that exists, and of a link whose target is not there. Never throws. */
export function realPath(path: string, left = MOST): string {
  try {
    return realpathSync.native(path)
  } catch {
    const parent = dirname(path)
    if (parent === path || left === 0) return path
    const target = linkTarget(path)
    const folder = realPath(parent, left - 1)
    return target === null ? join(folder, basename(path)) : realPath(resolve(folder, target), left - 1)
  }
}

/** Whether there is something at the path, even a link that leads nowhere. True where the system does not say. Never throws. */
export function isThere(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined
  } catch {
    return true
  }
}

function linkTarget(path: string): string | null {
  try {
    return lstatSync(path).isSymbolicLink() ? readlinkSync(path) : null
  } catch {
    // It does not exist.
    return null
  }
}
