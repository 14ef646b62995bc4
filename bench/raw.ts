/** The floor: a program that only writes the text of an answer, at the same pace. */
import process from 'node:process'
import { pace } from './clock.ts'
import { parsePlay, Recorder } from './play.ts'
import { makeAnswer } from './text.ts'

const { count, rate, turn } = parsePlay(process.argv[2] ?? '')
const { deltas } = makeAnswer(count, turn)
const recorder = new Recorder()
await pace(count, rate, index => {
  recorder.time(() => process.stdout.write(deltas[index] ?? ''))
  return true
})
recorder.finish()
