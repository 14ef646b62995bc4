/** Keeps what git said about folders: a decision needs it at once. */
import type { GitSays, GitTracks } from './repository.ts'

export type KnownRepositories = {
  /** Asks about folders. Afterwards `says` and `tracks` know them as they are now. Never rejects. */
  learn: (folders: { settings: readonly string[]; tracked: readonly string[] }) => Promise<void>
  /** The last answer about a folder; a reason to ask the user about one that was never asked about. */
  says: (folder: string) => GitSays
  /** The last answer about the files of a folder; null if there is none. */
  tracks: (folder: string) => GitTracks | null
}

/** Folders whose answers are kept. */
const MOST = 100

const unknown: GitSays = {
  reason: 'git was not asked which settings apply there',
  isPartial: false,
  programs: [],
  settings: [],
}

/** Neither may keep an answer: each decision that lets a command run asks again. */
export type AskRepositories = {
  settings: (folder: string) => Promise<GitSays>
  tracked: (folder: string) => Promise<GitTracks | null>
}

export function createKnownRepositories({ settings, tracked }: AskRepositories): KnownRepositories {
  const known = new Map<string, GitSays>()
  const listed = new Map<string, GitTracks | null>()
  return {
    async learn(folders) {
      await Promise.all([
        ...folders.settings.map(async each => keep(known, each, await settings(each).catch(() => unknown))),
        ...folders.tracked.map(async each => keep(listed, each, await tracked(each).catch(() => null))),
      ])
    },
    says: folder => known.get(folder) ?? unknown,
    tracks: folder => listed.get(folder) ?? null,
  }
}

function keep<Answer>(answers: Map<string, Answer>, folder: string, answer: Answer): void {
  answers.delete(folder)
  answers.set(folder, answer)
  const [oldest] = answers.keys()
  if (answers.size > MOST && oldest !== undefined) answers.delete(oldest)
}
