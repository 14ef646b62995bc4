/** The version of an installed agent, read from its package: nothing is run, since that may take seconds or ask something. */
import { readdir, realpath } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { z } from 'zod'
import { readRegularFile } from '../platform/regular-file.ts'
import { parseJson } from '../text/json.ts'

const packageSchema = z.object({ name: z.string(), version: z.string() })

/** The folders above a program that may be those of its package. */
const MOST_FOLDERS = 8
/** The most bytes of a package.json. */
const LARGEST = 200_000

/** The version in the package with this name that the program belongs to; null if it belongs to no such package. */
export async function installedVersion(file: string, name: string, by: 'npm' | 'python'): Promise<string | null> {
  const folder = await realpath(file).then(dirname, () => null)
  if (folder === null) return null
  return by === 'npm' ? npmVersion(folder, name) : pythonVersion(dirname(folder), name)
}

/** The program may be that of a package for this system, which the requested one has beside it. */
async function npmVersion(from: string, name: string): Promise<string | null> {
  let folder: string | null = from
  for (let at = 0; folder !== null && at < MOST_FOLDERS; at += 1) {
    const version = (await versionIn(folder, name)) ?? (await versionIn(join(folder, 'node_modules', name), name))
    if (version !== null) return version
    folder = dirname(folder) === folder ? null : dirname(folder)
  }
  return null
}

async function versionIn(folder: string, name: string): Promise<string | null> {
  const read = await readRegularFile(join(folder, 'package.json'), LARGEST)
  const found = packageSchema.safeParse(read.ok ? parseJson(read.bytes.toString('utf8')) : null)
  return found.success && found.data.name === name ? found.data.version : null
}

/** The version in the name of the folder that describes the package, such as `lib/python3.12/site-packages/a_name-1.0.dist-info`. */
async function pythonVersion(environment: string, name: string): Promise<string | null> {
  const lib = join(environment, 'lib')
  const pythons = (await names(lib)).filter(each => each.startsWith('python'))
  const places = [...pythons.map(each => join(lib, each)), join(environment, 'Lib')]
  for (const place of places.flatMap(each => [join(each, 'site-packages'), join(each, 'dist-packages')])) {
    for (const each of await names(place)) {
      const [, packageName = '', version] = /^(.+?)-([^-]+)\.dist-info$/.exec(each) ?? []
      if (version !== undefined && plain(packageName) === plain(name)) return version
    }
  }
  return null
}

function names(folder: string): Promise<string[]> {
  return readdir(folder).catch(() => [])
}

/** Python packages have one name in several spellings. */
function plain(name: string): string {
  return name.toLowerCase().replaceAll(/[-_.]+/g, '-')
}
