/** Keeps what git said about folders: a decision needs it at once. */
import type { GitSays } from './repository.ts'

export type KnownRepositories = {
  /** Asks about folders. Afterwards `says` knows them as they are now. Never rejects. */
  learn: (folders: readonly string[]) => Promise<void>
  /** The answer of a moment ago; a reason to ask the user about any other folder. */
  says: (folder: string) => GitSays
}

/** Milliseconds for which an answer holds: a decision comes at once, and anyone may change the settings after that. */
const HOLDS = 10_000

const UNKNOWN = 'git was not asked which settings apply there'

export function createKnownRepositories(
  ask: (folder: string) => Promise<GitSays>,
  now: () => number,
): KnownRepositories {
  const known = new Map<string, { says: GitSays; at: number }>()
  return {
    async learn(folders) {
      for (const folder of folders) known.delete(folder)
      const at = now()
      for (const [folder, old] of known) if (at - old.at > HOLDS) known.delete(folder)
      await Promise.all(
        folders.map(async folder => {
          const says = await ask(folder).catch(() => unknown)
          known.set(folder, { says, at })
        }),
      )
    },
    says(folder) {
      const found = known.get(folder)
      return found && now() - found.at <= HOLDS ? found.says : unknown
    },
  }
}

const unknown: GitSays = { reason: UNKNOWN, isPartial: false, programs: [], settings: [] }
