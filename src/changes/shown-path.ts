import { relative, sep } from 'node:path'
import { pathWithin } from '../platform/within.ts'

/** A path relative to a folder, with slashes; null if it is not below the folder. */
export function below(folder: string, file: string): string | null {
  return pathWithin(folder, file) || null
}

/** Makes the paths to show: relative to the folder if below it or in the same repository, otherwise absolute. */
export function pathShower(folder: string, top: string | null): (file: string) => string {
  return file => {
    const isNear = below(folder, file) !== null || (top !== null && below(top, file) !== null)
    return isNear ? relative(folder, file).replaceAll(sep, '/') : file
  }
}
