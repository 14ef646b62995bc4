/** Runs one race: begins those who run, follows them, runs the check, and keeps all of it in the record. */
import { messageOf } from '../../platform/errors.ts'
import type { Entrant, Race, RaceCheck } from '../../race/race-record.ts'
import { labelsOf } from '../../race/labels.ts'
import { isAtWork, isOver, nextCheck, nextToBegin, recovered, withEntrant } from '../../race/race-steps.ts'
import type { RaceStore } from '../../race/race-store.ts'
import { resultAtEnd, turnResult, type TurnResult } from '../../race/turn-result.ts'
import type { ConversationRow } from '../../state/conversations/conversations.ts'
import { RAISE_DAY } from '../../storage/usage/raise-day.ts'
import { sentence } from '../../text/sentence.ts'
import type { BackgroundPrompt } from '../context/conversations.ts'
import { startCheck, type RunningCheck } from './race-check.ts'
import { findLost, readChat } from './race-sessions.ts'
import type { RaceParts } from './race-parts.ts'
import { RaceSetup } from './race-setup.ts'

export type RaceView = {
  race: Race
  /** What those say of themselves that run now, by their index. */
  live: ReadonlyMap<number, ConversationRow>
  /** The end of what the check has printed that runs now. */
  printed: string
  /** The same of `worktreeSetup`, which may run beside it in another worktree. */
  preparing: string
  /** False if another zotui runs this race: it is only looked at here. */
  isOwn: boolean
  /** True if those that wait begin as soon as there is room for a turn. */
  isGoing: boolean
  /** What the person should know of the whole race, as a sentence; '' for nothing. */
  note: string
}

export type RaceRun = {
  view: () => RaceView
  subscribe: (listener: () => void) => () => void
  /** Begins those that wait, as soon as there is room. */
  go: () => void
  /** Stops the turn, or the check, of one; one that waits does not begin. Resolves to a sentence. */
  stop: (at: number) => Promise<string>
  /** Runs the check of one, again if it has run. Resolves to why it does not, as a sentence; null if it does. */
  check: (at: number) => string | null
  /** Ends its conversation and removes its worktree; the session stays. Resolves to a sentence. */
  discard: (at: number) => Promise<string>
  picked: (at: number) => void
  /** Looks at everything again. */
  refresh: () => Promise<void>
  close: () => void
}

/** Milliseconds between two looks for room, while somebody waits. */
const LOOK = 1000
/** How often a session is read again whose process says that the turn is over, before its file does. */
const TRIES = 50
const PAUSE = 100

/** A turn that is over, by what its process says. */
const OVER: ReadonlySet<ConversationRow['state']> = new Set(['done', 'failed', 'idle'])

export class OwnRace implements RaceRun {
  readonly #parts: RaceParts
  readonly #store: RaceStore
  readonly #listeners = new Set<() => void>()
  readonly #follows = new Map<number, () => void>()
  readonly #setup: RaceSetup
  readonly #live = new Map<number, ConversationRow>()
  #race: Race
  #isGoing: boolean
  #isEndSaid: boolean
  #isBeginning = false
  #isClosed = false
  #checking: (RunningCheck & { at: number }) | null = null
  #printed = ''
  #note = ''
  /** Why those that wait do not begin, as a sentence; '' for nothing. */
  #held = ''
  #looking: NodeJS.Timeout | undefined

  constructor(parts: RaceParts, store: RaceStore, race: Race, isGoing: boolean) {
    this.#parts = parts
    this.#store = store
    this.#race = race
    this.#isGoing = isGoing
    this.#isEndSaid = isOver(race)
    this.#setup = new RaceSetup(parts, () => this.#tell())
  }

