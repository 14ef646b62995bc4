/** The sessions of a project on disk: the current one and earlier ones. */
import { randomBytes } from 'node:crypto'
import { rmSync, statSync, utimesSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import type { AgentEvent } from '../../agent/event.ts'
import { isMissing } from '../../platform/errors.ts'
import { attempt, createReporter } from '../failures.ts'
import { jsonLine, openJsonlFile } from '../jsonl-write.ts'
import { copyReview, removeBeside } from './beside.ts'
import type { Claim } from './claim.ts'
import { openSession, type OpenSession, type OpenSessionOptions, type SessionPast } from './open-session.ts'
import type { NoteLine, SessionLine } from './session-format.ts'
import { sessionPath } from './session-path.ts'
import type { Timers } from '../../platform/timers.ts'
import { openSessionFiles, type SessionFiles } from './session-files.ts'
import {
  eventsOf,
  eventsWith,
  handOver,
  pieces,
  readAt,
  readSessionInPieces,
  type SessionContent,
  type SessionFacts,
  type TakePiece,
} from './read-session.ts'
import { emptySummary, summarise } from './summary.ts'
import type { SessionKind } from '../../conversation/queries/session/session-kind.ts'
import type { SessionParent, SessionSummary, SessionScope } from '../../conversation/queries/session/session-summary.ts'

export type SessionsOptions = {
  stateFolder: string
  projectFolder: string
  /** Milliseconds since the Unix epoch. */
  now: () => number
  timers: Timers
  /** Called with one line, at most once for each kind of problem. The program and the session continue. */
  onProblem: (words: string) => void
  /** Sessions of another program, which are listed and read too. */
  foreign?: ForeignSessions
  /** The beginning of its new sessions; absent if on the user's screen. */
  kind?: SessionKind
  /** Makes the state folder before a session is written, and fills it before sessions are listed. */
  onDemand?: { make: () => void; fill: () => Promise<void> }
}

/** Sessions that another program keeps. */
export type ForeignSessions = {
  /** Whether there are any. Cheap: nothing is read. */
  hasAny: (scope: SessionScope) => boolean
  list: (scope: SessionScope) => Promise<SessionSummary[]>
  /** Null where there is none of that name. */
  read: (id: string) => SessionContent | null
}

export type Resumed = SessionFacts & {
  id: string
  /** Why it continues as a new session with this one as its parent; null where it is the same session. */
  forked: 'open elsewhere' | 'of another folder' | 'read-only' | 'kept by zot' | null
}

export type CurrentSession = Pick<OpenSession, 'id' | 'parent' | 'isStored' | 'title'>

export type SessionListener = {
  /** Events were added to it: they follow those of `past`. */
  added: (events: readonly AgentEvent[]) => void
  /** Another one is the current session from now on. */
  replaced: () => void
}

export type Sessions = {
  current: () => CurrentSession
  /** The events of the current session so far. */
  past: () => SessionPast
  /** Calls the listener with what becomes of the current session. Returns its end. */
  follow: (listener: SessionListener) => () => void
  /** Whether the user sees the current session, and those that take its place. False at first. */
  show: (isShown: boolean) => void
  /** Adds events to the session. Cheap. Events before the first prompt are written with it. */
  add: (events: readonly AgentEvent[]) => void
  /** Adds to the session what was begun beside it. */
  note: (line: NoteLine) => void
  /** Begins a new session: empty, or with `events` of its parent. */
  begin: (from?: { parent: SessionParent; events: readonly AgentEvent[] }) => void
  /**
   * Resumes a session after `take` has received all of its events, without blocking. Later events are added to it, or to a
   * fork of it. Null if there is no such session, it is the current one, or `take` did not want all of it.
   */
  resume: (id: string, take: TakePiece<AgentEvent>) => Promise<Resumed | null>
  /** The content of a session; null where there is none. */
  read: (id: string) => SessionContent | null
  /** Whether there is such a session, in any folder. */
  has: (id: string) => boolean
  /** The path of its file, in any folder; null where there is none. */
  pathOf: (id: string) => string | null
  /** The events of the current session whose line contains `mark`, and perhaps others, in pieces. */
  find: (mark: string) => Generator<AgentEvent[], void>
  /**
   * The summaries, newest first, without blocking. The first list takes longer. `onOwn` gets zotui's own sessions as soon as
   * they are known.
   */
  list: (scope: SessionScope, onOwn?: (own: SessionSummary[]) => void) => Promise<SessionSummary[]>
  /** The session of this folder that changed last; null for none. */
  newest: () => string | null
  /** The newest session of this folder that is not open, or else the newest; null for none. */
  newestClosed: () => string | null
  /** The sessions of this folder whose program was killed. Each is returned once. */
  cutOff: () => readonly string[]
  /** False where another program has the session open, or it is gone. */
  rename: (id: string, title: string) => boolean
  remove: (id: string) => boolean
  /** Removes the sessions of all folders that have not changed for this many days; 0 keeps all. */
  expire: (days: number) => Promise<void>
  /** Stores the current session, also if nothing was said in it yet. */
  keep: () => void
  /** Writes pending events. */
  flush: () => void
  close: () => void
}

/** In milliseconds. */
const DAY = 86_400_000

/** Opening reads and creates nothing. Nothing here throws. */
export function openSessions(options: SessionsOptions): Sessions {
  return new ProjectSessions(options)
}

class ProjectSessions implements Sessions {
  readonly #options: SessionsOptions
  readonly #projectFolder: string
  readonly #places: SessionFiles
  readonly #problems: SessionProblems
  readonly #listeners = new Set<SessionListener>()
  #isShown = false
  #current: OpenSession

  constructor(options: SessionsOptions) {
    this.#options = options
    this.#projectFolder = resolve(options.projectFolder)
    this.#places = openSessionFiles(options.stateFolder, this.#projectFolder)
    this.#problems = new SessionProblems(options.onProblem)
    this.#current = this.#fresh(null, [])
  }

  current(): CurrentSession {
    return this.#current
  }

  past(): SessionPast {
    return this.#current.past()
  }

  follow(listener: SessionListener): () => void {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  show(isShown: boolean): void {
    if (isShown !== this.#isShown) this.#current.shown(isShown)
    this.#isShown = isShown
  }

  add(events: readonly AgentEvent[]): void {
    this.#current.add(events)
    for (const { added } of this.#listeners) added(events)
  }

  note(line: NoteLine): void {
    this.#current.note(line)
  }

  begin(from?: { parent: SessionParent; events: readonly AgentEvent[] }): void {
    const parent = from ? storedParent(this.#current, from.parent) : null
    this.#current.close()
    this.#current = this.#fresh(parent, from?.events ?? [])
    if (from) this.#copyReview(this.#places.own, from.parent.id)
    this.#replaced()
  }

  async resume(id: string, take: TakePiece<AgentEvent>): Promise<Resumed | null> {
    if (id === this.#current.id) return null
    const path = this.#guarded(null, () => this.#places.pathOf(id))
    const isOwn = path === sessionPath(this.#places.own, id)
    const claim = isOwn ? this.#claimQuietly(id) : null
    /** The events that a fork begins with. */
    const copied: AgentEvent[] = []
    let summary = emptySummary(id)
    const takeLines: TakePiece<SessionLine> = (lines, share) => {
      const events = eventsOf(lines)
      if (claim) summary = lines.reduce(summarise, summary)
      else copied.push(...events)
      return take(events, share)
    }
    const facts = await this.#readPieces(path, id, takeLines)
    if (facts === null) {
      claim?.release()
      return null
    }
    this.#current.close()
    if (claim) {
      const parent = facts.header?.parent ?? null
      this.#current = this.#open({ id, parent, lines: [], stored: summary, claim: () => claim })
      this.#replaced()
      return { ...facts, id, forked: null }
    }
    const { title } = facts
    const titles: SessionLine[] = title === '' ? [] : [{ type: 'session_titled', at: this.#options.now(), title }]
    this.#current = this.#fresh({ id, turn: null }, [...copied, ...titles])
    if (path !== null) this.#copyReview(dirname(path), id)
    this.#replaced()
    return { ...facts, id, forked: this.#whyForked(path, isOwn) }
  }

  read(id: string): SessionContent | null {
    if (id === this.#current.id && !this.#current.isStored()) return unstoredContent(this.#current)
    return this.#guarded(null, () => readAt(this.#places.pathOf(id)) ?? this.#options.foreign?.read(id) ?? null)
  }

  has(id: string): boolean {
    return this.#guarded(true, () => this.#places.pathOf(id) !== null)
  }

  pathOf(id: string): string | null {
    return this.#guarded(null, () => this.#places.pathOf(id))
  }

  *find(mark: string): Generator<AgentEvent[], void> {
    if (!this.#current.isStored()) return yield* pieces(unstoredContent(this.#current).events)
    this.#current.flush()
    const path = this.#guarded(null, () => this.#places.pathOf(this.#current.id))
    if (path === null) return
    try {
      yield* eventsWith(path, mark)
    } catch (error) {
      if (!isMissing(error)) this.#problems.reading(error)
    }
  }

  async list(scope: SessionScope, onOwn?: (own: SessionSummary[]) => void): Promise<SessionSummary[]> {
    await this.#options.onDemand?.fill()
    const own = newestFirst(await this.#places.list(scope, this.#problems.reading))
    onOwn?.(own)
    const others = (await this.#options.foreign?.list(scope)) ?? []
    return newestFirst([...own, ...others])
  }

  newest(): string | null {
    return this.#guarded(null, () => this.#places.newest())
  }

  newestClosed(): string | null {
    return this.#guarded(null, () => this.#places.newestClosed(this.#options.now()))
  }

  cutOff(): readonly string[] {
    return this.#guarded([], () => this.#places.cutOff(this.#options.now()))
  }

  rename(id: string, title: string): boolean {
    if (id === this.#current.id) {
      this.#current.rename(title)
      return true
    }
    return this.#change(id, path => {
      const { atimeMs, mtimeMs } = statSync(path)
      const file = openJsonlFile(path, () => this.#problems.removed())
      file.append(jsonLine({ type: 'session_titled', at: this.#options.now(), title }))
      file.close()
      // Renaming keeps the age of the session.
      utimesSync(path, seconds(atimeMs), seconds(mtimeMs))
    })
  }

  remove(id: string): boolean {
    return (
      id !== this.#current.id &&
      this.#change(id, path => {
        rmSync(path, { force: true })
        removeBeside(dirname(path), id)
      })
    )
  }

  async expire(days: number): Promise<void> {
    if (days > 0) await this.#places.expire(this.#options.now(), days * DAY, this.#problems.reading)
  }

  keep(): void {
    this.#current.keep()
  }

  flush(): void {
    this.#current.flush()
  }

  close(): void {
    this.#current.close()
  }

  #replaced(): void {
    for (const { replaced } of this.#listeners) replaced()
  }

  #fresh(parent: SessionParent | null, lines: readonly SessionLine[]): OpenSession {
    const id = newId(this.#options.now())
    return this.#open({ id, parent, lines, stored: null, claim: () => this.#claimQuietly(id) })
  }

  #open(part: Pick<OpenSessionOptions, 'id' | 'parent' | 'lines' | 'stored' | 'claim'>): OpenSession {
    const { kind, now, timers } = this.#options
    const opened = openSession({
      ...part,
      kind,
      folder: this.#places.own,
      projectFolder: this.#projectFolder,
      now,
      timers,
      onProblem: this.#problems.writing,
      onUnwritable: this.#problems.unwritable,
      onRemoved: () => this.#problems.removed(),
    })
    // One whose program was killed may still count as shown.
    if (this.#isShown || part.stored?.isShown) opened.shown(this.#isShown)
    return opened
  }

  /** A fork takes the comments along. */
  #copyReview(folder: string, id: string): void {
    const to = { folder: this.#places.own, id: this.#current.id }
    attempt(this.#problems.writing, undefined, () => copyReview({ folder, id }, to))
  }

  /** An error is not reported here, since writing will fail and report it. */
  #claimQuietly(id: string): Claim | null {
    try {
      this.#options.onDemand?.make()
      return this.#places.claim(id, this.#options.now())
    } catch {
      return null
    }
  }

  async #readPieces(path: string | null, id: string, take: TakePiece<SessionLine>): Promise<SessionFacts | null> {
    try {
      if (path !== null) return await readSessionInPieces(path, take)
      const content = this.#options.foreign?.read(id) ?? null
      return content && ((await handOver(content.events, take)) ? content : null)
    } catch (error) {
      if (!isMissing(error)) this.#problems.reading(error)
      return null
    }
  }

  #whyForked(path: string | null, isOwn: boolean): Resumed['forked'] {
    if (path === null) return 'kept by zot'
    if (this.#guarded(false, () => this.#places.isOpen(path, this.#options.now()))) return 'open elsewhere'
    return isOwn ? 'read-only' : 'of another folder'
  }

  /** Changes a session that is not open anywhere. */
  #change(id: string, work: (path: string) => void): boolean {
    return this.#guarded(false, () => {
      const path = this.#places.pathOf(id)
      if (path === null || this.#places.isOpen(path, this.#options.now())) return false
      work(path)
      return true
    })
  }

  /** The value of `work`; `otherwise` if it fails, which is reported. */
  #guarded<T>(otherwise: T, work: () => T): T {
    return attempt(this.#problems.reading, otherwise, work)
  }
}

/** Reports each kind of problem with sessions once. */
class SessionProblems {
  readonly writing: Report
  readonly unwritable: Report
  readonly reading: Report
  readonly #onProblem: (words: string) => void
  #isRemovedReported = false

  constructor(onProblem: (words: string) => void) {
    this.#onProblem = onProblem
    this.writing = createReporter(
      'The session cannot be saved right now. You can continue, and saving is retried',
      onProblem,
    )
    this.unwritable = createReporter(
      'A part of what the agent sent cannot be saved in the session; the rest is saved',
      onProblem,
    )
    this.reading = createReporter('Earlier sessions cannot be read', onProblem)
  }

  /** The file of the session was removed while it was open. */
  removed(): void {
    if (!this.#isRemovedReported)
      this.#onProblem('The file of this session was removed while it was open. It has been restored.')
    this.#isRemovedReported = true
  }
}

type Report = ReturnType<typeof createReporter>

/** The content of a session that is not on disk yet. */
function unstoredContent(current: OpenSession): SessionContent {
  return { header: null, title: current.title(), skipped: 0, events: eventsOf(current.unstored()) }
}

/** The parent of a fork. If the forked session is not on disk, its own parent takes its place. */
function storedParent({ id, parent, isStored }: OpenSession, requested: SessionParent): SessionParent | null {
  return requested.id === id && !isStored() ? parent && { ...parent, turn: requested.turn } : requested
}

/** Rounded down, since half a millisecond could make it newer than the next. */
function seconds(ms: number): number {
  return Math.floor(ms) / 1000
}

function newestFirst(sessions: readonly SessionSummary[]): SessionSummary[] {
  return sessions.toSorted((a, b) => b.at - a.at)
}

/** A new id. Ids sort by age and can be typed. */
function newId(now: number): string {
  const [date = '', time = ''] = new Date(now).toISOString().replaceAll(/[-:]/g, '').split(/[T.]/)
  return `${date}-${time}-${randomBytes(4).toString('hex')}`
}
