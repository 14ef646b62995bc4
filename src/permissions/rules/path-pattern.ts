/**
 * Path patterns, as in a .gitignore: `src/**`, `*.pem`, `~/.ssh/**`, `/etc/**`. Relative patterns start at the session's folder.
 */
import ignore from 'ignore'
import { absolutePath, pathInside } from '../paths.ts'
import type { Place } from '../policy.ts'

type Base = Pick<Place, 'folder' | 'home'>

/** Whether an allow rule names exactly this path, which is absolute and without links. Case-sensitive. */
export function allowsPath(pattern: string, path: string, base: Base): boolean {
  const [first] = readings(pattern, base)
  return first !== undefined && fits(first, path, false)
}

/**
 * Whether a deny or ask rule may match the path. Case is ignored. A pattern with a leading slash also starts at the folder, as in
 * other programs; one without a slash matches files of this name anywhere.
 */
export function mayMeanPath(pattern: string, path: string, base: Base): boolean {
  const all = readings(pattern, base)
  if (pattern.startsWith('/')) all.push({ root: base.folder, glob: pattern })
  if (!pattern.includes('/')) all.push({ root: '/', glob: pattern })
  return all.some(each => fits(each, path, true))
}

type PathReading = { root: string; glob: string }

function readings(pattern: string, { folder, home }: Base): PathReading[] {
  const text = pattern.trim()
  if (/^[A-Za-z]:\//.test(text)) return [{ root: text.slice(0, 2), glob: text.slice(2) }]
  if (text.startsWith('/')) return [{ root: '/', glob: text.replace(/^\/+/, '/') }]
  if (/^~(?:\/|$)/.test(text)) return [{ root: home, glob: text.slice(1) || '/**' }]
  const plain = text.replace(/^(?:\.\/)+/, '/')
  // Each leading `..` is one folder up.
  const ups = /^(?:\.\.\/)*/.exec(text)?.[0] ?? ''
  return ups === ''
    ? [{ root: folder, glob: plain }]
    : [{ root: absolutePath(ups, { folder, home }), glob: `/${text.slice(ups.length)}` }]
}

function fits({ root, glob }: PathReading, path: string, ignoreCase: boolean): boolean {
  const inside = pathInside(root, path)
  if (inside === null) return false
  // `**` of a folder matches the folder itself, too.
  if (inside === '') return /^\/?\*\*?$/.test(glob) || glob === '/' || glob === '.'
  if (glob === '.' || glob === '/') return true
  return ignore({ ignorecase: ignoreCase }).add([glob]).ignores(inside)
}
