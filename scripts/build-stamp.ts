/**
 * Whether the files in `dist` are what the build would make now. The stamp of the last build lists all files that it read and wrote with a
 * hash of their content, so that a switch between branches, which sets new times, costs no build, and an edit that keeps the time does.
 */
import { hash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'

/** Each file in these is an input, also one that was added since. */
const SOURCES = ['bin', 'components', 'scripts', 'src', 'themes']
/** npm writes the second one at each installation: the versions of all packages, such as the bundler. */
const MANIFESTS = ['package.json', 'node_modules/.package-lock.json']
const OUTPUTS = ['dist']
/** Not in `dist`, which is shipped. `npm ci` removes it with all packages. */
const STAMP = 'node_modules/.cache/zotui-build.json'

/** The names of files below `root`, with a hash of each; null for one that is missing. */
type Hashes = Record<string, string | null>

/** The sources of a build, as far as they are known before. An edit while it runs makes its stamp out of date. */
export function sourcesOf(root: string): Hashes {
  return hashed(root, [...MANIFESTS, ...SOURCES.flatMap(folder => filesIn(root, folder))])
}

/** Forgets the last build: one that fails half-way leaves no stamp. */
export function removeStamp(root: string): void {
  rmSync(join(root, STAMP), { force: true })
}

/**
 * Keeps what a build read and wrote. `modules` are absolute paths, also those of packages; `sources` were taken before it.
 * @throws if the build read a file whose changes nobody would see.
 */
export function writeStamp(root: string, sources: Hashes, modules: Iterable<string>): void {
  // The bundler's own modules have no file; their names begin with a NUL.
  const read = [...modules].filter(id => !id.startsWith('\0')).map(id => relative(root, id).replaceAll('\\', '/'))
  const packages = read.filter(name => name.startsWith('node_modules/'))
  const unseen = read.find(name => !packages.includes(name) && !SOURCES.includes(name.split('/')[0] ?? ''))
  if (unseen !== undefined) throw new Error(`The build read ${unseen}. Add its folder to SOURCES in build-stamp.ts.`)
  const file = join(root, STAMP)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, JSON.stringify({ sources, packages: hashed(root, packages), outputs: outputsOf(root) }))
}

/** Whether a build would read and write the same as the last one. */
export function isBuilt(root: string): boolean {
  const file = join(root, STAMP)
  if (!existsSync(file)) return false
  let stamp: unknown
  try {
    stamp = JSON.parse(readFileSync(file, 'utf8'))
  } catch {
    // It was cut off while it was written.
    return false
  }
  if (typeof stamp !== 'object' || stamp === null || !('packages' in stamp)) return false
  const packages = hashed(root, Object.keys(stamp.packages ?? {}))
  return JSON.stringify(stamp) === JSON.stringify({ sources: sourcesOf(root), packages, outputs: outputsOf(root) })
}

function outputsOf(root: string): Hashes {
  return hashed(
    root,
    OUTPUTS.flatMap(folder => filesIn(root, folder)),
  )
}

function hashed(root: string, names: readonly string[]): Hashes {
  return Object.fromEntries([...new Set(names)].toSorted().map(name => [name, hashOf(join(root, name))]))
}

function hashOf(file: string): string | null {
  return existsSync(file) ? hash('sha1', readFileSync(file)) : null
}

function filesIn(root: string, folder: string): string[] {
  if (!existsSync(join(root, folder))) return []
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter(entry => !entry.isDirectory())
    .map(entry => relative(root, join(entry.parentPath, entry.name)))
}
