/** The search in all sessions: building its index, and answers as somebody types. */
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { openSessionFinder } from '../../src/storage/find/finder.ts'
import type { FindQuery, SessionFinder } from '../../src/storage/find/passage.ts'
import { now } from '../clock.ts'
import { MEGABYTE, percentile, type Figure } from '../figures.ts'
import { writePast } from '../past.ts'
import type { Stage } from '../stage.ts'

/** Bytes of the sessions' files. About half of them are texts, which are in a file twice: in pieces and as a whole. */
const BYTES = { short: 64 * MEGABYTE, full: 2000 * MEGABYTE }
const MOST = 20
const ROUNDS = 3
const thread = fileURLToPath(new URL('../../dist/zotui-find.js', import.meta.url))

/** What somebody types, key by key: frequent words, rare ones, a phrase, none. */
const typed = [
  'function return',
  'the parser',
  'vitest dist',
  '"should not throw"',
  'sessionPath',
  'export const',
  'zzqq',
]

/** 64 MB of sessions; with `--full` 2 GB, which have 1 GB of texts. */
export async function find(stage: Stage): Promise<Figure[]> {
  const state = mkdtempSync(join(tmpdir(), 'zotui-find-'))
  try {
    const { bytes } = writePast(state, stage.full ? BYTES.full : BYTES.short)
    const finder = openSessionFinder(state, { isEager: true, thread })
    const begun = now()
    const problem = await finder.catchUp()
    if (problem !== null) throw new Error(problem)
    const built = now() - begun
    const again = now()
    await finder.catchUp()
    const unchanged = now() - again
    const times = await typeAll(finder)
    finder.close()
    return [
      { name: 'sessions', unit: 'MB', value: bytes / MEGABYTE },
      { name: 'building', unit: 's', value: built / 1000 },
      { name: 'nothing new', unit: 'ms', value: unchanged },
      { name: 'index / sessions', unit: 'ratio', value: statSync(join(state, 'find.db')).size / bytes },
      { name: 'results p50', unit: 'ms', value: percentile(times, 0.5) },
      { name: 'results p95', unit: 'ms', value: percentile(times, 0.95) },
    ]
  } finally {
    rmSync(state, { recursive: true, force: true, maxRetries: 5 })
  }
}

/** The time of each answer, while queries are typed. */
async function typeAll(finder: SessionFinder): Promise<number[]> {
  const times: number[] = []
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const words of typed) {
      for (let length = 1; length <= words.length; length += 1) {
        const begun = now()
        const answer = await finder.find(queryOf(words.slice(0, length)), MOST)
        if (!answer.ok) throw new Error(answer.why)
        times.push(now() - begun)
      }
    }
  }
  return times
}

function queryOf(words: string): FindQuery {
  return { words, folder: null, agent: null, since: null, kinds: null, failed: false }
}
