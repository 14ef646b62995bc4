/** Saves an export to a file. An existing file is overwritten only on request. */
import { closeSync, openSync, statSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { codeOf, messageOf } from '../platform/errors.ts'
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

/** Saves the text in a file that only the user may read. */
export function saveExport(text: string, transcript: Transcript, target: SaveTarget): SavedExport {
  const { file, folder, format, overwrite = false } = target
  const path = resolve(folder, file ?? '.')
  try {
    const isFolder = statSync(path, { throwIfNoEntry: false })?.isDirectory() === true
    if (isFolder) return saveAs(usualName(transcript), path, format, text)
    writeFileSync(path, text, { mode: 0o600, flag: overwrite ? 'w' : 'wx' })
    return { ok: true, path }
  } catch (error) {
    return { ok: false, ...explained(error, path), isTaken: codeOf(error) === 'EEXIST' }
  }
}

/** Adds a number to a name that is taken. */
function saveAs(name: string, folder: string, format: ExportFormat, text: string): SavedExport {
  for (let number = 1; ; number += 1) {
    const path = join(folder, `${name}${number === 1 ? '' : `-${number}`}.${format}`)
    let file: number
    try {
      file = openSync(path, 'wx', 0o600)
    } catch (error) {
      if (codeOf(error) === 'EEXIST' && number < MOST_NUMBERED) continue
      throw error
    }
    try {
      writeFileSync(file, text)
    } finally {
      closeSync(file)
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
