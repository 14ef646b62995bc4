/**
 * A worktree that was taken in part: the disk was full, or zotui was killed while git wrote. The intent is written first, so that what git has
 * written by then does not count as the user's change, and is taken back.
 */
import { lstatSync, readlinkSync, rmdirSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { z } from 'zod'
import { readRegularFileSync, readTextSync } from '../platform/regular-file.ts'
import { isOwnerDead } from '../platform/owner-state.ts'
import { ownName } from '../platform/owner.ts'
import { isWithin } from '../platform/within.ts'
import { replaceFile } from '../storage/replace-file.ts'
import { parseJson } from '../text/json.ts'
import type { WorktreeGit } from './git.ts'
import type { Worktree } from './record.ts'

const schema = z.object({
  version: z.literal(1),
  owner: z.string(),
  /** The user's commit before, and the tree with the files to write. */
  onto: z.string().regex(/^[\da-f]{40,64}$/),
  tree: z.string().regex(/^[\da-f]{40,64}$/),
  /** From the top of the repository. */
  files: z.array(z.object({ path: z.string(), kind: z.enum(['new', 'changed', 'deleted']) })),
})

type Written = z.infer<typeof schema>
type Intent = Pick<Written, 'onto' | 'tree'> & { files: readonly Written['files'][number][] }
/** Bytes of the largest file that is compared. */
const LARGEST = 512 * 1024 * 1024

type TakenPlace = Pick<Worktree, 'folder'>

export const intentPath = ({ folder }: TakenPlace): string => `${folder}.taking`

/**
 * Does the work, which writes these files and then moves the branch or begins a merge. If it fails, what it wrote is taken back.
 *
 * @throws what the work throws, and the system where the intent cannot be written: then nothing is begun.
 */
export async function wholly<Value>(
  place: TakenPlace,
  git: WorktreeGit,
  { onto, tree, files }: Intent,
  work: () => Promise<Value>,
): Promise<Value> {
  const named = files.map(({ path, kind }) => ({ path, kind }))
  const intent = { version: 1, owner: ownName(), onto, tree, files: named } satisfies Written
  replaceFile(intentPath(place), JSON.stringify(intent))
  try {
    return await work()
  } catch (error) {
    await takeBack(git, intent).catch(() => undefined)
    throw error
  } finally {
    rmSync(intentPath(place), { force: true })
  }
}

/** Brings back the files of which a killed program has written a part. @throws WorktreeProblem, and what the system throws. */
export async function takeBackLeft(place: TakenPlace, git: WorktreeGit, now: number): Promise<void> {
  const intent = readIntent(place)
  if (intent === null || !isOwnerDead(intent.owner, () => now, now)) return
  await takeBack(git, intent)
  rmSync(intentPath(place), { force: true })
}

function readIntent(place: TakenPlace): Written | null {
  try {
    return schema.safeParse(parseJson(readTextSync(intentPath(place)))).data ?? null
  } catch {
    // There is none.
    return null
  }
}

/** Brings back the files, if the work has not come to its end: git moves the branch, begins the merge and writes the index last. */
async function takeBack(git: WorktreeGit, { onto, tree, files }: Intent): Promise<void> {
  const head = await git.ask(['rev-parse', '--verify', '--quiet', 'HEAD^{commit}'])
  if (!head.ok || head.bytes.toString().trim() !== onto) return
  if ((await git.ask(['rev-parse', '--verify', '--quiet', 'MERGE_HEAD'])).ok) return
  await git.ask(['update-index', '-q', '--refresh'])
  // A staged file was written to its end.
  const staged = new Set(await git.fields(['diff-index', '--cached', '--name-only', '-z', '--no-renames', onto]))
  const dirty = new Set(await git.fields(['diff-files', '--name-only', '-z', '--ignore-submodules=all']))
  const ours: string[] = []
  for (const { path, kind } of files) {
    if (staged.has(path) || !isWithin(git.folder, join(git.folder, path))) continue
    if (kind !== 'new' && !dirty.has(path)) continue
    if (!(await isPart(git, tree, path))) continue
    if (kind === 'new') removeNew(git.folder, path)
    else ours.push(path)
  }
  if (ours.length === 0) return
  await git.get(['checkout-index', '--force', '-z', '--stdin'], Buffer.from(ours.map(path => `${path}\0`).join('')))
}

/** Whether git may have written what is there: nothing, or the beginning of the file. Anything else is the user's. */
async function isPart(git: WorktreeGit, tree: string, path: string): Promise<boolean> {
  const file = join(git.folder, path)
  const found = lstatSync(file, { throwIfNoEntry: false })
  if (!found) return true
  if (isBehindLink(git.folder, path)) return false
  const committed = await git.ask(['cat-file', '--filters', `${tree}:${path}`], LARGEST)
  if (!committed.ok) return false
  if (found.isSymbolicLink()) return readlinkSync(file) === committed.bytes.toString()
  const there = readRegularFileSync(file, LARGEST)
  return there !== null && withoutNames(committed.bytes).startsWith(withoutNames(there))
}

/** Marks of conflicts have names, which are others in a preview. */
const withoutNames = (bytes: Buffer): string => bytes.toString('latin1').replaceAll(/^([<>|]{7}) .*$/gm, '$1')

function isBehindLink(top: string, path: string): boolean {
  for (let above = dirname(path); above !== '.'; above = dirname(above))
    if (lstatSync(join(top, above), { throwIfNoEntry: false })?.isSymbolicLink()) return true
  return false
}

/** Removes a file, and the folders that are empty then. */
function removeNew(top: string, path: string): void {
  rmSync(join(top, path), { force: true })
  for (let above = dirname(path); above !== '.'; above = dirname(above)) {
    try {
      rmdirSync(join(top, above))
    } catch {
      // It has other files, or is gone.
      return
    }
  }
}
