/** A race for the tests of its page, which notes what the page asks for. */
import type { RacePageRequest } from '../../../../src/app/pages/pages.ts'
import type { RaceRun, RaceView } from '../../../../src/app/race/race-run.ts'
import { newRace, type Entrant, type Race } from '../../../../src/race/race-record.ts'

export function raceOf(entrants: readonly Partial<Entrant>[], race: Partial<Race> = {}): Race {
  const plan = {
    folder: '/project',
    prompt: 'fix the failing tests',
    checkCommand: 'npm test',
    mode: 'ask' as const,
    entrants: entrants.map(({ agent = 'claude', name = agent ?? 'claude', model = null }) => ({ agent, name, model })),
  }
  const made = newRace(plan, 'race-1', 1000)
  return { ...made, ...race, entrants: made.entrants.map((each, at) => Object.assign(each, entrants[at])) }
}

export type FakeRace = RacePageRequest & { asked: string[]; show: (view: Partial<RaceView>) => void }

export function raceRequestFor(entrants: readonly Partial<Entrant>[], view: Partial<RaceView> = {}): FakeRace {
  const asked: string[] = []
  const listeners = new Set<() => void>()
  let current: RaceView = {
    race: raceOf(entrants),
    live: new Map(),
    printed: '',
    preparing: '',
    isOwn: true,
    isGoing: true,
    note: '',
    ...view,
  }
  const note = (words: string) => (at: number) => void asked.push(`${words} ${at}`)
  const run: RaceRun = {
    view: () => current,
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    go: () => void asked.push('go'),
    stop: async at => (asked.push(`stop ${at}`), 'Stopping it.'),
    check: at => (asked.push(`check ${at}`), null),
    discard: async at => (asked.push(`discard ${at}`), 'It is gone.'),
    picked: note('picked'),
    refresh: async () => void asked.push('refresh'),
    close: () => undefined,
  }
  return {
    asked,
    show(next) {
      current = { ...current, ...next }
      for (const listener of listeners) listener()
    },
    run,
    attach: note('attach'),
    pick: note('pick'),
    discardOthers: note('discard others'),
    diffOf: () => null,
  }
}
