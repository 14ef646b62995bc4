/**
 * The comments of a session and its read marks, in a file beside it to which every program adds. Each line is the newest version of
 * one of them, so nothing that is added takes anything away from another program, and a torn line costs only itself.
 *
 * A file that has grown much larger than its content is replaced. Before that it gets a second name, which only one program at a time
 * can give it. What others add to it in that moment is read by that name and added to the new file. If the program is killed, the next
 * one to read finds the second name.
 */
import { linkSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import * as z from 'zod'
import { createListeners } from '../../agent/listeners.ts'
import type { Timers } from '../../platform/timers.ts'
import {
  changedComment,
  commentSchema,
  readMarkSchema,
  type CommentFields,
  type ReadMark,
  type ReviewComment,
} from '../../review/comment.ts'
import { attempt, createReporter } from '../failures.ts'
import { storedFolderName } from '../folder-name.ts'
import { readLines } from '../jsonl-read.ts'
import { appendRecord, jsonLine } from '../jsonl-write.ts'
import { replaceFile } from '../replace-file.ts'
import { formerReviewPath, reviewPath } from '../sessions/beside.ts'
import { holdUnbegun, takeUnbegun } from './unbegun.ts'
import { parseJson } from '../../text/json.ts'

export type ReviewFile = {
  /** All but the dropped ones, the oldest first. */
  comments: () => readonly ReviewComment[]
  /**
   * Keeps a comment, or its next version. Returns it as it is kept: its secrets are masked, and its `changedAt` is later than that of
   * any version that is known. A comment that cannot be written stays here, and writing is tried again.
   */
  put: (comment: ReviewComment) => ReviewComment
  /** Changes some fields of the newest version of a comment, whoever wrote that. Returns it as it is kept; null if there is none. */
  change: (id: string, fields: CommentFields) => ReviewComment | null
  /** The files that count as read, without marks that were taken away. */
  reads: () => readonly ReadMark[]
  mark: (mark: ReadMark) => void
  /** Reads what other programs have added, and writes what could not be written. True if there is something new. Cheap. */
  refresh: () => boolean
  /**
   * Calls `listener` after each change, also those of other programs, which are looked for while anybody listens. Returns a function
   * that ends it.
   */
  onChange: (listener: () => void) => () => void
}

export type ReviewPlace = {
  stateFolder: string
  projectFolder: string
  sessionId: string
}

export type ReviewFileOptions = {
  /** Milliseconds since the Unix epoch. */
  now: () => number
  /** Masks secrets. */
  redact: (text: string) => string
  timers: Timers
  /** Called at most once, with one line. */
  onProblem: (words: string) => void
  /** In bytes: a file of this size is replaced if most of it is out of date. */
  full?: number
}

const recordSchema = z.union([z.object({ comment: commentSchema }), z.object({ read: readMarkSchema })])
type ReviewRecord = z.infer<typeof recordSchema>

const MB = 1024 * 1024
/** The longest file that is read, in bytes. */
const LONGEST = 256 * MB
/** How many times its content a file may be large. */
const SLACK = 4
/** Milliseconds after which a second name was left by a program that was killed. */
const LEFTOVER_AGE = 3_600_000
/** Milliseconds between two looks at what other programs have added. */
const LOOK = 1000

/** Opening reads and creates nothing. Nothing here throws. Without a place nothing is stored, as in the demo. */
export function openReviewFile(place: ReviewPlace | null, options: ReviewFileOptions): ReviewFile {
  if (place === null) return new SessionReview(null, options)
  const folder = join(place.stateFolder, 'sessions', storedFolderName(place.projectFolder))
  return new SessionReview({ folder, id: place.sessionId }, options)
}

class SessionReview implements ReviewFile {
  readonly #place: { folder: string; id: string } | null
  readonly #path: string | null
  /** The second name of a file that is being replaced. */
  readonly #former: string
  readonly #redact: (text: string) => string
  readonly #now: () => number
  readonly #timers: Timers
  readonly #report: (error: unknown) => void
  readonly #listeners = createListeners<[]>()
  #listening = 0
  #cancelLook: (() => void) | null = null
  /** The newest version of each comment and mark, by its key. */
  readonly #known = new Map<string, ReviewRecord>()
  /** What is not in the file yet, by the same key. */
  readonly #unwritten = new Map<string, ReviewRecord>()
  /** The file that was read, and how far. */
  #read: { file: string; end: number } | null = null
  #isLoaded = false
  #isHeld = false
  /** The answers until something changes. */
  #comments: readonly ReviewComment[] | null = null
  #reads: readonly ReadMark[] | null = null
  /** In bytes: the size at which the file is replaced. */
  #full: number
  readonly #least: number

  constructor(place: { folder: string; id: string } | null, options: ReviewFileOptions) {
    const { redact, now, timers, onProblem, full = MB } = options
    this.#place = place
    this.#path = place && reviewPath(place.folder, place.id)
    this.#former = place ? formerReviewPath(place.folder, place.id) : ''
    this.#redact = redact
    this.#now = now
    this.#timers = timers
    this.#report = createReporter('Comments on the changes cannot be saved right now. Saving is retried', onProblem)
    this.#full = full
    this.#least = full
  }

  comments(): readonly ReviewComment[] {
    this.#load()
    this.#comments ??= [...this.#known.values()]
      .flatMap(record => ('comment' in record && record.comment.state !== 'dropped' ? [record.comment] : []))
      .toSorted((a, b) => a.madeAt - b.madeAt || (a.id < b.id ? -1 : 1))
    return this.#comments
  }

  put(comment: ReviewComment): ReviewComment {
    this.refresh()
    const kept = maskedComment(comment, this.#redact)
    const last = this.#commentOf(comment.id)?.changedAt ?? -Infinity
    const next = { ...kept, changedAt: Math.max(kept.changedAt, last + 1) }
    this.#add({ comment: next })
    return next
  }

  change(id: string, fields: CommentFields): ReviewComment | null {
    this.refresh()
    const known = this.#commentOf(id)
    return known && this.put(changedComment(known, fields, this.#now()))
  }

  #commentOf(id: string): ReviewComment | null {
    const known = this.#known.get(COMMENT + id)
    return known && 'comment' in known ? known.comment : null
  }

  reads(): readonly ReadMark[] {
    this.#load()
    this.#reads ??= [...this.#known.values()].flatMap(record =>
      'read' in record && record.read.digest !== '' ? [record.read] : [],
    )
    return this.#reads
  }

  mark(mark: ReadMark): void {
    this.refresh()
    const known = this.#known.get(keyOf({ read: mark }))
    const last = known && 'read' in known ? known.read.changedAt : -Infinity
    this.#add({ read: { ...mark, changedAt: Math.max(mark.changedAt, last + 1) } })
  }

  refresh(): boolean {
    const isTaken = !this.#isLoaded && attempt(this.#report, false, () => this.#takeUnbegun())
    this.#isLoaded = true
    const isNew = attempt(this.#report, false, () => this.#readOn()) || isTaken
    this.#write()
    if (isNew) this.#listeners.emit()
    return isNew
  }

  onChange(listener: () => void): () => void {
    const end = this.#listeners.subscribe(listener)
    this.#listening += 1
    if (this.#listening === 1) this.#lookLater()
    let isOver = false
    return () => {
      if (isOver) return
      isOver = true
      end()
      this.#listening -= 1
      if (this.#listening === 0) this.#cancelLook?.()
    }
  }

  #lookLater(): void {
    if (this.#path === null) return
    this.#cancelLook = this.#timers.after(LOOK, () => {
      if (this.#listening === 0) return
      this.refresh()
      this.#lookLater()
    })
  }

  #load(): void {
    if (!this.#isLoaded) this.refresh()
  }

  #add(record: ReviewRecord): void {
    this.#know(record)
    if (this.#path !== null) this.#unwritten.set(keyOf(record), record)
    this.#write()
    this.#listeners.emit()
  }

  /** Takes over the comments of sessions that never began, if this one has not either. */
  #takeUnbegun(): boolean {
    const path = this.#path
    if (!this.#place || path === null) return false
    let isTaken = false
    takeUnbegun(this.#place.folder, this.#place.id, this.#now(), left => {
      isTaken = this.#readFrom(left, 0).isNew || isTaken
      for (const record of this.#known.values()) appendRecord(path, record)
    })
    return isTaken
  }

  /** Marks the comments as open here, once. */
  #hold(): void {
    if (this.#isHeld || !this.#place) return
    holdUnbegun(this.#place.folder, this.#place.id)
    this.#isHeld = true
  }

  /** Reads the new part of the file; all of it if it is another one than before. True if something in it is new. */
  #readOn(): boolean {
    if (this.#path === null) return false
    const there = statSync(this.#path, { bigint: true, throwIfNoEntry: false })
    const file = there ? `${there.dev} ${there.ino}` : ''
    const size = Number(there?.size ?? 0)
    const from = this.#read?.file === file && this.#read.end <= size ? this.#read.end : 0
    let isNew = false
    if (from === 0) isNew = this.#readFormer()
    if (!there || size === from) return isNew
    const { end, isNew: isNewHere } = this.#readFrom(this.#path, from)
    this.#read = { file, end }
    return isNew || isNewHere
  }

  /** Reads what a program left that is replacing the file, or was killed meanwhile. */
  #readFormer(): boolean {
    const former = statSync(this.#former, { throwIfNoEntry: false })
    if (!former) return false
    const { isNew } = this.#readFrom(this.#former, 0)
    if (this.#now() - former.ctimeMs < LEFTOVER_AGE) return isNew
    for (const record of this.#known.values()) if (this.#path !== null) appendRecord(this.#path, record)
    rmSync(this.#former, { force: true })
    return isNew
  }

  #readFrom(path: string, from: number): { end: number; isNew: boolean } {
    let isNew = false
    let end = from
    for (const { lines, areFinished, finished } of readLines(path, { from, limit: LONGEST })) {
      if (!areFinished) continue
      end = finished
      for (const line of lines) {
        const record = recordSchema.safeParse(parseJson(line)).data
        if (record) isNew = this.#take(record) || isNew
      }
    }
    return { end, isNew }
  }

  /** Takes a record of the file, unless a later version is known. Of two versions with the same time the one that was written later counts. */
  #take(record: ReviewRecord): boolean {
    const key = keyOf(record)
    const known = this.#known.get(key)
    if (known && changedAt(record) < changedAt(known)) return false
    const unwritten = this.#unwritten.get(key)
    if (unwritten && changedAt(record) > changedAt(unwritten)) this.#unwritten.delete(key)
    else if (unwritten) return false
    if (isDeepStrictEqual(known, record)) return false
    this.#know(record)
    return true
  }

  #know(record: ReviewRecord): void {
    this.#known.set(keyOf(record), record)
    if ('comment' in record) this.#comments = null
    else this.#reads = null
  }

  #write(): void {
    const path = this.#path
    if (path === null || this.#unwritten.size === 0) return
    attempt(this.#report, undefined, () => {
      // Somebody removed the file: all that is known here goes into the new one.
      if (this.#read && !statSync(path, { throwIfNoEntry: false }))
        for (const [key, record] of this.#known) this.#unwritten.set(key, record)
      this.#hold()
      let size = 0
      for (const [key, record] of this.#unwritten) {
        size = appendRecord(path, record)
        this.#unwritten.delete(key)
      }
      if (size >= this.#full) this.#replace(path)
    })
  }

  /** Replaces the file by one with the newest versions only. */
  #replace(path: string): void {
    const content = (): string => [...this.#known.values()].map(record => jsonLine(short(record))).join('')
    this.#full = Math.max(this.#least, SLACK * Buffer.byteLength(content()))
    const former = this.#former
    if ((statSync(path, { throwIfNoEntry: false })?.size ?? 0) < this.#full || !isHeldBy(path, former)) return
    try {
      const { end } = this.#readFrom(former, 0)
      replaceFile(path, content())
      const { isNew } = this.#readFrom(former, end)
      if (isNew) for (const [key, record] of this.#known) this.#unwritten.set(key, record)
      for (const [key, record] of this.#unwritten) {
        appendRecord(path, record)
        this.#unwritten.delete(key)
      }
    } finally {
      rmSync(former, { force: true })
    }
  }
}

/** Gives the file a second name. False if another program has done so, or the disk knows no such names. */
function isHeldBy(path: string, former: string): boolean {
  try {
    linkSync(path, former)
    return true
  } catch {
    return false
  }
}

const COMMENT = 'comment '

function keyOf(record: ReviewRecord): string {
  return 'comment' in record ? COMMENT + record.comment.id : `read ${record.read.subject} ${record.read.path}`
}

function changedAt(record: ReviewRecord): number {
  return 'comment' in record ? record.comment.changedAt : record.read.changedAt
}

/** A dropped comment is kept without its words: it only says that no older version counts. */
function short(record: ReviewRecord): ReviewRecord {
  if (!('comment' in record) || record.comment.state !== 'dropped') return record
  const { draft: _draft, ...comment } = record.comment
  return { comment: { ...comment, text: '', lines: null } }
}

function maskedComment(comment: ReviewComment, redact: (text: string) => string): ReviewComment {
  const { text, draft, lines } = comment
  return {
    ...comment,
    text: redact(text),
    ...(draft !== undefined && { draft: redact(draft) }),
    lines: lines && {
      ...lines,
      excerpt: lines.excerpt.map(redact),
      above: lines.above.map(redact),
      below: lines.below.map(redact),
    },
  }
}
