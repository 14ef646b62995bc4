/**
 * A restore that was killed. Its intent is kept in a checkpoint (`begun`), so that what it has written does not count as the user's, and what it
 * left behind can be removed.
 */
import { join } from 'node:path'
import { differences, isFile, type Difference } from './compare.ts'
import { readAll, type Checkpoint } from './record.ts'
import type { TreeEntry } from './restore.ts'
import type { Shadow } from './shadow.ts'

/** The name of its unfinished files: one in each folder, since files are written one after the other. */
export const unfinishedName = (id: string): string => `.zotui-restore-${id}`

/** It exists while a restore writes: without it there is nothing to look for. */
const markOf = ({ folder }: Shadow): string => join(folder, 'zotui-restoring')

/** Bytes of the mark, which is an id. */
const MOST = 100
/** Bytes of the largest file that is compared with a part of another. */
const LARGEST = 256 * 1024 * 1024

/** Notes that files are written from now on, before the first one is. @throws what the system throws */
export async function beginWriting(shadow: Shadow, id: string): Promise<void> {
  await shadow.disk.write(markOf(shadow), id)
}

/** All files are written. @throws what the system throws */
export async function endWriting(shadow: Shadow): Promise<void> {
  await shadow.disk.remove([markOf(shadow)])
}

/** Removes what a killed restore left behind: unfinished files, and folders that it made or emptied. Its own user is the only one now. */
export async function cleanUp(shadow: Shadow): Promise<void> {
  const id = await shadow.disk.readText(markOf(shadow), MOST)
  if (id === '') return
  const all = await readAll(shadow)
  const begun = all.find(each => each.id === id)
  if (begun) await removeLeftoversOf(shadow, all, begun)
  else await endWriting(shadow)
}

/** Ends a restore that could not write all its files: a folder that it made for one of them is of no use. @throws what the system throws */
export async function endInPart(shadow: Shadow, begun: Checkpoint): Promise<void> {
  await removeLeftoversOf(shadow, await readAll(shadow), begun)
}

async function removeLeftoversOf(shadow: Shadow, all: readonly Checkpoint[], begun: Checkpoint): Promise<void> {
  const intent = await intentOf(shadow, all, begun)
  await shadow.disk.tidy(shadow.project.root, [...intent.keys()], unfinishedName(begun.id))
  await endWriting(shadow)
}

/** The files that a restore was to write, by path; null for those that it was to delete. */
async function intentOf(
  shadow: Shadow,
  all: readonly Checkpoint[],
  { tree, restored, begun }: Checkpoint,
): Promise<Map<string, TreeEntry | null>> {
  const target = all.find(({ id }) => id === restored?.id)
  if (!target || !begun) return new Map()
  const kept = new Set(begun.kept)
  const found = await differences(shadow, tree, target.tree)
  return new Map(found.flatMap(({ path, after }) => (kept.has(path) ? [] : [[path, after] as const])))
}

/**
 * Those of the differences between a checkpoint and a later tree that were made by the restore that began there, if one did. A file is the
 * restore's if it is as it was to write it.
 */
export async function madeByRestore(
  shadow: Shadow,
  all: readonly Checkpoint[],
  begun: Checkpoint,
  found: readonly Difference[],
): Promise<Set<string>> {
  const made = new Set<string>()
  if (!begun.begun || found.length === 0) return made
  const intent = await intentOf(shadow, all, begun)
  for (const difference of found) {
    const to = intent.get(difference.path)
    if (to !== undefined && (await isMade(shadow, difference, to))) made.add(difference.path)
  }
  return made
}

async function isMade(shadow: Shadow, { before, after }: Difference, to: TreeEntry | null): Promise<boolean> {
  if (after === null || to === null) {
    // A file is removed before one of another kind replaces it.
    return after === to || (after === null && before !== null && isLink(before) !== isLink(to))
  }
  // The mode of a file that is written in place is set last.
  if (after.oid === to.oid) return true
  return isFile(after) && isFile(to) && isBeginning(shadow, after.oid, to.oid)
}

const isLink = (entry: TreeEntry | null): boolean => entry?.mode === '120000'

/** A file that cannot be replaced in one step, such as one with several names, is written in place, and so in part. */
async function isBeginning({ gitWithProject }: Shadow, part: string, whole: string): Promise<boolean> {
  const [one, other] = [
    await gitWithProject(['cat-file', 'blob', part], LARGEST),
    await gitWithProject(['cat-file', 'blob', whole], LARGEST),
  ]
  return one.ok && other.ok && other.bytes.subarray(0, one.bytes.length).equals(one.bytes)
}
