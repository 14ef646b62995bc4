/**
 * The files that commands changed since a moment, for the line at a turn's end. Git is asked only for names and counts, and
 * only files touched since then are read.
 */
import { join } from 'node:path'
import { isTouched, type Baseline } from './baseline.ts'
import { readContent } from './file-content.ts'
import { placeOf } from './calls-by-file.ts'
import type { GitQuestion, Repository } from './repository.ts'

/** A file touched since that moment; line counts are null if unknown. */
export type TouchedFile = {
  /** Absolute. */
  file: string
  /** The path to show. */
  path: string
  added: number | null
  removed: number | null
}

/** With more files than these, none is examined, and nothing is reported. */
const MOST_FILES = 2000
/** Bytes of one new file, and of all of them, whose lines are counted. */
const MOST_OF_ONE = 256 * 1024
const MOST_OF_ALL = 2 * 1024 * 1024

type Differing = { path: string; isDeleted: boolean; added: number | null; removed: number | null }

/** `since` is in milliseconds since the Unix epoch, by the clock of the file system. */
export async function touchedFiles(
  repository: Repository,
  { head, dirty }: Baseline,
  since: number,
  show: (file: string) => string,
): Promise<GitQuestion<TouchedFile[]>> {
  const listed = await repository.changedSince(head)
  if (!listed.ok) return listed
  const untracked = await repository.untracked()
  if (!untracked.ok) return untracked
  const followed = listed.value.map(({ path, status, added, removed }): Differing => {
    // Git's counts would include changes from before the session.
    const isKnown = !dirty.has(path)
    return { path, isDeleted: status === 'D', added: isKnown ? added : null, removed: isKnown ? removed : null }
  })
  const fresh = untracked.value.map((path): Differing => ({ path, isDeleted: false, added: null, removed: null }))
  const all = [...followed, ...fresh].filter(({ path }) => !path.endsWith('/'))
  if (all.length > MOST_FILES) return { ok: false, why: 'large', words: '' }
  const isNew = new Set(untracked.value.filter(path => !dirty.has(path)))
  const touched: TouchedFile[] = []
  let room = MOST_OF_ALL
  for (const { path, isDeleted, added, removed } of all) {
    const file = join(repository.top, path)
    if (!(await isTouched(file, isDeleted, since))) continue
    const lines = isNew.has(path) ? await newLines(file, Math.min(room, MOST_OF_ONE)) : null
    room -= lines?.bytes ?? 0
    touched.push({ file, path: show(file), added: lines?.count ?? added, removed: lines ? 0 : removed })
  }
  return { ok: true, value: touched }
}

/** The files without those at `paths`, which are absolute. */
export async function withoutCalled<File extends { file: string }>(
  files: readonly File[],
  paths: readonly string[],
): Promise<File[]> {
  const called = new Set(await Promise.all(paths.map(path => placeOf(path))))
  return files.filter(({ file }) => !called.has(file))
}

async function newLines(file: string, room: number): Promise<{ count: number; bytes: number } | null> {
  const content = await readContent(file, room)
  if (content.kind !== 'text') return null
  const { text } = content
  const newlines = text.split('\n').length - 1
  return { count: text === '' || text.endsWith('\n') ? newlines : newlines + 1, bytes: text.length }
}
