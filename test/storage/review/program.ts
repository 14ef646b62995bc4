/** A program that goes on adding comments until it is killed, and says the number of each that is safe. */
import { writeSync } from 'node:fs'
import process from 'node:process'
import { openReviewFile } from '../../../src/storage/review/review-file.ts'
import { comment, SESSION } from './stage.ts'

const [stateFolder = '', projectFolder = '', name = '', most = '0', sessionId = SESSION] = process.argv.slice(2)
const file = openReviewFile(
  { stateFolder, projectFolder, sessionId },
  {
    redact: text => text,
    now: Date.now,
    timers: { after: () => () => undefined },
    onProblem: words => writeSync(2, words),
    full: 20_000,
  },
)
for (let at = 1; at <= Number(most); at += 1) {
  // Few comments with many versions: the file is replaced again and again.
  const id = `${name} ${at % 20}`
  file.put(comment(id, { text: `${name} ${at} ${'x'.repeat((at * 7919) % 300)}`, changedAt: at }))
  writeSync(1, `${at}\n`)
}
