/** The version of an installed agent, read from its package: nothing is run, since that may take seconds or ask something. */
import { realpath } from 'node:fs/promises'
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
export async function installedVersion(file: string, name: string): Promise<string | null> {
  let folder = await realpath(file).then(dirname, () => null)
  for (let at = 0; folder !== null && at < MOST_FOLDERS; at += 1) {
    const read = await readRegularFile(join(folder, 'package.json'), LARGEST)
    const found = packageSchema.safeParse(read.ok ? parseJson(read.bytes.toString('utf8')) : null)
    if (found.success && found.data.name === name) return found.data.version
    folder = dirname(folder) === folder ? null : dirname(folder)
  }
  return null
}
