/** The state of the repository when a session began: the commit, and the files that differed from it. */
import { lstat } from 'node:fs/promises'
import { join } from 'node:path'
import { isSame, readContent, type FileContent } from './file-content.ts'
import type { GitQuestion, Repository } from './repository.ts'

export type Baseline = {
  top: string
  /** The commit that was checked out; null if there was none. */
  head: string | null
  /** The files that differed from that commit, by their path from the top. */
  dirty: ReadonlyMap<string, BaselineFile>
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
 * milliseconds since the Unix epoch, do not belong to it.
 */
export async function takeBaseline(repository: Repository, since: number): Promise<GitQuestion<Baseline>> {
  const head = await repository.head()
  if (!head.ok) return head
  const changed = await repository.changedSince(head.value)
  if (!changed.ok) return changed
  const untracked = await repository.untracked()
  if (!untracked.ok) return untracked
  const names = changed.value.flatMap(({ path, from }) => (from === null ? [path] : [from, path]))
  const dirty = new Map<string, BaselineFile>()
  let room = MOST_OF_ALL
  for (const [index, name] of [...names, ...untracked.value].entries()) {
    if (index >= MOST_FILES) dirty.set(name, { mark: null, content: NOT_KEPT })
    else if (!(await isWrittenSince(join(repository.top, name), since))) {
      const kept = await keep(join(repository.top, name), Math.min(room, MOST_OF_ONE))
      dirty.set(name, kept)
      room -= kept.content.kind === 'text' ? kept.content.text.length : 0
    }
  }
  return { ok: true, value: { top: repository.top, head: head.value, dirty } }
}

async function isWrittenSince(file: string, since: number): Promise<boolean> {
  try {
    const { mtimeMs, ctimeMs } = await lstat(file)
    return Math.max(mtimeMs, ctimeMs) >= since
  } catch {
    // The time of a deletion is unknown.
    return false
  }
}

async function keep(file: string, room: number): Promise<BaselineFile> {
  const mark = await markOf(file)
  const content = await readContent(file, room)
  return { mark, content: content.kind === 'unread' ? NOT_KEPT : content }
}

/** Whether a file is unchanged; null if unknown. */
export async function isAsKept(file: string, { mark, content }: BaselineFile, limit: number): Promise<boolean | null> {
  if (mark !== null && mark === (await markOf(file))) return true
  if (content.kind === 'unread') return mark === null ? null : false
  return isSame(content, await readContent(file, limit))
}

async function markOf(file: string): Promise<string | null> {
  try {
    const { size, mtimeNs, ctimeNs, ino, mode } = await lstat(file, { bigint: true })
    return [size, mtimeNs, ctimeNs, ino, mode].join(' ')
  } catch {
    // The file does not exist, or its folder is not readable.
    return null
  }
}
