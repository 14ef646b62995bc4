/** The worktrees as they are stored: a folder of the state folder for each project, with a folder and a record for each worktree. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { namesIn } from '../platform/folders.ts'
import { realPath } from '../platform/real-path.ts'
import { readTextSync } from '../platform/regular-file.ts'
import { pathWithin } from '../platform/within.ts'
import { storedFolderName } from '../storage/folder-name.ts'
import { replaceFile } from '../storage/replace-file.ts'
import { parseJson } from '../text/json.ts'

const schema = z.object({
  version: z.literal(1),
  /** The topmost folder of the working tree that it began in. */
  project: z.string(),
  /** The folder of the conversation that it began in: the project or a folder in it. */
  from: z.string(),
  branch: z.string(),
  /** The commit that its changes are counted from. */
  base: z.string().regex(/^[\da-f]{40,64}$/),
  prompt: z.string(),
  /** Milliseconds since the Unix epoch. */
  at: z.number(),
})

type WorktreeFacts = Omit<z.infer<typeof schema>, 'version'>

/** A worktree with its own topmost folder, absolute and without links. */
export type Worktree = WorktreeFacts & { folder: string }

const rootOf = (stateFolder: string): string => join(realPath(stateFolder), 'worktrees')

export const worktreesFolder = (stateFolder: string, project: string): string =>
  join(rootOf(stateFolder), storedFolderName(project))

/** The folder to work in: that of the worktree that corresponds to the user's, if there is one. */
export function workFolder({ folder, project, from }: Worktree): string {
  const own = join(folder, pathWithin(project, from) ?? '')
  return existsSync(own) ? own : folder
}

export const recordPath = (folder: string): string => `${folder}.json`

/** @throws what the system throws. */
export function writeRecord({ folder, ...facts }: Worktree): void {
  replaceFile(recordPath(folder), JSON.stringify({ version: 1, ...facts } satisfies z.infer<typeof schema>))
}

/** The worktree that a folder is in; null if it is in none. Never throws. */
export function worktreeAt(stateFolder: string, folder: string): Worktree | null {
  const root = rootOf(stateFolder)
  const [project, name] = (pathWithin(root, realPath(folder)) ?? '').split('/')
  return project === undefined || name === undefined ? null : readRecord(join(root, project, name))
}

/** The worktrees of a project, the newest first. Damaged records are left out. @throws what the system throws. */
export function worktreesOf(stateFolder: string, project: string): Worktree[] {
  const folder = worktreesFolder(stateFolder, project)
  const names = namesIn(folder).filter(name => name.endsWith('.json'))
  const found = names.flatMap(name => readRecord(join(folder, name.slice(0, -'.json'.length))) ?? [])
  return found.toSorted((a, b) => b.at - a.at)
}

function readRecord(folder: string): Worktree | null {
  try {
    const read = schema.safeParse(parseJson(readTextSync(recordPath(folder))))
    if (!read.success) return null
    const { version: _version, ...facts } = read.data
    return { ...facts, folder }
  } catch {
    // There is no record, or it cannot be read.
    return null
  }
}
