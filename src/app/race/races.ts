/** The races of this program, which go on while it runs; those of others are looked at. */
import { randomUUID } from 'node:crypto'
import { newRace, type Race, type RacePlan } from '../../race/race-record.ts'
import { openRaceStore, type RaceStore } from '../../race/race-store.ts'
import type { Claim } from '../../storage/sessions/claim.ts'
import { OwnRace, type RaceRun } from './race-run.ts'
import type { RaceParts } from './race-parts.ts'
import { WatchedRace } from './watched-race.ts'

export type Races = {
  /** The races of a folder, the newest first. */
  list: (folder: string) => readonly Race[]
  /** @throws what the system throws where it cannot be kept. */
  begin: (plan: RacePlan) => RaceRun
  /** Takes a race over if no program that is alive runs it. Null if it is gone. */
  open: (id: string) => Promise<RaceRun | null>
  /** Takes it out of the list. Sessions and worktrees stay. */
  forget: (id: string) => void
}

/** Once for a program: a race goes on when the conversation is closed that began it. */
const known = new WeakMap<RaceParts['conversations'], Races>()

export function racesOf(parts: RaceParts): Races {
  const races = known.get(parts.conversations) ?? createRaces(parts)
  known.set(parts.conversations, races)
  return races
}

export function createRaces(parts: RaceParts): Races {
  const store: RaceStore = openRaceStore(parts.stateFolder, parts.now)
  const open = new Map<string, RaceRun>()
  const claims = new Map<string, Claim | null>()
  return {
    list: folder => store.list().filter(race => race.folder === folder),
    begin(plan) {
      const race = newRace(plan, randomUUID(), parts.now())
      claims.set(race.id, store.claim(race.id))
      store.write(race)
      const run = new OwnRace(parts, store, race, true)
      open.set(race.id, run)
      run.go()
      return run
    },
    async open(id) {
      const own = open.get(id)
      if (own?.view().isOwn === true) {
        await own.refresh()
        return own
      }
      const race = store.read(id)
      if (!race) return null
      const claim = store.claim(id)
      if (!claim) return new WatchedRace(store, race)
      claims.set(id, claim)
      const run = new OwnRace(parts, store, race, false)
      open.set(id, run)
      await run.recover()
      return run
    },
    forget(id) {
      open.get(id)?.close()
      open.delete(id)
      store.remove(id)
      claims.get(id)?.release()
      claims.delete(id)
    },
  }
}
