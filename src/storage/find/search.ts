/** Asks the index. */
import { closeSync } from 'node:fs'
import { join } from 'node:path'
import type { Pace } from '../../platform/pace.ts'
import { openRegularFileSync } from '../../platform/regular-file.ts'
import { decodeLine } from '../sessions/session-format.ts'
import { shareOf } from './catch-up.ts'
import { numberIn, textIn, type FindDatabase, type Row } from './database.ts'
import { excerptOf } from './excerpt.ts'
import { bytesOf } from './file-bytes.ts'
import { agentMark, folderMark, foldersNamed, kindMark, nameOf, numbersOf } from './names.ts'
import { passageKinds, type FindAnswer, type FindQuery, type FoundPassage, type PassageKind } from './passage.ts'
import { hasPhrases, matchOf, readQuery, type Sought } from './query.ts'
import { piecesOf, type TextPiece } from './texts.ts'

export type FindOptions = {
  database: FindDatabase
  /** The folder with the folders of sessions. */
  root: string
  now: () => number
  pace: Pace
  /** Milliseconds for which texts are read for the sake of a phrase that none of the first ones has. */
  patience: number
  /** Whether nobody waits for this answer any more. */
  isOver: () => boolean
}

/** Passages that are compared with each other: the newest of those that have the words. */
const COMPARED = 1000
/** Passages whose text is read, for each that is asked for, and at least. */
const READ_EACH = 3
const READ = 90
/** Characters up to which a beginning of a word is in the index like a word: see the tables. */
const INDEXED_BEGINNING = 4
const DAY = 86_400_000
/** Bytes of the lines of a passage that are read. */
const LONGEST_LINE = 32 * 1024 * 1024

const weights: Readonly<Record<PassageKind, number>> = {
  prompt: 1,
  answer: 0.8,
  command: 0.7,
  file: 0.6,
  diff: 0.5,
  result: 0.4,
}

type Candidate = {
  id: number
  session: string
  file: string
  folder: string
  title: string
  kind: PassageKind
  agent: number
  failed: boolean
  at: number
  start: number
  bytes: number
  part: number
  score: number
}

/** @throws what SQLite throws. */
export async function search(query: FindQuery, most: number, options: FindOptions): Promise<FindAnswer> {
  const { database, pace, isOver, now, patience } = options
  const sought = readQuery(query.words)
  const found = new Map<string, Fitting>()
  const texts = new TextReader(options.root)
  const enough = Math.max(READ, most * READ_EACH)
  const begun = performance.now()
  let isCut = false
  const read = async (candidates: readonly Candidate[]): Promise<void> => {
    for (const candidate of candidates) {
      if (found.size >= enough || isOver() || performance.now() - begun > patience) {
        isCut = true
        return
      }
      const fitting = fit(candidate, sought, texts, database)
      if (fitting) keepBest(found, fitting)
      if (pace.isDue()) await pace.rest()
    }
  }
  try {
    for (let below = Number.MAX_SAFE_INTEGER; !isCut;) {
      const candidates = candidatesOf(database, query, sought, below, now())
      below = candidates.at(-1)?.id ?? 0
      await read(candidates.toSorted((a, b) => b.score - a.score))
      if (candidates.length < COMPARED) break
      // There are more, which are older. Only a phrase may be in none of these.
      if (sought.phrases.length === 0 || found.size >= most) isCut = true
    }
  } finally {
    texts.close()
  }
  const best = bestOf(found)
  return {
    ok: true,
    found: best.slice(0, most),
    share: shareOf(database),
    isCut: isCut || best.length > most,
  }
}

type Fitting = { passage: FoundPassage; line: string; score: number }

/** Of several passages of one line and kind, the best stands for all. */
function keepBest(found: Map<string, Fitting>, next: Fitting): void {
  const known = found.get(next.line)
  if (!known || known.score < next.score) found.set(next.line, next)
}

/** Best first. A fork has the passages of its parent once more. */
function bestOf(found: ReadonlyMap<string, Fitting>): FoundPassage[] {
  const seen = new Set<string>()
  return [...found.values()]
    .toSorted((a, b) => b.score - a.score)
    .flatMap(({ passage }) => {
      const { place, kind, excerpt } = passage
      const words = `${place.at} ${kind} ${place.call ?? ''} ${excerpt}`
      if (seen.has(words)) return []
      seen.add(words)
      return [passage]
    })
}

/** The next passages below a number that have the words, newest first; all passages for a query without words. */
function candidatesOf(
  database: FindDatabase,
  query: FindQuery,
  sought: Sought,
  below: number,
  now: number,
): Candidate[] {
  const conditions = conditionsOf(database, query)
  if (conditions === null) return []
  const select = (match: string): Row[] =>
    database.all(
      `select p.id, s.file, s.folder, s.title, p.kind, p.agent, p.failed, p.at, p.start, p.bytes, p.part
       from ${match === '' ? 'passages p' : 'words cross join passages p on p.id = words.rowid'}
       cross join sessions s on s.id = p.session
       where ${match === '' ? 'p.id < ?' : 'words match ? and words.rowid >= ? and words.rowid < ?'} and ${conditions.sql}
       order by ${match === '' ? 'p.id' : 'words.rowid'} desc limit ${COMPARED}`,
      ...(match === '' ? [below] : [match, conditions.low, below]),
      ...conditions.values,
    )
  const match = matchOf(sought, conditions.marks)
  if (match === '' && query.words.trim() !== '') return []
  // A long beginning is looked up in all words that have it, which takes long for frequent ones; a whole word does not.
  const mayBeWhole = sought.beginning !== null && sought.beginning.length > INDEXED_BEGINNING
  const whole = mayBeWhole ? select(matchOf(sought, conditions.marks, true)) : []
  const rows = whole.length === COMPARED ? whole : select(match)
  return rows.map((row, index) => candidateOf(database, row, index, now))
}

