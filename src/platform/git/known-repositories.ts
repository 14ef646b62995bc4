/** Keeps what git said about folders: a decision needs it at once. */
import type { GitSays } from './repository.ts'

export type KnownRepositories = {
  /** Asks about folders. Afterwards `says` knows them as they are now. Never rejects. */
  learn: (folders: readonly string[]) => Promise<void>
  /** The last answer about a folder; a reason to ask the user about one that was never asked about. */
  says: (folder: string) => GitSays
}

/** Folders whose answers are kept. */
const MOST = 100

const unknown: GitSays = {
  reason: 'git was not asked which settings apply there',
  isPartial: false,
  programs: [],
  settings: [],
}

/** `ask` must not keep an answer: each decision that lets a command run asks again. */
export function createKnownRepositories(ask: (folder: string) => Promise<GitSays>): KnownRepositories {
  const known = new Map<string, GitSays>()

  async function learnOne(folder: string): Promise<void> {
    const says = await ask(folder).catch(() => unknown)
    known.delete(folder)
    known.set(folder, says)
    const [oldest] = known.keys()
    if (known.size > MOST && oldest !== undefined) known.delete(oldest)
  }

  return {
    async learn(folders) {
      await Promise.all(folders.map(learnOne))
    },
    says: folder => known.get(folder) ?? unknown,
  }
}
