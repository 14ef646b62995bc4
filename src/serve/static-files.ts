/** The files of the page. Their names are known before the first request, so no request names a path. */
import { readdirSync } from 'node:fs'
import { extname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { readRegularFile } from '../platform/regular-file.ts'

/** `zipped` is the same by gzip. */
export type StaticFile = { type: string; bytes: Uint8Array; zipped: Uint8Array }
/** Null for a path that is none of the page's. */
export type StaticFiles = (path: string) => Promise<StaticFile | null>

/** Bytes of a file. */
const LARGEST = 4 * 1024 * 1024
const types: ReadonlyMap<string, string> = new Map([
  ['.html', 'text/html; charset=utf-8'],
  ['.js', 'text/javascript; charset=utf-8'],
  ['.css', 'text/css; charset=utf-8'],
  ['.webmanifest', 'application/manifest+json'],
  ['.svg', 'image/svg+xml'],
  ['.png', 'image/png'],
])
/** Beside the program that the build makes, and beside the sources. */
const PLACES = ['../web/', '../../dist/web/']

/** The files of a folder, read at the first request for each. */
export function staticFiles(folder: string): StaticFiles {
  const names = new Map<string, { name: string; type: string }>(
    listed(folder).flatMap(name => {
      const type = types.get(extname(name))
      return type === undefined ? [] : [[`/${name}`, { name, type }] as const]
    }),
  )
  const read = new Map<string, StaticFile>()
  return async path => {
    const asked = path === '/' ? '/index.html' : path
    const known = read.get(asked)
    if (known) return known
    const found = names.get(asked)
    if (!found) return null
    const file = await readRegularFile(join(folder, found.name), LARGEST)
    if (!file.ok) return null
    const made = { type: found.type, bytes: file.bytes, zipped: gzipSync(file.bytes) }
    read.set(asked, made)
    return made
  }
}

/** The folder with the page. Null if the program was built without it. */
export function pageFolder(): string | null {
  const folders = PLACES.map(place => fileURLToPath(new URL(place, import.meta.url)))
  return folders.find(folder => listed(folder).includes('index.html')) ?? null
}

function listed(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}