type Conditions = { marks: string[]; low: number; sql: string; values: (string | number)[] }

/** Null if nothing can fit: no session is of this folder or agent. */
function conditionsOf(database: FindDatabase, { folder, agent, since, kinds, failed }: FindQuery): Conditions | null {
  const marks: string[] = []
  const sql = ['s.size > 0']
  const values: (string | number)[] = []
  for (const [ids, column, markOf] of [
    [folder === null ? null : foldersNamed(database, folder), 's.folder', folderMark],
    [agent === null ? null : numbersOf(database, agent), 'p.agent', agentMark],
  ] as const) {
    if (ids === null) continue
    const [first] = ids
    if (first === undefined) return null
    if (ids.length === 1) marks.push(markOf(first))
    sql.push(`${column} in (${ids.map(() => '?').join(', ')})`)
    values.push(...ids)
  }
  if (kinds !== null) {
    if (kinds.length === 1) marks.push(...kinds.map(kindMark))
    sql.push(`p.kind in (${kinds.map(kind => passageKinds.indexOf(kind)).join(', ')})`)
  }
  if (failed) sql.push('p.failed = 1')
  let low = 0
  if (since !== null) {
    sql.push('p.at >= ?')
    values.push(since)
    // What is older than that need not be looked at.
    low = numberIn(database.get('select min(low) as low from sessions where at >= ?', since), 'low')
  }
  return { marks, low, sql: sql.join(' and '), values }
}

/** `index` counts from the newest. */
function candidateOf(database: FindDatabase, row: Row, index: number, now: number): Candidate {
  const file = textIn(row, 'file')
  const kind = passageKinds[numberIn(row, 'kind')] ?? 'result'
  const at = numberIn(row, 'at')
  const days = Math.max(0, now - at) / DAY
  return {
    id: numberIn(row, 'id'),
    file,
    session: file.slice(Math.max(file.lastIndexOf('/'), file.lastIndexOf('\\')) + 1),
    folder: nameOf(database, numberIn(row, 'folder')),
    title: textIn(row, 'title'),
    kind,
    agent: numberIn(row, 'agent'),
    failed: numberIn(row, 'failed') === 1,
    at,
    start: numberIn(row, 'start'),
    bytes: numberIn(row, 'bytes'),
    part: numberIn(row, 'part'),
    // A prompt of half a year ago is worth about as much as a result of today.
    score: weights[kind] + 0.6 / (1 + days / 14) - index / 1e9,
  }
}

/** Null if the text is gone, or lacks a phrase. */
function fit(candidate: Candidate, sought: Sought, texts: TextReader, database: FindDatabase): Fitting | null {
  const piece = texts.read(candidate)
  if (!piece || !hasPhrases(piece.text, sought.phrases)) return null
  const excerpt = excerptOf(piece.text, sought)
  if (!excerpt) return null
  const { session, kind, failed, folder, title, agent, score } = candidate
  return {
    passage: {
      place: { session, at: piece.at, call: piece.call },
      kind,
      failed,
      folder,
      agent: nameOf(database, agent),
      title,
      excerpt: excerpt.excerpt,
      matches: excerpt.matches,
    },
    line: `${candidate.file} ${candidate.start} ${kind}`,
    score: score + excerpt.fit,
  }
}

/** Reads passages from the files of the sessions. */
class TextReader {
  readonly #root: string
  readonly #open = new Map<string, number | null>()
  /** The lines that were read last: a long text has many passages. */
  #last: { key: string; pieces: readonly TextPiece[] } = { key: '', pieces: [] }

  constructor(root: string) {
    this.#root = root
  }

  /** Null if the file has gone or changed. */
  read({ file, start, bytes, part }: Candidate): TextPiece | null {
    const key = `${file} ${start}`
    if (this.#last.key !== key) this.#last = { key, pieces: this.#pieces(file, start, bytes) }
    return this.#last.pieces[part] ?? null
  }

  close(): void {
    for (const file of this.#open.values()) if (file !== null) closeSync(file)
    this.#open.clear()
  }

  #pieces(name: string, start: number, bytes: number): readonly TextPiece[] {
    const file = this.#fileOf(name)
    if (file === null || bytes > LONGEST_LINE) return []
    const lines = bytesOf(file, start, start + bytes)
      .toString('utf8')
      .split('\n')
    return piecesOf(lines.flatMap(text => (text === '' ? null : decodeLine(text)) ?? []))
  }

  #fileOf(name: string): number | null {
    const known = this.#open.get(name)
    if (known !== undefined) return known
    if (this.#open.size >= MOST_OPEN) this.close()
    let file: number | null = null
    try {
      file = openRegularFileSync(join(this.#root, `${name}.jsonl`))
    } catch {
      // The session was removed since it was indexed.
    }
    this.#open.set(name, file)
    return file
  }
}

/** Files that are open at a time. */
const MOST_OPEN = 64
