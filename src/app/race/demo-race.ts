/** The race of the demo: it looks like any other, but no agent runs, no worktree is made, and nothing costs anything. */
import type { CollectedChanges } from '../../changes/collect.ts'
import type { Timers } from '../../platform/timers.ts'
import { labelsOf } from '../../race/labels.ts'
import { newRace, type Entrant, type Race, type RacePlan } from '../../race/race-record.ts'
import { isAtWork, nextCheck, withEntrant } from '../../race/race-steps.ts'
import type { FileChange } from '../../tools/diff/change.ts'
import { diffOfTexts } from '../../tools/diff/diff.ts'
import { madeUpEntrants, type MadeUpEntrant } from './demo-entrants.ts'
import type { RaceRun, RaceView } from './race-run.ts'

const NOTE = 'The demo makes this race up: no agent runs, and nothing costs anything.'

/** Milliseconds between two that begin, for a worktree, for the start of an agent, and for a check. */
const [APART, MAKING, STARTING, CHECKING] = [500, 700, 500, 1800]

export type RaceClocks = { now: () => number; after: Timers['after'] }

export class DemoRace implements RaceRun {
  readonly #clocks: RaceClocks
  readonly #listeners = new Set<() => void>()
  /** What is still to come, by the index of the one that it is about. */
  readonly #coming = new Map<number, Set<() => void>>()
  #race: Race

  constructor(plan: RacePlan, clocks: RaceClocks) {
    this.#clocks = clocks
    this.#race = newRace(plan, 'demo', clocks.now())
    for (const at of this.#race.entrants.keys()) this.#begin(at)
  }

  view(): RaceView {
    const printed = this.#race.entrants.some(({ check }) => check?.state === 'running') ? '> demo-project test' : ''
    return { race: this.#race, live: new Map(), printed, preparing: '', isOwn: true, isGoing: true, note: NOTE }
  }

  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  go(): void {}

  async stop(at: number): Promise<string> {
    const entrant = this.#race.entrants[at]
    const label = this.#label(at)
    if (!entrant || (!isAtWork(entrant) && entrant.step !== 'waiting' && entrant.check?.state !== 'running'))
      return `${label} does not work.`
    this.#cancel(at)
    const { check } = entrant
    this.#change(at, check ? { check: { ...check, state: 'stopped' } } : { step: 'stopped' })
    this.#checkNext()
    return `Stopped ${label}.`
  }

  check(at: number): string | null {
    const entrant = this.#race.entrants[at]
    if (!entrant || entrant.isDiscarded || entrant.step !== 'done') return 'There is nothing to check.'
    if (this.#race.entrants.some(({ check }) => check?.state === 'running')) return 'A check is running.'
    this.#beginCheck(at)
    return null
  }

  async discard(at: number): Promise<string> {
    this.#cancel(at)
    const isOver = this.#race.entrants[at]?.step === 'done'
    this.#change(at, { isDiscarded: true, ...(!isOver && { step: 'stopped' as const }) })
    return `The worktree of ${this.#label(at)} was removed.`
  }

  picked(at: number): void {
    this.#change(at, { isPicked: true })
  }

  async refresh(): Promise<void> {}

  close(): void {
    for (const at of this.#coming.keys()) this.#cancel(at)
  }

  /** The lines that one has changed. */
  changesOf(at: number): CollectedChanges {
    const folder = this.#race.entrants[at]?.worktree?.folder ?? ''
    const files = scriptOf(at).files.map(({ path, ...texts }) => ({ path, diff: diffOfTexts([texts]) }))
    const session = files.map(({ path, diff: { added, removed } }): FileChange => ({
      file: `${folder}/${path}`,
      path,
      from: null,
      kind: 'changed',
      form: 'text',
      added,
      removed,
      isEstimate: false,
      calls: 1,
    }))
    return {
      list: { session, before: [], unsure: 0, notes: [] },
      diffOf: async ({ path }) => {
        const found = files.find(each => each.path === path)
        return { hunks: (found?.diff.hunks ?? []).map(lines => ({ title: '', lines })), notes: [] }
      },
    }
  }

  #begin(at: number): void {
    const { turnMs, says, costUsd, tokens, lastLine } = scriptOf(at)
    const begun = at * APART
    const working = begun + MAKING + STARTING
    const branch = `zotui/${this.#label(at).replaceAll(/[^\w]+/g, '-')}-1`
    this.#later(at, begun, () => this.#change(at, { step: 'making', startedAt: this.#clocks.now() }))
    this.#later(at, begun + MAKING, () =>
      this.#change(at, { step: 'starting', worktree: { folder: `/demo/${branch}`, branch, work: `/demo/${branch}` } }),
    )
    for (const [index, lastSaid] of says.entries())
      this.#later(at, working + (turnMs * index) / says.length, () =>
        this.#change(at, { step: 'working', lastLine: lastSaid, costUsd: (costUsd * (index + 1)) / (says.length + 1) }),
      )
    this.#later(at, working + turnMs, () => {
      const { session } = this.changesOf(at).list
      const sum = (of: 'added' | 'removed'): number => session.reduce((all, each) => all + (each[of] ?? 0), 0)
      const changes = { files: session.length, added: sum('added'), removed: sum('removed') }
      this.#change(at, { step: 'done', workedMs: turnMs, costUsd, tokens, lastLine, changes })
      this.#checkNext()
    })
  }

  /** One at a time, as in any race. */
  #checkNext(): void {
    const next = nextCheck(this.#race)
    if (next >= 0) this.#beginCheck(next)
  }

  #beginCheck(at: number): void {
    const begun = { at: this.#clocks.now(), durationMs: 0, exitCode: null, problem: '', output: '' }
    this.#change(at, { check: { ...begun, state: 'running' } })
    this.#later(at, CHECKING, () => {
      this.#change(at, { check: { ...begun, ...scriptOf(at).check, state: 'ended', durationMs: CHECKING } })
      this.#checkNext()
    })
  }

  #later(at: number, ms: number, run: () => void): void {
    const coming = this.#coming.get(at) ?? new Set()
    this.#coming.set(at, coming)
    const cancel = this.#clocks.after(ms, () => {
      coming.delete(cancel)
      run()
    })
    coming.add(cancel)
  }

  #cancel(at: number): void {
    for (const cancel of this.#coming.get(at) ?? []) cancel()
    this.#coming.delete(at)
  }

  #change(at: number, change: Partial<Entrant>): void {
    this.#race = withEntrant(this.#race, at, change)
    for (const listener of this.#listeners) listener()
  }

  #label(at: number): string {
    return labelsOf(this.#race.entrants)[at] ?? ''
  }
}

const [first] = madeUpEntrants

function scriptOf(at: number): MadeUpEntrant {
  const found = madeUpEntrants[at % madeUpEntrants.length] ?? first
  if (!found) throw new Error('the demo has no entrants')
  return found
}
