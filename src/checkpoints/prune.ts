/** Limits the disk space of checkpoints. */
import { join } from 'node:path'
import type { Disk } from './disk.ts'
import { readAll, remove } from './record.ts'
import { answerOf, type Shadow } from './shadow.ts'

export type PruneOptions = {
  now: number
  /** Bytes of all checkpoints of all folders. */
  most: number
  /** Milliseconds after which a checkpoint is removed. */
  age: number
  /** Whether a session still exists. Checkpoints without a session are removed by age only. */
  isKept: (session: string) => boolean
  /** Whether another program uses the shadow in this folder. */
  isUsed: (folder: string) => boolean
}

/** Removes old checkpoints, then whole shadows of other folders, oldest first, and then the older half until it fits. Returns the count. */
export async function prune(shadow: Shadow, { now, most, age, isKept, isUsed }: PruneOptions): Promise<number> {
  const all = await readAll(shadow)
  const isOld = (at: number, session: string | null): boolean =>
    now - at > age || (session !== null && !isKept(session))
  const old = all.filter(({ at, session }) => isOld(at, session)).map(({ id }) => id)
  let left = all.filter(({ id }) => !old.includes(id))
  let removed = old.length
  if (old.length > 0) await forget(shadow, old)
  let total = 0
  const others: { folder: string; bytes: number; at: number }[] = []
  for (const { folder, bytes, at } of await shadows(shadow.disk)) {
    total += bytes
    if (folder !== shadow.folder) others.push({ folder, bytes, at })
  }
  for (const { folder, bytes, at } of others.toSorted((a, b) => a.at - b.at)) {
    if ((total <= most && now - at <= age) || isUsed(folder)) continue
    await shadow.disk.remove([folder])
    total -= bytes
  }
  while (total > most && left.length > 1) {
    const half = left.slice(0, Math.ceil(left.length / 2)).map(({ id }) => id)
    left = left.slice(half.length)
    removed += half.length
    await forget(shadow, half)
    total = (await shadows(shadow.disk)).reduce((sum, { bytes }) => sum + bytes, 0)
  }
  return removed
}

/** Removes checkpoints and the content that no other checkpoint uses. */
async function forget(shadow: Shadow, ids: readonly string[]): Promise<void> {
  await remove(shadow, ids)
  // Content that is missing in the project's repository is no error here: a restore of the checkpoint reports it.
  const trees = (await readAll(shadow)).map(({ id }) => `refs/checkpoints/${id}`)
  const listed = await answerOf(
    shadow.git(
      ['rev-list', '--objects', '--no-object-names', '--missing=allow-any', '--stdin'],
      MOST_OBJECTS,
      lines(trees),
    ),
  )
  const local = await answerOf(shadow.git(['cat-file', '--batch-check=%(objectname)'], MOST_OBJECTS, listed))
  const present = local
    .toString()
    .split('\n')
    .filter(row => /^[\da-f]+$/.test(row))
  const packs = join(shadow.folder, 'objects', 'pack')
  const before = (await shadow.disk.list(packs)).map(({ path }) => path)
  const name =
    present.length === 0
      ? ''
      : (await answerOf(shadow.git(['pack-objects', '-q', join(packs, 'pack')], undefined, lines(present))))
          .toString()
          .trim()
  // A crash before this leaves unused files, but never loses any.
  const old = before.filter(file => name === '' || !file.includes(name))
  await shadow.disk.remove(old.map(file => join(packs, file)))
  await answerOf(shadow.git(['prune-packed', '-q']))
  await removeLoose(shadow, new Set(present))
}

/** Bytes of git's list of objects. */
const MOST_OBJECTS = 256 * 1024 * 1024
const lines = (rows: readonly string[]): Buffer => Buffer.from(rows.map(row => `${row}\n`).join(''))

/** An object outside the new pack belongs to no checkpoint. */
async function removeLoose({ folder, disk }: Shadow, kept: ReadonlySet<string>): Promise<void> {
  const objects = join(folder, 'objects')
  const loose = (await disk.list(objects)).filter(({ path }) => /^[\da-f]{2}\//.test(path))
  await disk.remove(loose.flatMap(({ path }) => (kept.has(path.replace('/', '')) ? [] : [join(objects, path)])))
}

/** The folders of all shadows with their sizes; `at` is when each was last used. */
async function shadows(disk: Disk): Promise<{ folder: string; bytes: number; at: number }[]> {
  const found = new Map<string, { folder: string; bytes: number; at: number }>()
  for (const { path, bytes, at } of await disk.list(disk.shadows)) {
    const [name = ''] = path.split('/')
    if (name === path || name === 'in-use') continue
    const before = found.get(name)
    found.set(name, {
      folder: join(disk.shadows, name),
      bytes: bytes + (before?.bytes ?? 0),
      at: Math.max(at, before?.at ?? 0),
    })
  }
  return [...found.values()]
}
