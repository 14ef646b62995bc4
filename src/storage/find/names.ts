/**
 * Names in the index: folders and agents have numbers. What a passage is, whose it is and in which folder are words of the index, too,
 * of characters that no text has in it: so a search in one folder is as fast as one in all.
 */
import { isAbsolute } from 'node:path'
import type { FindDatabase } from './database.ts'
import { numberIn, textIn } from './database.ts'
import { passageKinds, type PassageKind } from './passage.ts'

/** Planes of Unicode for private use. Their characters are in no word of `words.ts`. */
const KINDS = 0xe000
const FOLDERS = 0xf0000
const AGENTS = 0x100000
const MOST = 0xfffd
/** Folders of one name that are searched. */
const MOST_FOLDERS = 500

export const kindMark = (kind: PassageKind): string => String.fromCodePoint(KINDS + passageKinds.indexOf(kind))

/** Folders and agents beyond the number of characters share the last one. The caller compares them too. */
export const folderMark = (id: number): string => String.fromCodePoint(FOLDERS + Math.min(id, MOST))
export const agentMark = (id: number): string => String.fromCodePoint(AGENTS + Math.min(id, MOST))

/** The number of a name; it gets one if it has none. */
export function numberOf(database: FindDatabase, name: string): number {
  const known = knownNumber(database, name)
  if (known !== null) return known
  database.run('insert into names(name) values(?)', name)
  return knownNumber(database, name) ?? 0
}

export function knownNumber(database: FindDatabase, name: string): number | null {
  const row = database.get('select id from names where name = ?', name)
  return row === undefined ? null : numberIn(row, 'id')
}

export function numbersOf(database: FindDatabase, name: string): number[] {
  const known = knownNumber(database, name)
  return known === null ? [] : [known]
}

/** The numbers of an absolute path, or of all folders with this last part. */
export function foldersNamed(database: FindDatabase, folder: string): number[] {
  if (isAbsolute(folder)) return numbersOf(database, folder)
  const ends = ['/', '\\'].map(separator => `${separator}${folder}`)
  return database
    .all(
      `select id from names where ${ends.map(() => 'substr(name, -length(?)) = ?').join(' or ')} limit ${MOST_FOLDERS}`,
      ...ends.flatMap(end => [end, end]),
    )
    .map(row => numberIn(row, 'id'))
}

export function nameOf(database: FindDatabase, id: number): string {
  return textIn(database.get('select name from names where id = ?', id), 'name')
}
