/** The facts of a session that decide whether and with which agent it is resumed. The first frame waits for them, so no schema is loaded. */
import { statSync } from 'node:fs'
import { sessionKinds } from '../../conversation/queries/session/session-kind.ts'
import type { SessionSummary } from '../../conversation/queries/session/session-summary.ts'
import { readTextSync } from '../../platform/regular-file.ts'
import { isObject, parseJson } from '../../text/json.ts'
import { indexPath, sessionPath } from './session-path.ts'

export type NotedFacts = Pick<SessionSummary, 'agent' | 'turns' | 'failedTurns' | 'kind' | 'shownAt'>

/**
 * Reads the index of a folder's sessions when it is first asked. The answer is null if only the session's file has it: the index is
 * missing or does not cover the whole file.
 */
export function notedFacts(folder: string): (id: string) => NotedFacts | null {
  let index: string | null = null
  return id => {
    try {
      index ??= readTextSync(indexPath(folder))
      const record = lastRecord(index, id)
      return record?.size === statSync(sessionPath(folder, id)).size ? factsIn(record.summary) : null
    } catch {
      return null
    }
  }
}

function factsIn({ agent, turns, failedTurns, kind, shownAt }: Readonly<Record<string, unknown>>): NotedFacts | null {
  if (typeof turns !== 'number' || !isNumber(failedTurns) || !isNumber(shownAt)) return null
  if (agent !== undefined && typeof agent !== 'string') return null
  const known = sessionKindOf(kind)
  return {
    turns,
    ...(agent !== undefined && { agent }),
    ...(failedTurns !== undefined && { failedTurns }),
    ...(shownAt !== undefined && { shownAt }),
    ...(known !== undefined && { kind: known }),
  }
}

function isNumber(value: unknown): value is number | undefined {
  return value === undefined || typeof value === 'number'
}

function sessionKindOf(value: unknown): SessionSummary['kind'] {
  return sessionKinds.find(kind => kind === value)
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
