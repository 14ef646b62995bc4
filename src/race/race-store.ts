/** The races as they are stored: a file for each in the state folder, and a claim of the program that runs it. */
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { namesIn } from '../platform/folders.ts'
import { readTextSync } from '../platform/regular-file.ts'
import { replaceFile } from '../storage/replace-file.ts'
import { claim, claimedAt, type Claim } from '../storage/sessions/claim.ts'
import { parseJson, toJson } from '../text/json.ts'
import { raceSchema, type Race } from './race-record.ts'

export type RaceStore = {
  /** The races of all folders, the newest first. Damaged files are left out. @throws what the system throws. */
  list: () => Race[]
  /** Null if it is gone, or damaged. */
  read: (id: string) => Race | null
  /** @throws what the system throws. */
  write: (race: Race) => void
  remove: (id: string) => void
  /** Null where another program that is alive runs it. @throws what the system throws. */
  claim: (id: string) => Claim | null
}

/** Bytes of a record: the outputs of its checks are bounded. */
const LIMIT = 4 * 1024 * 1024

export function openRaceStore(stateFolder: string, now: () => number): RaceStore {
  const folder = join(stateFolder, 'races')
  const pathOf = (id: string): string => join(folder, `${id}.json`)
  const read = (id: string): Race | null => {
    try {
      const { success, data } = raceSchema.safeParse(parseJson(readTextSync(pathOf(id), LIMIT)))
      return success && data.id === id ? data : null
    } catch {
      // It was removed meanwhile, or cannot be read.
      return null
    }
  }
  return {
    list: () =>
      namesIn(folder)
        .flatMap(name => (name.endsWith('.json') ? (read(name.slice(0, -'.json'.length)) ?? []) : []))
        .toSorted((a, b) => b.at - a.at),
    read,
    write: race => replaceFile(pathOf(race.id), toJson(race)),
    remove: id => rmSync(pathOf(id), { force: true }),
    claim: id => claim(join(folder, 'open'), id, claimedAt, now()),
  }
}
