/** The rules of one .gitignore. */
import { matchesPath, readIgnorePattern, type IgnorePattern } from './ignore-pattern.ts'
import { withoutEnd } from '../without-end.ts'

/** Characters of a line. A longer one is no pattern that people write, and would take long to compare. */
const LONGEST_LINE = 1000

type IgnoreRule = { pattern: IgnorePattern; isIgnored: boolean }

export type IgnoreFile = readonly IgnoreRule[]

/** Upper and lower case are the same, because some file systems have it so. Lines that can match nothing are left out. */
export function readIgnoreFile(text: string): IgnoreFile {
  return text
    .replace(/^\uFEFF/, '')
    .split('\n')
    .flatMap(line => readLine(line.replace(/\r$/, '')))
}

function readLine(line: string): IgnoreRule[] {
  if (line.length > LONGEST_LINE || line.startsWith('#')) return []
  const isIgnored = !line.startsWith('!')
  const text = withoutSpaces(isIgnored ? line : line.slice(1))
  const pattern = /^\/?$/.test(text) ? null : readIgnorePattern(text, true)
  return pattern === null ? [] : [{ pattern, isIgnored }]
}

/** Without the spaces at the end, but with one after a backslash. */
function withoutSpaces(line: string): string {
  const end = withoutEnd(line, / /).length
  const escapes = end - withoutEnd(line.slice(0, end), /\\/).length
  return line.slice(0, escapes % 2 === 1 && end < line.length ? end + 1 : end)
}

/**
 * Whether the last line that matches the path ignores it; null if none matches. The path is relative to the file's folder. Folders
 * above the path are not looked at.
 */
export function isIgnoredBy(file: IgnoreFile, path: string, isFolder: boolean): boolean | null {
  return file.findLast(({ pattern }) => matchesPath(pattern, path, isFolder))?.isIgnored ?? null
}
