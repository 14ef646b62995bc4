import { relative, sep } from 'node:path'
import { pathWithin } from '../platform/within.ts'

/** A path from a folder, with slashes; null for what does not lie below it. */
export function below(folder: string, file: string): string | null {
  return pathWithin(folder, file) || null
}

/** How files are called on the screen: from the folder if they are below it or in the same repository, else by all of their path. */
export function pathShower(folder: string, top: string | null): (file: string) => string {
  return file => {
    const isNear = below(folder, file) !== null || (top !== null && below(top, file) !== null)
    return isNear ? relative(folder, file).replaceAll(sep, '/') : file
  }
}
