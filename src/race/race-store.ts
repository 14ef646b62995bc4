/** The races as they are stored: a file for each in the state folder, and a claim of the program that runs it. */
import { rmSync } from 'node:fs'
import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { isMissing } from '../platform/errors.ts'
import { readRegularFile } from '../platform/regular-file.ts'
import { replaceFile } from '../storage/replace-file.ts'
import { claim, claimedAt, type Claim } from '../storage/sessions/claim.ts'
import { parseJson, toJson } from '../text/json.ts'
import { raceSchema, type Race } from './race-record.ts'

/** `changedAt`: when its record was last written, in milliseconds since the Unix epoch. */
export type StoredRace = { race: Race; changedAt: number }

export type RaceStore = {
  /** The races of all folders, the last changed first, each read when it is asked for. Damaged files are left out. @throws what the system throws. */
  all: () => AsyncGenerator<StoredRace>
  /** Null if it is gone, or damaged. */
  read: (id: string) => Promise<Race | null>
  /** At once: what is not in the record does not begin. @throws what the system throws. */
  write: (race: Race) => void
  remove: (id: string) => void
  /** Null where another program that is alive runs it. @throws what the system throws. */
  claim: (id: string) => Claim | null
}

/** Bytes of a record: the outputs of its checks are bounded. */
const LIMIT = 4 * 1024 * 1024
/** Records that are read. Those that are over expire, so there are more only if nobody looks at them. */
const MOST = 500
const ENDING = '.json'

export function openRaceStore(stateFolder: string, now: () => number): RaceStore {
  const folder = join(stateFolder, 'races')
  const pathOf = (id: string): string => join(folder, `${id}${ENDING}`)

  async function read(id: string): Promise<Race | null> {
    const file = await readRegularFile(pathOf(id), LIMIT)
    const { success, data } = raceSchema.safeParse(file.ok ? parseJson(file.bytes.toString('utf8')) : null)
    return success && data.id === id ? data : null
  }

  return {
    async *all() {
      for (const { id, changedAt } of (await recordsIn(folder)).slice(0, MOST)) {
        const race = await read(id)
        if (race) yield { race, changedAt }
      }
    },
    read,
    write: race => replaceFile(pathOf(race.id), toJson(race)),
    remove: id => rmSync(pathOf(id), { force: true }),
    claim: id => claim(join(folder, 'open'), id, claimedAt, now()),
  }
}

async function recordsIn(folder: string): Promise<{ id: string; changedAt: number }[]> {
  const found: { id: string; changedAt: number }[] = []
  for (const name of await namesOf(folder)) {
    if (!name.endsWith(ENDING)) continue
    // It may be removed meanwhile.
    const stats = await stat(join(folder, name)).catch(() => null)
    if (stats) found.push({ id: name.slice(0, -ENDING.length), changedAt: stats.mtimeMs })
  }
  return found.toSorted((a, b) => b.changedAt - a.changedAt)
}

async function namesOf(folder: string): Promise<string[]> {
  try {
    return await readdir(folder)
  } catch (error) {
    if (isMissing(error)) return []
    throw error
  }
}
