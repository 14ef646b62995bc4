/** Puts sessions into the index that changed since they were read, newest first, in bounded steps. */
import { closeSync, fstatSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { createReader } from '../../agent/schema-reader.ts'
import { isMissing } from '../../platform/errors.ts'
import { namesIn } from '../../platform/folders.ts'
import type { Pace } from '../../platform/pace.ts'
import { openRegularFileSync, UnreadableFile } from '../../platform/regular-file.ts'
import { parseJson } from '../../text/json.ts'
import { sessionIds, sessionPath } from '../sessions/session-path.ts'
import { numberIn, textIn, type FindDatabase } from './database.ts'
import { bytesOf, lineBytes } from './file-bytes.ts'
import { agentMark, folderMark, kindMark, numberOf } from './names.ts'
import { passageKinds } from './passage.ts'
import { newScan, scanStateSchema, SessionScan, titleOf, type ScannedPassage, type ScanState } from './session-scan.ts'
import { indexable } from './words.ts'

export type CatchUpOptions = {
  database: FindDatabase
  /** The folder with the folders of sessions. */
  root: string
  /** A word that no other program has, for the lease. */
  owner: string
  pace: Pace
  now: () => number
  isClosed: () => boolean
}

/** A file with the folder in front: `project-1234/20261127-120000-abcd.jsonl`. */
type SessionFile = { file: string; path: string; size: number; changed: number }

/** Bytes of files that are read in a transaction. */
const GROUP = 4 * 1024 * 1024
/** The numbers of passages that a transaction may give. Those of newer sessions are higher, so that they are found first. */
const BLOCK = 65_536
const MIDDLE = 2 ** 40
/** Most passages of a line: it has a text of a million characters, or a few. */
const MOST_OF_LINE = 2000
/** Bytes before the place up to which a file was read: they show that it is the same file. */
const TAIL = 64
/** Milliseconds after its last change from which on an answer that has no end will get none. */
const SETTLED = 60_000
/** A program that builds the index says so for this many milliseconds in advance. Others look again after `LOOK`. */
const LEASE = 10_000
const LOOK = 250

const readState = createReader<ScanState>(() => scanStateSchema)

/** @throws what SQLite throws. */
export async function catchUp(options: CatchUpOptions): Promise<void> {
  if (!(await takeLease(options))) return
  try {
    const unread = await changedFiles(options)
    while (unread.length > 0 && !options.isClosed()) {
      await transaction(options, () => addGroup(options, unread))
      // Other programs may write in between.
      await options.pace.rest()
    }
    if (!options.isClosed()) await forgetWords(options)
  } finally {
    giveLease(options)
  }
}

/** How much of all sessions is in the index, from 0 to 1. */
export function shareOf(database: FindDatabase): number {
  const sums = database.get('select sum(iif(done, seen, min(size, seen))) as done, sum(seen) as whole from sessions')
  const whole = numberIn(sums, 'whole')
  return whole === 0
    ? numberIn(database.get(`select value from facts where name = 'listed'`), 'value')
    : numberIn(sums, 'done') / whole
}

/** Waits until no other program builds the index. False if this one closes meanwhile. */
async function takeLease({ database, owner, now, isClosed }: CatchUpOptions): Promise<boolean> {
  // A clock that was set back must not lock everybody out.
  const isFree = (): boolean => {
    const until = numberIn(database.get(`select value from facts where name = 'until'`), 'value')
    const holder = textIn(database.get(`select value from facts where name = 'owner'`), 'value')
    return holder === owner || until < now() || until > now() + LEASE
  }
  for (let isTaken = false; !isClosed(); await pause(LOOK)) {
    // Only looking does not wait for the one who writes, and a lease that ends may be in a transaction that takes long.
    if (!isFree() || !database.tryBegin()) continue
    await finish(database, () => {
      isTaken = isFree()
      if (isTaken) noteLease(database, owner, now() + LEASE)
    })
    if (isTaken) return true
  }
  return false
}

function noteLease(database: FindDatabase, owner: string, until: number): void {
  database.run(`insert or replace into facts values('owner', ?)`, owner)
  database.run(`insert or replace into facts values('until', ?)`, until)
}

function giveLease({ database, owner }: CatchUpOptions): void {
  try {
    database.run(
      `delete from facts where name = 'until' and exists(select 1 from facts where name = 'owner' and value = ?)`,
      owner,
    )
  } catch {
    // It ends by itself.
  }
}

async function transaction({ database, owner, now }: CatchUpOptions, work: () => Promise<void>): Promise<void> {
  database.run('begin immediate')
  await finish(database, async () => {
    await work()
    noteLease(database, owner, now() + LEASE)
  })
}

/** Does the work of a transaction that has begun, and commits it. */
async function finish(database: FindDatabase, work: () => Promise<void> | void): Promise<void> {
  try {
    await work()
    database.run('commit')
  } catch (error) {
    // SQLite may have ended it itself.
    try {
      database.run('rollback')
    } catch {
      // It has.
    }
    throw error
  }
}

/** The files that changed, newest first. Forgets the sessions that are gone. */
async function changedFiles(options: CatchUpOptions): Promise<SessionFile[]> {
  const { database, root, pace } = options
  const files: SessionFile[] = []
  for (const folder of namesIn(root)) {
    for (const id of sessionIds(join(root, folder))) {
      const path = sessionPath(join(root, folder), id)
      const { size = 0, mtimeMs: changed = 0 } = statSync(path, { throwIfNoEntry: false }) ?? {}
      files.push({ file: join(folder, id), path, size, changed })
      if (pace.isDue()) await pace.rest()
    }
  }
  const present = new Map(files.map(file => [file.file, file]))
  const known = new Map(
    database.all('select id, file, seen, size, done from sessions').map(row => [textIn(row, 'file'), row]),
  )
  const gone = [...known].flatMap(([file, row]) => {
    const now = present.get(file)
    return now === undefined || now.size < numberIn(row, 'size') ? [numberIn(row, 'id')] : []
  })
  const changed = files.filter(({ file, size }) => {
    const row = known.get(file)
    return numberIn(row, 'done') === 0 || numberIn(row, 'seen') !== size
  })
  await transaction(options, async () => {
    for (const id of gone) {
      forget(database, id)
      if (pace.isDue()) await pace.rest()
    }
    // All are counted from the beginning, for the share of what is searched.
    for (const { file, size, changed: at } of changed)
      database.run(
        `insert into sessions(file, folder, title, seen, changed, size, done, at, tail, state) values(?, 0, '', ?, ?, 0, 0, 0, x'', '')
          on conflict(file) do update set seen = excluded.seen, changed = excluded.changed, done = 0`,
        file,
        size,
        at,
      )
    database.run(`insert or replace into facts values('listed', 1)`)
  })
  return changed.toSorted((a, b) => b.changed - a.changed)
}

function forget(database: FindDatabase, id: number): void {
  const { changes } = removePassages(database, id)
  if (changes > 0) database.run(`insert or replace into facts values('unclean', 1)`)
  database.run('delete from sessions where id = ?', id)
}

function removePassages(database: FindDatabase, id: number): { changes: number } {
  const count = numberIn(database.get('select count(*) as count from passages where session = ?', id), 'count')
  database.run('delete from words where rowid in (select id from passages where session = ?)', id)
  database.run('delete from passages where session = ?', id)
  return { changes: count }
}

/** The words of sessions that are gone stay in the index until it is written anew. */
async function forgetWords(options: CatchUpOptions): Promise<void> {
  const { database, pace, isClosed } = options
  if (numberIn(database.get(`select value from facts where name = 'unclean'`), 'value') === 0) return
  for (let before = -1, pages = -PAGES; !isClosed(); pages = PAGES) {
    const changes = numberIn(database.get('select total_changes() as count'), 'count')
    await transaction(options, async () => {
      database.run(`insert into words(words, rank) values('merge', ?)`, pages)
      await pace.rest()
    })
    // SQLite says so: nothing is left to merge if the command changed less than two rows.
    before = numberIn(database.get('select total_changes() as count'), 'count') - changes
    if (before < LEAST_CHANGES) break
  }
  if (isClosed()) return
  database.run(`delete from facts where name = 'unclean'`)
  database.get('pragma wal_checkpoint(truncate)')
}

/** Pages that are merged in a step. */
const PAGES = 64
const LEAST_CHANGES = 5

/** Reads the first files of `unread`, and takes those off it that are done. */
async function addGroup(options: CatchUpOptions, unread: SessionFile[]): Promise<void> {
  const { database } = options
  const group: SessionFile[] = []
  let bytes = 0
  for (const file of unread) {
    if (group.length > 0 && bytes + file.size > GROUP) break
    group.push(file)
    bytes += file.size
  }
  const adding = new Adding(options, blockFor(database, group[0]?.changed ?? 0))
  const done = new Set<SessionFile>()
  // The newest comes last, so that its passages have the highest numbers.
  for (const file of group.toReversed()) {
    if (options.isClosed()) break
    if (await adding.addFile(file)) done.add(file)
    if (adding.isFull()) break
  }
  for (let index = group.length - 1; index >= 0; index -= 1) {
    const file = unread[index]
    if (file && done.has(file)) unread.splice(index, 1)
  }
}

/** The first number of a block: above all others for a session that is not older than all others, else below. */
function blockFor(database: FindDatabase, changed: number): number {
  const [low, high] = ['low', 'high'].map(name => database.get('select value from facts where name = ?', name))
  const oldest = database.get('select min(changed) as changed from sessions where size > 0')?.['changed']
  const isOlder = typeof oldest === 'number' && changed < oldest
  const first = isOlder ? numberIn(low, 'value') - BLOCK : high === undefined ? MIDDLE : numberIn(high, 'value')
  if (low === undefined || isOlder) database.run(`insert or replace into facts values('low', ?)`, first)
  if (!isOlder) database.run(`insert or replace into facts values('high', ?)`, first + BLOCK)
  return first
}

/** One transaction's additions. */
class Adding {
  readonly #options: CatchUpOptions
  readonly #end: number
  #next: number
  #bytes = 0

  constructor(options: CatchUpOptions, first: number) {
    this.#options = options
    this.#next = first
    this.#end = first + BLOCK
  }

  isFull(): boolean {
    return this.#bytes > 2 * GROUP || this.#end - this.#next < MOST_OF_LINE
  }

  /** True if the file was read to its end, or cannot be read. */
  async addFile({ file, path }: SessionFile): Promise<boolean> {
    const { database } = this.#options
    let open: number
    try {
      open = openRegularFileSync(path)
    } catch (error) {
      // It was removed, or may not be read.
      if (!isMissing(error) && !(error instanceof UnreadableFile) && !isRefused(error)) throw error
      database.run('update sessions set done = 1 where file = ?', file)
      return true
    }
    try {
      const row = database.get('select id, size, tail, state, low from sessions where file = ?', file)
      return row === undefined || (await this.#addFrom(open, row))
    } finally {
      closeSync(open)
    }
  }

  async #addFrom(open: number, row: NonNullable<ReturnType<FindDatabase['get']>>): Promise<boolean> {
    const { database, pace, now, isClosed } = this.#options
    const id = numberIn(row, 'id')
    const { from, state } = beginningOf(open, row)
    // Another file has this name now.
    if (from === 0 && numberIn(row, 'size') > 0) forgetPassagesOf(database, id)
    const scan = new SessionScan(state, {
      add: passage => this.#add(id, scan.state(), passage),
      fail(rows) {
        for (const passage of rows)
          database.run('update passages set failed = 1 where id = ? and session = ?', passage, id)
      },
      read: (begin, end) => bytesOf(open, begin, end).toString('utf8'),
    })
    // What is written from now on is seen the next time.
    const { size: seen, mtimeMs } = fstatSync(open)
    const first = this.#next
    let size = from
    let isWhole = true
    for (const { bytes, from: begin, to } of lineBytes(open, from)) {
      if (bytes && SessionScan.isOf(typeOf(bytes))) scan.take(bytes.toString('utf8'), begin, to)
      this.#bytes += to - size
      size = to
      if (pace.isDue()) await pace.rest()
      isWhole = !this.isFull() && !isClosed()
      if (!isWhole) break
    }
    if (isWhole && now() - mtimeMs > SETTLED) scan.end()
    const after = scan.state()
    const low = numberIn(row, 'low')
    database.run(
      'update sessions set folder = ?, title = ?, seen = ?, size = ?, done = ?, at = ?, low = ?, tail = ?, state = ? where id = ?',
      numberOf(database, after.folder),
      titleOf(after),
      seen,
      // An unfinished line is none.
      size,
      // An answer that may go on is looked at again: it may get no end.
      isWhole && after.open === null ? 1 : 0,
      after.at,
      low === 0 || from === 0 ? first : Math.min(low, first),
      bytesOf(open, Math.max(0, size - TAIL), size),
      JSON.stringify(after),
      id,
    )
    return isWhole
  }

  #add(session: number, { folder }: ScanState, { piece, kind, agent, failed, from, to }: ScannedPassage): number {
    const { database } = this.#options
    const id = this.#next
    this.#next += 1
    const agentId = numberOf(database, agent)
    database.run(
      'insert into passages values(?, ?, ?, ?, ?, ?, ?, ?, ?)',
      id,
      session,
      passageKinds.indexOf(kind),
      agentId,
      failed ? 1 : 0,
      piece.at,
      from,
      to - from,
      piece.part,
    )
    const marks = [kindMark(kind), folderMark(numberOf(database, folder)), agentMark(agentId)].join(' ')
    database.run('insert into words(rowid, text) values(?, ?)', id, `${indexable(piece.text)} ${marks}`)
    return id
  }
}

function forgetPassagesOf(database: FindDatabase, id: number): void {
  if (removePassages(database, id).changes > 0) database.run(`insert or replace into facts values('unclean', 1)`)
}

/** Where the rest of a file begins: behind what was read, if that is still there. */
function beginningOf(
  open: number,
  row: NonNullable<ReturnType<FindDatabase['get']>>,
): { from: number; state: ScanState } {
  const size = numberIn(row, 'size')
  const tail = row['tail']
  const state = readState(parseJson(textIn(row, 'state')))
  const isSame = tail instanceof Uint8Array && Buffer.from(tail).equals(bytesOf(open, Math.max(0, size - TAIL), size))
  return isSame && state !== null && size > 0 ? { from: size, state } : { from: 0, state: newScan }
}

/** The type of a line as zotui writes it: its first member. */
function typeOf(line: Buffer): string {
  return /^\{"type":"(\w+)"/.exec(line.toString('latin1', 0, 60))?.[1] ?? ''
}

function isRefused(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'EACCES' || error.code === 'EPERM')
}
