/** Runs an agent's regular expression in a thread of its own: some never finish, and must not block the keyboard. */
import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { z } from 'zod'
import { messageOf } from '../platform/errors.ts'
import { ToolFailure } from './tool.ts'

type LineMatch = { number: number; line: string }

export type Matcher = {
  /** The first matching lines; null after the time limit. */
  match: (text: string, most: number) => Promise<readonly LineMatch[] | null>
  end: () => Promise<void>
}

/** Characters of a line that are shown. */
const MOST_SHOWN = 300

const answers = z.array(z.object({ number: z.number(), line: z.string() }))

/** The thread's complete program. It uses none of our names, because bundling renames them. */
const PROGRAM = `
const { parentPort, workerData } = require('node:worker_threads')
const expression = new RegExp(workerData.pattern, workerData.flags)
parentPort.on('message', ({ text, most, shown }) => {
  const found = []
  const lines = text.split('\\n')
  for (let at = 0; at < lines.length && found.length < most; at += 1) {
    if (expression.test(lines[at])) found.push({ number: at + 1, line: lines[at].slice(0, shown) })
  }
  parentPort.postMessage(found)
})`

/** @throws ToolFailure for a pattern that is no regular expression. */
export function createMatcher(pattern: string, ignoreCase: boolean, until: AbortSignal): Matcher {
  const flags = ignoreCase ? 'iu' : 'u'
  try {
    RegExp(pattern, flags)
  } catch (error) {
    throw new ToolFailure(`invalid pattern: ${messageOf(error)}`)
  }
  const worker = new Worker(PROGRAM, { eval: true, workerData: { pattern, flags }, env: {} })
  return {
    async match(text, most) {
      try {
        const answer = once(worker, 'message', { signal: until })
        worker.postMessage({ text, most, shown: MOST_SHOWN }, [])
        const [found]: unknown[] = await answer
        return answers.parse(found)
      } catch (error) {
        if (until.aborted) return null
        throw error
      }
    },
    async end() {
      await worker.terminate()
    },
  }
}
