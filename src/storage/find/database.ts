/**
 * The index: a database of SQLite beside the sessions. It has the words of all passages, and for each the bytes of the session's file
 * that it is read from, but not its text.
 */
import { chmodSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import type { DatabaseSync, SQLInputValue, SQLOutputValue, StatementSync } from 'node:sqlite'
import { lookup } from '../../text/lookup.ts'
import { makeFolder } from '../../platform/folders.ts'

export type Row = Readonly<Record<string, SQLOutputValue>>

/** Another number has other tables or other passages. Then the index is made again. */
const FORMAT = 3
/** Milliseconds for which another program may write before this one gives up. */
const PATIENCE = 5000

const tables = `
  create table facts(name text primary key, value any) strict, without rowid;
  create table names(id integer primary key, name text not null unique) strict;
  create table sessions(
    id integer primary key, file text not null unique, folder integer not null, title text not null, seen integer not null,
    changed real not null, size integer not null, done integer not null, at real not null, low integer, tail blob not null, state text not null) strict;
  create table passages(
    id integer primary key, session integer not null, kind integer not null, agent integer not null, failed integer not null,
    at real not null, start integer not null, bytes integer not null, part integer not null) strict;
  create index passages_of_session on passages(session);
  create virtual table words using fts5(
    text, content='', contentless_delete=1, detail=none, prefix='1 2 3 4', tokenize='ascii');
  pragma user_version = ${FORMAT};`

/** The constructor of `node:sqlite`, which not every Node has. */
export type OpenDatabase = (path: string) => DatabaseSync

export class FindDatabase {
  readonly #path: string
  readonly #open: OpenDatabase
  #database: DatabaseSync
  #statements = new Map<string, StatementSync>()

  /** @throws what SQLite throws. */
  constructor(path: string, open: OpenDatabase) {
    this.#path = path
    this.#open = open
    this.#database = this.#opened()
  }

  run(sql: string, ...values: SQLInputValue[]): void {
    this.#statement(sql).run(...values)
  }

  get(sql: string, ...values: SQLInputValue[]): Row | undefined {
    return this.#statement(sql).get(...values)
  }

  all(sql: string, ...values: SQLInputValue[]): Row[] {
    return this.#statement(sql).all(...values)
  }

  /** Begins a transaction that writes. False if another program is writing. */
  tryBegin(): boolean {
    this.#database.exec('pragma busy_timeout = 0')
    try {
      this.#database.exec('begin immediate')
      return true
    } catch (error) {
      if (sqliteCode(error) === BUSY) return false
      throw error
    } finally {
      this.#database.exec(`pragma busy_timeout = ${PATIENCE}`)
    }
  }

  /** Makes the index again, empty. @throws what SQLite and the system throw. */
  rebuild(): void {
    this.close()
    this.#remove()
    this.#database = this.#opened()
  }

  close(): void {
    this.#statements.clear()
    if (this.#database.isOpen) this.#database.close()
  }

  #statement(sql: string): StatementSync {
    const known = this.#statements.get(sql)
    if (known) return known
    const made = this.#database.prepare(sql)
    this.#statements.set(sql, made)
    return made
  }

  #opened(): DatabaseSync {
    try {
      return this.#prepared()
    } catch (error) {
      if (!isDamaged(error)) throw error
      this.#remove()
      return this.#prepared()
    }
  }

  /** @throws an error of a damaged database also for one of another format. */
  #prepared(): DatabaseSync {
    makeFolder(dirname(this.#path))
    // SQLite gives its other files the same mode.
    writeFileSync(this.#path, '', { flag: 'a', mode: 0o600 })
    const database = this.#open(this.#path)
    try {
      database.exec(`pragma busy_timeout = ${PATIENCE}; pragma journal_mode = wal; pragma synchronous = normal;
        pragma secure_delete = on; pragma temp_store = memory; pragma cache_size = -16000;`)
      // Only looking does not wait for a program that writes.
      if (isMade(database)) return database
      // Of two programs that make the tables one waits, and finds them.
      database.exec('begin immediate')
      if (!isMade(database)) this.#make(database)
      database.exec('commit')
      return database
    } catch (error) {
      database.close()
      throw error
    }
  }

  #make(database: DatabaseSync): void {
    // The file may have been there, and open to others.
    chmodSync(this.#path, 0o600)
    database.exec(tables)
  }

  #remove(): void {
    for (const ending of ['', '-wal', '-shm', '-journal']) rmSync(this.#path + ending, { force: true })
  }
}

/** The tables and their format are committed together. @throws OtherFormat */
function isMade(database: DatabaseSync): boolean {
  if (database.prepare('select count(*) as count from sqlite_schema').get()?.['count'] === 0) return false
  if (database.prepare('pragma user_version').get()?.['user_version'] !== FORMAT) throw new OtherFormat()
  return true
}

class OtherFormat extends Error {}

/** SQLite's numbers for a damaged database, and for a file that is none. */
const damages = new Set([11, 26])
const FULL = 13
const BUSY = 5

export function isDamaged(error: unknown): boolean {
  return error instanceof OtherFormat || damages.has(sqliteCode(error))
}

export function isFull(error: unknown): boolean {
  return sqliteCode(error) === FULL
}

/** SQLite's number of an error, without its details; -1 for another error. */
function sqliteCode(error: unknown): number {
  return error instanceof Error && 'errcode' in error && typeof error.errcode === 'number' ? error.errcode & 0xff : -1
}

export function numberIn(row: Row | undefined, name: string): number {
  const value = row && lookup(row, name)
  return typeof value === 'number' ? value : Number(value ?? 0)
}

export function textIn(row: Row | undefined, name: string): string {
  const value = row && lookup(row, name)
  return typeof value === 'string' ? value : ''
}
