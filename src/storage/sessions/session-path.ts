/** The names of session files. */
import { join } from 'node:path'
import { namesIn } from '../../platform/folders.ts'

const INDEX = 'index.jsonl'
const EXTENSION = '.jsonl'

/** Whether it is the id of a session: it cannot lead to another folder, and is printed as it is. */
export function isSessionId(text: string): boolean {
  return /^[\w-]+$/.test(text)
}

export function sessionIds(folder: string): string[] {
  return namesIn(folder)
    .filter(name => name.endsWith(EXTENSION) && name !== INDEX)
    .map(name => name.slice(0, -EXTENSION.length))
    .filter(isSessionId)
}

export function sessionPath(folder: string, id: string): string {
  return join(folder, id + EXTENSION)
}

/** The path of the summaries of a folder's sessions. */
export function indexPath(folder: string): string {
  return join(folder, INDEX)
}
