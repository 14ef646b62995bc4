/** The context that a session begins with: where its tools work, and the instructions of the project. */
import { stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import process from 'node:process'
import { readRegularFileWithin } from '../../platform/regular-file.ts'

/** Bytes of the longest file of instructions, and of all of them. */
const MOST_OF_FILE = 64 * 1024
const MOST_OF_ALL = 256 * 1024

/** Reads each AGENTS.md from the root of the repository down to the folder. Whatever cannot be read is left out. */
export async function projectContext(folder: string): Promise<string[]> {
  const place = `The tools read, list, search, write, edit and bash run on the user's machine (${process.platform}), in the folder ${folder}.`
  const folders = await foldersFromRoot(folder)
  const found: string[] = []
  let bytes = 0
  for (const each of folders) {
    const path = join(each, 'AGENTS.md')
    const read = await readRegularFileWithin(path, { folder: folders[0] ?? folder, called: 'it' }, MOST_OF_FILE)
    if (!read.ok || (bytes += read.bytes.length) > MOST_OF_ALL) continue
    found.push(`Instructions of ${path}:\n\n${read.bytes.toString('utf8')}`)
  }
  return [place, ...found]
}

/** The folder and those above it up to its repository, the outermost first; the folder alone where there is none. */
async function foldersFromRoot(folder: string): Promise<string[]> {
  const folders = [folder]
  for (let current = folder; ; current = dirname(current)) {
    if (current !== folder) folders.unshift(current)
    if (await exists(join(current, '.git'))) return folders
    if (dirname(current) === current) return [folder]
  }
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  )
}
