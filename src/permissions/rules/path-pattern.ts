/** Patterns of paths, as in a .gitignore: `src/**`, `*.pem`, `~/.ssh/**`, `/etc/**`. Relative ones count from the session's folder. */
import ignore from 'ignore'
import { absolutePath, pathInside } from '../paths.ts'
import type { Place } from '../policy.ts'

type Base = Pick<Place, 'folder' | 'home'>

/** Whether the path, which is absolute and without links, is exactly what an allow rule names. Capitals count. */
export function allowsPath(pattern: string, path: string, base: Base): boolean {
  const [first] = readings(pattern, base)
  return first !== undefined && fits(first, path, false)
}

/**
 * Whether a deny or ask rule may mean the path. Capitals do not matter, a pattern with a slash in front also counts from the
 * folder, as in other programs, and one without a slash means files of this name everywhere.
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
  // Each `..` in front is a folder above.
  const ups = /^(?:\.\.\/)*/.exec(text)?.[0] ?? ''
  return ups === ''
    ? [{ root: folder, glob: plain }]
    : [{ root: absolutePath(ups, { folder, home }), glob: `/${text.slice(ups.length)}` }]
}

function fits({ root, glob }: PathReading, path: string, ignoreCase: boolean): boolean {
  const inside = pathInside(root, path)
  if (inside === null) return false
  // The folder itself is in `**` of the folder.
  if (inside === '') return /^\/?\*\*?$/.test(glob) || glob === '/' || glob === '.'
  if (glob === '.' || glob === '/') return true
  return ignore({ ignorecase: ignoreCase }).add([glob]).ignores(inside)
}
