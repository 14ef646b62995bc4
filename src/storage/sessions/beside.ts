/** The file beside a session with the comments of its reviews. It goes where the session goes. */
import { rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { namesIn } from '../../platform/folders.ts'
import { readRecords } from '../jsonl-read.ts'
import { jsonLine } from '../jsonl-write.ts'
import { replaceFile } from '../replace-file.ts'
import { isSessionId } from './session-path.ts'

const EXTENSION = '.review.jsonl'

/** The file of a session's comments and read marks. */
export function reviewPath(folder: string, id: string): string {
  return join(folder, id + EXTENSION)
}

/** The file as it was before it was written anew. It is there for a moment, or after a program was killed in that moment. */
export function formerReviewPath(folder: string, id: string): string {
  return `${reviewPath(folder, id)}.old`
}

/** The sessions of a folder with comments, stored or not. */
export function reviewedSessions(folder: string): string[] {
  return namesIn(folder)
    .filter(name => name.endsWith(EXTENSION))
    .map(name => name.slice(0, -EXTENSION.length))
    .filter(isSessionId)
}

/** When a comment was last changed, in milliseconds since the Unix epoch; 0 without comments. */
export function reviewedAt(folder: string, id: string): number {
  return statSync(reviewPath(folder, id), { throwIfNoEntry: false })?.mtimeMs ?? 0
}

export function removeReview(folder: string, id: string): void {
  for (const path of [reviewPath(folder, id), formerReviewPath(folder, id)]) rmSync(path, { force: true })
}

/** Gives a fork the comments of the session that it comes from. */
export function copyReview(from: { folder: string; id: string }, to: { folder: string; id: string }): void {
  const records = [formerReviewPath(from.folder, from.id), reviewPath(from.folder, from.id)].flatMap(path =>
    readRecords(path),
  )
  if (records.length > 0) replaceFile(reviewPath(to.folder, to.id), records.map(jsonLine).join(''))
}
