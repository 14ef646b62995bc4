/**
 * Caches the summaries of a folder's sessions, so that a list need not read them all. If a session has grown since its record, only
 * the new lines are read.
 */
import { statSync } from 'node:fs'
import * as z from 'zod'
import { readLines } from '../jsonl-read.ts'
import { noteRecord, openCacheFile } from './cache-file.ts'
import { decodeLine } from './session-format.ts'
import { indexPath, sessionIds, sessionPath } from './session-path.ts'
import { affectsSummary, emptySummary, summarise } from './summary.ts'
import { summarySchema, type SessionSummary } from '../../conversation/queries/session/session-summary.ts'

/** `size`: how many bytes of the session's file the summary covers. */
const recordSchema = z.object({ size: z.number(), summary: summarySchema })
export type IndexRecord = z.infer<typeof recordSchema>

/** Adds the summary of a session. */
export function noteSummary(folder: string, record: IndexRecord): void {
  noteRecord(indexPath(folder), record)
}

export type SummaryIndex = {
  /** The sessions in the folder. */
  ids: readonly string[]
  /** The current summary of a session; null where there is no such file. Reads the new part of the file. */
  summaryOf: (id: string) => SessionSummary | null
  /** Writes the new summaries. */
  save: () => void
}

/** @throws what the system throws. */
export function openSummaryIndex(folder: string): SummaryIndex {
  const ids = sessionIds(folder)
  const present = new Set(ids)
  const cache = openCacheFile(indexPath(folder), {
    schema: recordSchema,
    keyOf: ({ summary }) => summary.id,
    isNeeded: id => present.has(id),
  })

  return {
    ids,
    summaryOf(id) {
      const path = sessionPath(folder, id)
      const file = statSync(path, { throwIfNoEntry: false })
      if (file?.isFile() !== true) return null
      const { size } = file
      const record = cache.get(id)
      if (record?.size === size) return record.summary
      const read = readOn(path, id, record && record.size < size ? record : undefined)
      // An unfinished line changes nothing.
      if (read.size !== record?.size) cache.add(read)
      return read.summary
    },
    save: cache.save,
  }
}

/** Continues a summary with the lines that were added to the file. */
function readOn(path: string, id: string, before: IndexRecord | undefined): IndexRecord {
  let summary = before?.summary ?? emptySummary(id)
  let size = before?.size ?? 0
  for (const { lines, areFinished, finished } of readLines(path, { from: size })) {
    size = finished
    for (const text of areFinished ? lines.filter(affectsSummary) : []) {
      const line = decodeLine(text)
      if (line) summary = summarise(summary, line)
    }
  }
  return { size, summary }
}
