/** The races of this program, which go on while it runs; those of others are looked at. */
import { randomUUID } from 'node:crypto'
import { newRace, type Race, type RacePlan } from '../../race/race-record.ts'
import { isSettled } from '../../race/race-steps.ts'
import { openRaceStore, type RaceStore, type StoredRace } from '../../race/race-store.ts'
import type { Claim } from '../../storage/sessions/claim.ts'
import { OwnRace, type RaceRun } from './race-run.ts'
import type { RaceParts } from './race-parts.ts'
import { WatchedRace } from './watched-race.ts'

export type Races = {
  /** The races of a folder, the newest first. Those of all folders that have expired are gone then. @throws what the system throws. */
  list: (folder: string) => Promise<readonly Race[]>
  /** @throws what the system throws where it cannot be kept. */
  begin: (plan: RacePlan) => RaceRun
  /** Takes a race over if no program that is alive runs it. Null if it is gone. */
  open: (id: string) => Promise<RaceRun | null>
  /** Takes it out of the list. Sessions and worktrees stay. */
  forget: (id: string) => void
}

/** Days after which the record of a race that is settled is removed. */
const MOST_DAYS = 30
const DAY = 86_400_000

/** Once for a program: a race goes on when the conversation is closed that began it. */
const known = new WeakMap<RaceParts['conversations'], Races>()

export function racesOf(parts: RaceParts): Races {
  const races = known.get(parts.conversations) ?? createRaces(parts)
  known.set(parts.conversations, races)
  return races
}

export function createRaces(parts: RaceParts): Races {
  const store: RaceStore = openRaceStore(parts.stateFolder, parts.now)
  const open = new Map<string, OwnRace>()
  const opening = new Map<string, Promise<RaceRun | null>>()
  const claims = new Map<string, Claim | null>()
  return {
    async list(folder) {
      const found: Race[] = []
      for await (const stored of store.all()) {
        const { race } = stored
        if (hasExpired(stored) && expire(race.id)) continue
        if (race.folder === folder) found.push(race)
      }
      return found.toSorted((a, b) => b.at - a.at)
    },
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
      if (own) {
        await own.refresh()
        return own
      }
      const begun = opening.get(id) ?? opened(id).finally(() => opening.delete(id))
      opening.set(id, begun)
      return begun
    },
    forget(id) {
      open.get(id)?.close()
      open.delete(id)
      store.remove(id)
      claims.get(id)?.release()
      claims.delete(id)
    },
  }

  /** Read after it is claimed: whoever had it until then may have written more. */
  async function opened(id: string): Promise<RaceRun | null> {
    const claim = store.claim(id)
    const race = await store.read(id)
    if (!race || !claim) {
      claim?.release()
      return race && new WatchedRace(store, race)
    }
    claims.set(id, claim)
    const run = new OwnRace(parts, store, race, false)
    open.set(id, run)
    await run.recover()
    return run
  }

  /** As checkpoints do, but never one that still has something to decide. */
  function hasExpired({ race, changedAt }: StoredRace): boolean {
    const days = parts.retentionDays() === 0 ? MOST_DAYS : Math.min(parts.retentionDays(), MOST_DAYS)
    return (
      parts.now() - changedAt > days * DAY &&
      !open.has(race.id) &&
      !opening.has(race.id) &&
      isSettled(race, worktree => parts.worktrees.at(worktree) !== null)
    )
  }

  /** False for one that another program has open: it stays. */
  function expire(id: string): boolean {
    const claim = store.claim(id)
    if (!claim) return false
    store.remove(id)
    claim.release()
    return true
  }
}
