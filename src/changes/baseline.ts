/** The state of the repository when a session began: the commit, and the files that differed from it. */
import { lstat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { here, type ProjectFiles } from '../platform/project-files.ts'
import { isSame, readContent, type FileContent } from './file-content.ts'
import type { GitQuestion, Repository } from './repository.ts'

export type Baseline = {
  top: string
  /** The commit that was checked out; null if there was none. */
  head: string | null
  /** The files that differed from that commit, by their path from the top. */
  dirty: ReadonlyMap<string, BaselineFile>
  /** The files that were written before they could be read. */
  late: readonly string[]
  /** True if the user has chosen the commit: it says nothing about when a session began. */
  isChosen?: true
}

/** A file as it was when the session began. */
export type BaselineFile = {
  /** A mark that changes when the file is written; null if the file did not exist. */
  mark: string | null
  content: FileContent
}

/** Beyond this many files, only names are known. */
const MOST_FILES = 2000
/** Bytes kept of one file, and of all together. */
const MOST_OF_ONE = 512 * 1024
const MOST_OF_ALL = 8 * 1024 * 1024

const NOT_KEPT = {
  kind: 'unread',
  why: 'was changed before this session, and its content at that time was not saved',
} as const

/**
 * Takes the baseline into memory; writes nothing. The agent does not wait for git, so files written after `since`, in
 * whole milliseconds since the Unix epoch, do not belong to it; `Infinity` if the files have another machine's clock.
 */
export async function takeBaseline(repository: Repository, since: number): Promise<GitQuestion<Baseline>> {
  const head = await repository.head()
  if (!head.ok) return head
  const changed = await repository.changedSince(head.value)
  if (!changed.ok) return changed
  const untracked = await repository.untracked()
  if (!untracked.ok) return untracked
  const gone = new Set(changed.value.flatMap(({ path, from, status }) => (status === 'D' ? [path] : (from ?? []))))
  const names = changed.value.flatMap(({ path, from }) => (from === null ? [path] : [from, path]))
  // The times of files are more exact. One of the same millisecond was there: nothing writes as soon as that after it.
  const from = since + 1
  const dirty = new Map<string, BaselineFile>()
  const late: string[] = []
  let room = MOST_OF_ALL
  for (const [index, name] of [...names, ...untracked.value].entries()) {
    const file = join(repository.top, name)
    if (index >= MOST_FILES) dirty.set(name, { mark: null, content: NOT_KEPT })
    else if (since < Infinity && (await isTouched(file, gone.has(name), from))) late.push(name)
    else {
      const kept = await keep(file, Math.min(room, MOST_OF_ONE), repository.files)
      dirty.set(name, kept)
      room -= kept.content.kind === 'text' ? kept.content.text.length : 0
    }
  }
  return { ok: true, value: { top: repository.top, head: head.value, dirty, late } }
}

/** Completes a baseline with the content that late files had before the agent's first edit or write, by absolute path. */
export function withSnapshots(baseline: Baseline, befores: ReadonlyMap<string, FileContent>): Baseline {
  const known = baseline.late.flatMap(name => {
    const content = befores.get(join(baseline.top, name))
    return content?.kind === 'text' || content?.kind === 'link' ? [[name, { mark: null, content }] as const] : []
  })
  return { ...baseline, dirty: new Map([...baseline.dirty, ...known]) }
}

/** Whether a file was written since then; a deleted one is judged by its nearest existing folder. */
export async function isTouched(file: string, isDeleted: boolean, since: number): Promise<boolean> {
  for (let place = isDeleted ? dirname(file) : file; ; place = dirname(place)) {
    try {
      const { mtimeMs, ctimeMs } = await lstat(place)
      return Math.max(isDeleted ? 0 : ctimeMs, mtimeMs) >= since
    } catch {
      if (!isDeleted || dirname(place) === place) return false
    }
  }
}

async function keep(file: string, room: number, files: ProjectFiles): Promise<BaselineFile> {
  const mark = await markOf(file, files)
  const content = await readContent(file, room, files)
  return { mark, content: content.kind === 'unread' ? NOT_KEPT : content }
}

/** Whether a file is unchanged; null if unknown. */
export async function isAsKept(
  file: string,
  { mark, content }: BaselineFile,
  limit: number,
  files: ProjectFiles,
): Promise<boolean | null> {
  if (mark !== null && mark === (await markOf(file, files))) return true
  if (content.kind === 'unread') return mark === null ? null : false
  return isSame(content, await readContent(file, limit, files))
}

/** On another machine only contents are compared. */
async function markOf(file: string, files: ProjectFiles): Promise<string | null> {
  if (files !== here) return null
  try {
    const { size, mtimeNs, ctimeNs, ino, mode } = await lstat(file, { bigint: true })
    return [size, mtimeNs, ctimeNs, ino, mode].join(' ')
  } catch {
    // The file does not exist, or its folder is not readable.
    return null
  }
}
