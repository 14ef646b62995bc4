/** Makes paths absolute, and says whether one is inside a folder, for POSIX and Windows. The file system is not accessed. */

const rooted = /^(?:[/\\]|[A-Za-z]:[/\\])/
/** A path that is absolute and plain already. */
const plain = /^(?:\/(?!\.\.?(?:\/|$))[^/\\]+)+$/
const onWindows = /^(?:[A-Za-z]:|\\\\)/

/** The absolute path, with slashes, without `.`, `..` and a final slash. `~` is the user's home folder. */
export function absolutePath(path: string, { folder, home }: { folder: string; home: string }): string {
  if (plain.test(path)) return path
  const expanded = /^~(?=[/\\]|$)/.test(path) ? home + path.slice(1) : path
  const whole = rooted.test(expanded) ? expanded : `${folder}/${expanded}`
  const parts: string[] = []
  for (const part of (onWindows.test(folder) ? whole.replaceAll('\\', '/') : whole).split('/')) {
    if (part === '..') parts.pop()
    else if (part !== '' && part !== '.') parts.push(part)
  }
  return /^[A-Za-z]:$/.test(parts[0] ?? '') ? parts.join('/') : `/${parts.join('/')}`
}

/** The path relative to the folder: '' for the folder itself, null for a path outside of it. Both arguments are absolute. */
export function pathInside(folder: string, path: string): string | null {
  const place = { folder, home: '' }
  const base = absolutePath(folder, place)
  const file = absolutePath(path, place)
  if (file === base) return ''
  const start = base === '/' ? base : `${base}/`
  return file.startsWith(start) ? file.slice(start.length) : null
}

/** Whether a path is in the folder, or in one of those beside it that the user has opened. All are absolute, without links. */
export function isOpenTo({ folder, more = [] }: { folder: string; more?: readonly string[] }, path: string): boolean {
  return rootOf({ folder, more }, path) !== null
}

/** The first of these folders that the path is in; null for none. */
export function rootOf(
  { folder, more = [] }: { folder: string; more?: readonly string[] },
  path: string,
): string | null {
  return [folder, ...more].find(each => pathInside(each, path) !== null) ?? null
}
