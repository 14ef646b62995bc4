/** Saves an export to a file. An existing file is overwritten only on request. */
import { existsSync, realpathSync, statSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { codeOf, messageOf } from '../platform/errors.ts'
import { createContent, replaceContent } from '../platform/replace-content.ts'
import { dateTime } from './fact-words.ts'
import type { ExportFormat } from './formats.ts'
import type { Transcript } from './schema.ts'

/** The result of saving; `isTaken` says that the file already exists. */
export type SavedExport = { ok: true; path: string } | { ok: false; message: string; hint: string; isTaken: boolean }

export type SaveTarget = {
  /** A file, or a folder for a file of the usual name; null for the folder itself. A relative path begins in the folder. */
  file: string | null
  folder: string
  format: ExportFormat
  overwrite?: boolean
}

/** The last number that is tried in a file's name. */
const MOST_NUMBERED = 1000

/** Only the user may read it. */
const MODE = 0o600

/** Saves the text in a file that only the user may read. The file is there as a whole or not at all, whatever happens on the way. */
export async function saveExport(text: string, transcript: Transcript, target: SaveTarget): Promise<SavedExport> {
  const { file, folder, format, overwrite = false } = target
  const path = resolve(folder, file ?? '.')
  try {
    const there = statSync(path, { throwIfNoEntry: false })
    const bytes = Buffer.from(text)
    if (there?.isDirectory()) return await saveAs(usualName(transcript), path, format, bytes)
    // A pipe or a device takes the text, and stays what it is.
    if (overwrite && there && !there.isFile()) await writeFile(path, bytes)
    else if (overwrite && there) await replaceContent(realpathSync(path), bytes)
    else await createContent(path, bytes, MODE)
    return { ok: true, path }
  } catch (error) {
    return { ok: false, ...explained(error, path), isTaken: codeOf(error) === 'EEXIST' }
  }
}

/** Saves a text under a name of ours in a folder. A name that is taken gets a number. */
export async function saveUnder(name: string, extension: string, folder: string, text: string): Promise<SavedExport> {
  try {
    return await saveAs(name, folder, extension, Buffer.from(text))
  } catch (error) {
    return { ok: false, ...explained(error, join(folder, `${name}.${extension}`)), isTaken: codeOf(error) === 'EEXIST' }
  }
}

/** Adds a number to a name that is taken. */
async function saveAs(name: string, folder: string, extension: string, bytes: Buffer): Promise<SavedExport> {
  for (let number = 1; ; number += 1) {
    const path = join(folder, `${name}${number === 1 ? '' : `-${number}`}.${extension}`)
    if (number < MOST_NUMBERED && existsSync(path)) continue
    try {
      await createContent(path, bytes, MODE)
    } catch (error) {
      if (codeOf(error) === 'EEXIST' && number < MOST_NUMBERED) continue
      throw error
    }
    return { ok: true, path }
  }
}

/** The date and the title, in characters that every system accepts. */
function usualName({ startedAt, title }: Transcript): string {
  const day = dateTime(startedAt, undefined).slice(0, 10)
  const words = title
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/\p{M}+/gu, '')
    .replaceAll(/[^\p{L}\p{N}]+/gu, '-')
    .replaceAll(/^-+|-+$/g, '')
  // A long title ends with a whole word.
  const beginning = /^.{0,48}/u.exec(words)?.[0] ?? ''
  const short = beginning === words ? words : beginning.replace(/-[^-]*$/, '')
  return [day, short || 'session'].filter(Boolean).join('-')
}

function explained(error: unknown, path: string): { message: string; hint: string } {
  switch (codeOf(error)) {
    case 'EEXIST':
      return { message: `${path} already exists.`, hint: 'Choose another file name.' }
    case 'ENOENT':
    case 'ENOTDIR':
      return { message: `${path} cannot be written: its folder does not exist.`, hint: 'Create the folder first.' }
    default:
      return {
        message: `${path} cannot be written: ${messageOf(error)}`,
        hint: '',
      }
  }
}
