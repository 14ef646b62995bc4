/** Distinguishes pasted or dropped paths from text. Pure: the caller checks whether the files exist. */
import { fileURLToPath } from 'node:url'

export type DroppedPath = {
  path: string
  /** Whether its name ends like an image's. Only the content is proof. */
  image: boolean
}

export type DropOptions = {
  /** The user's home folder, for `~/`; without it such a path stays as it is. */
  home?: string
  /** Under `wsl` the terminal is a Windows program and drops Windows paths. */
  system?: 'posix' | 'windows' | 'wsl'
}

/** More than a user drops, and not so much that looking for the files would take long. */
const LONGEST = 16_384
const MOST = 100

/** Whether a name ends like an image that agents take. */
export function looksLikeImage(path: string): boolean {
  return /[^/\\]\.(?:png|jpe?g|gif|webp)$/i.test(path)
}

/**
 * The ways to read a paste as paths and nothing else, the likeliest first; none where it is text. There is more than one
 * where blanks can be part of a name (`/tmp/a b.png`): take the first of which all files exist.
 */
export function readDroppedPaths(pasted: string, options: DropOptions = {}): DroppedPath[][] {
  const text = pasted.trim()
  if (text === '' || text.length > LONGEST || /[\0-\x08\x0b\x0c\x0e-\x1f\x7f]/.test(text)) return []
  const windows = options.system !== undefined && options.system !== 'posix' && /^["']?(?:[a-z]:[\\/]|\\\\)/i.test(text)
  const lines = text.split(/[\r\n]+/).map(line => line.trim())
  // URLs need no quotes, and may have some in them.
  const urls = /^file:/i.test(text) ? [text.split(/\s+/)] : []
  const readings = [...urls, wordsOf(text, windows), lines, lines.map(line => unescaped(line, windows))]
  const seen = new Set<string>()
  return readings.flatMap(words => {
    const paths = words === null ? null : asPaths(words, options)
    const key = JSON.stringify(paths)
    if (paths === null || seen.has(key)) return []
    seen.add(key)
    return [paths]
  })
}

function asPaths(words: readonly string[], options: DropOptions): DroppedPath[] | null {
  if (words.length === 0 || words.length > MOST) return null
  const paths = words.map(word => asPath(word, options))
  return paths.every(path => path !== null) ? paths.map(path => ({ path, image: looksLikeImage(path) })) : null
}

function asPath(word: string, { home, system = 'posix' }: DropOptions): string | null {
  if (/^file:/i.test(word)) return fromUrl(word, system)
  if (/^[a-z]:[\\/]/i.test(word)) return system === 'posix' ? null : fromWindows(word, system)
  if (word.startsWith('\\\\')) return system === 'windows' ? word : null
  if (word.startsWith('~/')) return home === undefined ? word : home + word.slice(1)
  if (/^\.{0,2}\/./.test(word)) return word
  // A bare name is a word like any other, unless it can hardly be one.
  return looksLikeImage(word) && !/^(?:["']|[a-z][a-z\d+.-]*:)/i.test(word) ? word : null
}

function fromUrl(url: string, system: 'posix' | 'windows' | 'wsl'): string | null {
  try {
    const windows = system !== 'posix' && /^file:\/{2,3}[a-z]:/i.test(url)
    // Some desktops name the machine, which is this one.
    const path = fileURLToPath(url.replace(/^file:\/\/localhost\//i, 'file:///'), { windows })
    return windows ? fromWindows(path, system) : path
  } catch {
    // Another machine's file, or no path at all.
    return null
  }
}

/** Under WSL the drives are mounted as /mnt/c. */
function fromWindows(path: string, system: 'posix' | 'windows' | 'wsl'): string {
  return system === 'wsl' ? `/mnt/${path.charAt(0).toLowerCase()}${path.slice(2).replaceAll('\\', '/')}` : path
}

/** Words as terminals quote what is dropped on them; null where a quote is left open. */
function wordsOf(text: string, windows: boolean): string[] | null {
  const word = windows ? /(?:"[^"]*"|'[^']*'|[^\s"'])+/y : /(?:'[^']*'|"(?:[^"\\]|\\[^])*"|\\[^]|[^\s'"\\])+/y
  const words: string[] = []
  for (const blanks = /\s*/y; word.lastIndex < text.length; word.lastIndex = blanks.lastIndex) {
    const match = word.exec(text)
    if (match === null) return null
    words.push(unescaped(match[0], windows))
    blanks.lastIndex = match.index + match[0].length
    blanks.exec(text)
  }
  return words
}

function unescaped(word: string, windows: boolean): string {
  if (windows)
    return word.replace(/"([^"]*)"|'([^']*)'/g, (_, double?: string, single?: string) => double ?? single ?? '')
  const quoted = /'([^']*)'|"((?:[^"\\]|\\[^])*)"|\\([^])/g
  return word.replace(quoted, (_, single?: string, double?: string, escaped?: string) => {
    return escaped ?? single ?? double?.replace(/\\([\\"$`])/g, '$1') ?? ''
  })
}