  view(): RaceView {
    return {
      race: this.#race,
      live: new Map(this.#live),
      printed: this.#printed,
      preparing: this.#setup.printed,
      isOwn: true,
      isGoing: this.#isGoing,
      note: this.#note || this.#held,
    }
  }

  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  go(): void {
    this.#isGoing = true
    this.#held = ''
    this.#step()
  }

  /** Takes over a race whose program has ended. */
  async recover(): Promise<void> {
    const found = await findLost(this.#race, this.#parts)
    this.#put({ ...this.#race, entrants: this.#race.entrants.map((each, at) => recovered(each, found[at] ?? NOTHING)) })
    await this.refresh()
  }

  async refresh(): Promise<void> {
    for (const [at, { step }] of this.#race.entrants.entries()) if (step === 'working') this.#follow(at)
    await Promise.all(this.#race.entrants.map((_, at) => this.#count(at)))
    this.#step()
  }

  async stop(at: number): Promise<string> {
    const entrant = this.#race.entrants[at]
    if (!entrant) return 'Nobody is chosen.'
    if (this.#checking?.at === at) {
      this.#checking.stop()
      return `Stopping the check of ${this.#label(at)}.`
    }
    if (entrant.step === 'making' && this.#setup.stop()) return `Stopping worktreeSetup of ${this.#label(at)}.`
    if (entrant.step === 'waiting') {
      this.#change(at, { step: 'stopped' })
      return `${this.#label(at)} does not begin.`
    }
    if (entrant.step !== 'working' || entrant.session === null) return `${this.#label(at)} does not work.`
    const reply = await this.#parts.background.stop(entrant.session)
    return reply.ok ? `Stopping ${this.#label(at)}.` : `${this.#label(at)} was not stopped: ${sentence(reply.message)}`
  }

  check(at: number): string | null {
    const { entrants, checkCommand } = this.#race
    const entrant = entrants[at]
    if (checkCommand === null) return 'This race has no check: the setting raceCheck names one for the next.'
    if (!entrant?.worktree || entrant.isDiscarded) return 'There is no worktree to check.'
    if (isAtWork(entrant)) return `${this.#label(at)} still works.`
    if (this.#checking) return 'A check is running.'
    this.#beginCheck(at)
    return null
  }

  picked(at: number): void {
    this.#change(at, { isPicked: true })
  }

  async discard(at: number): Promise<string> {
    const entrant = this.#race.entrants[at]
    if (!entrant || entrant.isDiscarded) return 'It is gone already.'
    if (this.#checking?.at === at) {
      this.#checking.stop()
      await this.#checking.done
    }
    if (entrant.step === 'making' || entrant.step === 'starting')
      return `${this.#label(at)} is just starting: try again.`
    const { session, worktree } = entrant
    const name = this.#label(at)
    if (session !== null && this.#live.has(at)) {
      const ended = await this.#parts.background.end(session)
      if (!ended.ok) return `${name} was not ended: ${sentence(ended.message)}`
    }
    const known = worktree && this.#parts.worktrees.at(worktree.folder)
    const gone = known ? await this.#parts.worktrees.discard(known) : { ok: true as const, value: null }
    if (!gone.ok) return `The worktree of ${name} was not removed: ${sentence(gone.why)}`
    this.#change(at, { isDiscarded: true, ...(entrant.step === 'waiting' && { step: 'stopped' as const }) })
    const stays = gone.value === null ? '' : ` Its branch stays: ${sentence(gone.value)}`
    return known ? `The worktree of ${name} was removed.${stays}` : `${name} had no worktree to remove.`
  }

  close(): void {
    this.#isClosed = true
    clearTimeout(this.#looking)
    this.#checking?.stop()
    this.#setup.stop()
    for (const stop of this.#follows.values()) stop()
  }

  /** Does what can be done now. Called after every change. */
  #step(): void {
    if (this.#isClosed) return
    if (this.#isGoing) void this.#begin()
    const next = this.#checking ? -1 : nextCheck(this.#race)
    if (next >= 0) this.#beginCheck(next)
  }

  /** Begins those that wait, one after the other: git makes one worktree at a time. */
  async #begin(): Promise<void> {
    if (this.#isBeginning) return
    this.#isBeginning = true
    for (let at = nextToBegin(this.#race); at >= 0 && this.#isGoing && !this.#isClosed; at = nextToBegin(this.#race)) {
      if (this.#parts.dayCost?.isReached()) {
        this.#hold(`Nothing more begins: ${sentence(this.#parts.dayCost.why())} ${RAISE_DAY}`)
        break
      }
      if (!(await this.#hasRoom())) {
        this.#looking ??= setTimeout(() => {
          this.#looking = undefined
          this.#step()
        }, LOOK).unref()
        break
      }
      await this.#beginOne(at)
    }
    this.#isBeginning = false
  }

  /** The person says when it goes on. */
  #hold(why: string): void {
    this.#isGoing = false
    this.#held = why
    this.#tell()
  }

  /** Turns of this zotui count, those in the background, and those that are about to begin. */
  async #hasRoom(): Promise<boolean> {
    const { running, most } = this.#parts.conversations.turnsAtOnce()
    const rows = await this.#parts.background.list()
    const known = new Set(rows.map(({ backgroundId }) => backgroundId))
    const others = rows.filter(({ state, number }) => number === 0 && !OVER.has(state) && state !== 'resting').length
    const coming = this.#race.entrants.filter(
      each => isAtWork(each) && (each.session === null || !known.has(each.session)),
    ).length
    return running + others + coming < most
  }

  async #beginOne(at: number): Promise<void> {
    const { prompt, folder, mode } = this.#race
    const entrant = this.#race.entrants[at]
    if (!entrant) return
    // What is not in the record would be lost with this program.
    if (!this.#mayBegin(at, { step: 'making', startedAt: this.#parts.now() })) return void (this.#isGoing = false)
    const name = `${entrant.name} ${entrant.model ?? ''} ${prompt}`
    const made = await this.#parts.worktrees.create({ folder, prompt: this.#parts.redact(prompt), name })
    if (!made.ok)
      return void this.#change(at, { step: 'failed', problem: `No worktree was made: ${sentence(made.why)}` })
    const { worktree, folder: work } = made.value
    const own = { folder: worktree.folder, branch: worktree.branch, work }
    this.#change(at, { worktree: own })
    if (this.#isClosed) return
    // Nobody removes it meanwhile.
    const release = this.#parts.worktrees.use(worktree.folder)
    const problem = await this.#setup.makeReady(worktree, own)
    release()
    if (problem !== null) return void this.#change(at, { step: 'failed', problem })
    if (this.#isClosed) return
    this.#change(at, { step: 'starting' })
    // The agents start side by side.
    void this.#start(at, { prompt, folder: work, ...(mode !== null && { mode }) })
  }

  async #start(at: number, task: Pick<BackgroundPrompt, 'prompt' | 'folder' | 'mode'>): Promise<void> {
    const { agent = null, model = null } = this.#race.entrants[at] ?? {}
    const named = { ...task, ...(agent !== null && { agent }), ...(model !== null && { model }) }
    const reply = await this.#parts.conversations.begin(named)
    if (reply.ok) {
      this.#change(at, { step: 'working', session: reply.value })
      return this.#follow(at)
    }
    this.#change(at, { step: 'failed', problem: `Its agent did not start: ${sentence(reply.message)}` })
    this.#step()
    this.#sayEnd()
  }

  #follow(at: number): void {
    const session = this.#race.entrants[at]?.session ?? null
    if (session === null || this.#follows.has(at) || this.#isClosed) return
    const stop = this.#parts.background.follow(
      session,
      row => {
        this.#live.set(at, row)
        if (OVER.has(row.state)) void this.#ended(at, session)
        this.#tell()
      },
      () => {
        this.#follows.delete(at)
        this.#live.delete(at)
        void this.#gone(at, session)
      },
    )
    this.#follows.set(at, stop)
  }

  /** Its process says that the turn is over, and may stay because somebody looks at it. */
  async #ended(at: number, session: string): Promise<void> {
    if (this.#race.entrants[at]?.step !== 'working') return
    for (let tries = 0; tries < TRIES && this.#live.has(at); tries += 1) {
      const chat = await readChat(this.#parts.stateFolder, session)
      const result = chat && turnResult(chat)
      if (result) return this.#take(at, result)
      await new Promise(resolve => setTimeout(resolve, PAUSE).unref())
    }
  }

  async #gone(at: number, session: string): Promise<void> {
    if (this.#isClosed) return
    await this.#take(at, resultAtEnd(await readChat(this.#parts.stateFolder, session)))
  }

  async #take(at: number, result: TurnResult): Promise<void> {
    const { step = 'failed' } = this.#race.entrants[at] ?? {}
    this.#change(at, { ...result, ...(step !== 'working' && { step }) })
    await this.#count(at)
    this.#step()
    this.#sayEnd()
  }

  async #count(at: number): Promise<void> {
    const entrant = this.#race.entrants[at]
    const known = entrant?.worktree && !entrant.isDiscarded && this.#parts.worktrees.at(entrant.worktree.folder)
    if (!known) return
    const { list } = await this.#parts.worktrees.changes(known)
    const files = [...list.session, ...list.before]
    const [added, removed] = [sum(files.map(each => each.added)), sum(files.map(each => each.removed))]
    this.#change(at, { changes: { files: files.length, added, removed } })
  }

  #beginCheck(at: number): void {
    const { entrants, checkCommand } = this.#race
    const worktree = entrants[at]?.worktree
    if (!worktree || checkCommand === null) return
    const running = { state: 'running', at: this.#parts.now(), durationMs: 0, exitCode: null, problem: '', output: '' }
    // A check that is not in the record would run a second time after an end of this program.
    if (!this.#mayBegin(at, { check: { ...running, state: 'running' } })) return
    this.#printed = ''
    const project = this.#parts.worktrees.at(worktree.folder)?.project ?? this.#race.folder
    const inside = { command: checkCommand, project, worktree }
    const check = startCheck(this.#parts, inside, shown => this.#print(shown))
    this.#checking = { ...check, at }
    void this.#endCheck(at, check.done)
  }

  async #endCheck(at: number, running: Promise<RaceCheck>): Promise<void> {
    const done = await running
    if (this.#isClosed) return
    this.#checking = null
    this.#printed = ''
    this.#change(at, { check: done })
    await this.#count(at)
    this.#step()
    this.#sayEnd()
  }

  /** Once, when nobody works any more. */
  #sayEnd(): void {
    if (this.#isEndSaid || !isOver(this.#race)) return
    this.#isEndSaid = true
    const { entrants } = this.#race
    const done = entrants.filter(({ step, check }) => step === 'done' && (check?.exitCode ?? 0) === 0).length
    this.#parts.conversations.say(
      'info',
      `The race is over: ${done} of ${entrants.length} came through. /race shows it.`,
    )
  }

  /** Notes what is about to begin. False if the record could not be written: then it has not begun, and `go` tries it again. */
  #mayBegin(at: number, change: Partial<Entrant>): boolean {
    const before = this.#race
    if (this.#change(at, change)) return true
    this.#race = before
    this.#tell()
    return false
  }

  /** False if the record could not be written, which is noted, or if the race was forgotten: it must not come back. */
  #change(at: number, change: Partial<Entrant>): boolean {
    return this.#put(withEntrant(this.#race, at, change))
  }

  #put(race: Race): boolean {
    if (this.#isClosed) return false
    this.#race = race
    let isKept = true
    try {
      this.#store.write(race)
      this.#note = ''
    } catch (error) {
      isKept = false
      this.#note = `The race cannot be saved, so nothing more begins: ${sentence(messageOf(error))}`
    }
    this.#tell()
    return isKept
  }

  /** Two that have the same name are numbered. */
  #label(at: number): string {
    return labelsOf(this.#race.entrants)[at] ?? ''
  }

  #print(shown: string): void {
    this.#printed = shown
    this.#tell()
  }

  #tell(): void {
    for (const listener of this.#listeners) listener()
  }
}

const NOTHING = { session: null, worktree: null } as const

function sum(counts: readonly (number | null)[]): number {
  return counts.reduce<number>((all, one) => all + (one ?? 0), 0)
}
