/** A program that notes turns: `writer.ts STATE SESSION COUNT`. */
import process from 'node:process'
import { openLedger } from '../../../src/storage/usage/ledger.ts'
import { accepted, costs, ended, prompt, started, timed } from '../../conversation/events.ts'

const [stateFolder = '', session = '', count = '0'] = process.argv.slice(2)
const ledger = openLedger({
  stateFolder,
  projectFolder: '/app',
  now: Date.now,
  onProblem(words) {
    throw new Error(words)
  },
})
ledger.add(timed([started], Date.now()), session)
for (let turn = 0; turn < Number(count); turn += 1) {
  ledger.add(timed([prompt('go'), accepted, costs({ input: 1, costUsd: 0.01 }), ended], Date.now()), session)
}
