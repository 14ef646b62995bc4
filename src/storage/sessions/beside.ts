/** The files beside a session: the comments of its reviews, the marks in it, and its waiting prompts. They are removed with the session. */
import { rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { namesIn } from '../../platform/folders.ts'
import { readRecords } from '../jsonl-read.ts'
import { jsonLine } from '../jsonl-write.ts'
import { replaceFile } from '../replace-file.ts'
import { isSessionId } from './session-path.ts'

const REVIEW = '.review.jsonl'
const MARKS = '.marks.jsonl'
const QUEUE = '.queue.json'

/** The file of a session's comments and read marks. */
export function reviewPath(folder: string, id: string): string {
  return join(folder, id + REVIEW)
}

/** The file as it was before it was written anew. It is there for a moment, or after a program was killed in that moment. */
export function formerReviewPath(folder: string, id: string): string {
  return `${reviewPath(folder, id)}.old`
}

/** The file of the marks in a session. */
export function marksPath(folder: string, id: string): string {
  return join(folder, id + MARKS)
}

/** The file of the prompts that wait in a conversation in the background. */
export function queuePath(folder: string, id: string): string {
  return join(folder, id + QUEUE)
}

/** The sessions of a folder with comments, marks or waiting prompts, stored or not. */
export function sessionsWithMore(folder: string): string[] {
  return [...new Set([...idsWith(folder, REVIEW), ...markedSessions(folder), ...idsWith(folder, QUEUE)])]
}

/** The sessions of a folder with marks. */
export function markedSessions(folder: string): string[] {
  return idsWith(folder, MARKS)
}

function idsWith(folder: string, extension: string): string[] {
  return namesIn(folder)
    .filter(name => name.endsWith(extension))
    .map(name => name.slice(0, -extension.length))
    .filter(isSessionId)
}

/** When a comment or a mark was last changed, in milliseconds since the Unix epoch; 0 without any. */
export function changedBeside(folder: string, id: string): number {
  const times = filesBeside(folder, id).map(path => statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0)
  return Math.max(...times)
}

export function removeBeside(folder: string, id: string): void {
  for (const path of filesBeside(folder, id)) rmSync(path, { force: true })
}

/** The paths of all of them, whether they are there or not. */
export function filesBeside(folder: string, id: string): string[] {
  return [reviewPath(folder, id), formerReviewPath(folder, id), marksPath(folder, id), queuePath(folder, id)]
}

/** Gives a fork the comments of the session that it comes from. */
export function copyReview(from: { folder: string; id: string }, to: { folder: string; id: string }): void {
  const records = [formerReviewPath(from.folder, from.id), reviewPath(from.folder, from.id)].flatMap(path =>
    readRecords(path),
  )
  if (records.length > 0) replaceFile(reviewPath(to.folder, to.id), records.map(jsonLine).join(''))
}
