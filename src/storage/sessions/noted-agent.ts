/** The agent of a session to resume. The first frame waits for it, so no schema is loaded. */
import { statSync } from 'node:fs'
import { readTextSync } from '../../platform/regular-file.ts'
import { isObject, parseJson } from '../../text/json.ts'
import { indexPath, sessionPath } from './session-path.ts'

/**
 * The agent's short name; undefined if none was noted. Null if only the session's file can tell: the index is missing or
 * does not cover the whole file.
 */
export function notedAgent(folder: string, id: string): { name: string | undefined } | null {
  try {
    const record = lastRecord(readTextSync(indexPath(folder)), id)
    if (record?.size !== statSync(sessionPath(folder, id)).size) return null
    const { agent } = record.summary
    return agent === undefined || typeof agent === 'string' ? { name: agent } : null
  } catch {
    return null
  }
}

/** The last record of a session counts. Its id may also be in records of its forks. */
function lastRecord(index: string, id: string): { size: unknown; summary: Readonly<Record<string, unknown>> } | null {
  const words = `"id":${JSON.stringify(id)}`
  for (let at = index.lastIndexOf(words); at >= 0; at = at === 0 ? -1 : index.lastIndexOf(words, at - 1)) {
    const start = index.lastIndexOf('\n', at) + 1
    const end = index.indexOf('\n', at)
    const record = parseJson(index.slice(start, end < 0 ? index.length : end))
    if (isObject(record) && isObject(record['summary']) && record['summary']['id'] === id)
      return { size: record['size'], summary: record['summary'] }
  }
  return null
}
