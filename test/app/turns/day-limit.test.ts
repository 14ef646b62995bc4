/** The cost limit of the day stops what is new: prompts of the queue, and turns that the agent begins. The turn that runs goes on. */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { openDayCost, type DayCost } from '../../../src/storage/usage/day-cost.ts'
import { openLedger } from '../../../src/storage/usage/ledger.ts'
import { dayOf } from '../../../src/usage/days.ts'
import {
  accepted,
  answered,
  answering,
  costs,
  ended,
  prompt,
  says,
  started,
  step,
  stops,
  text,
  timed,
} from '../../conversation/events.ts'
import { queueOf, startedStage, type Stage } from '../stage.ts'

const NOON = new Date(2026, 10, 22, 12).getTime()

/** A program with this limit, and what another one has spent. */
async function stageWith(limit: number, options: { isBroken?: true } = {}) {
  const stateFolder = realpathSync(mkdtempSync(join(tmpdir(), 'zotui-limit-')))
  onTestFinished(() => rmSync(stateFolder, { recursive: true, force: true }))
  if (options.isBroken) mkdirSync(join(stateFolder, 'usage', `${dayOf(NOON)}.jsonl`), { recursive: true })
  const dayCost: DayCost = openDayCost({ stateFolder, now: () => NOON, limit: () => limit })
  const spend = (costUsd: number): void => {
    const place = { stateFolder, projectFolder: '/other', now: () => NOON, onProblem: () => undefined }
    openLedger(place).add(timed([started, prompt('go'), accepted, costs({ input: 1, costUsd }), ended], NOON), 's')
  }
  return { program: await startedStage(undefined, { dayCost }), dayCost, spend, stateFolder }
}

const labels = ({ state }: Stage): string[] => {
  const { picker } = state()
  return picker?.kind === 'choice' ? picker.choices.map(choice => choice.label) : []
}

test('a turn that runs goes on to its end, and the next prompt waits until the limit is raised', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const { program, spend, dayCost } = await stageWith(5)
  await program.say('one')
  await program.say('two')
  program.backend.tell(accepted, step(1), stops('tool_use'))
  spend(6)
  program.backend.tell(step(2))
  vi.advanceTimersByTime(100)
  vi.useRealTimers()
  expect(program.asked()).toEqual(['prompt one'])
  program.backend.end(answered(text('a')), stops('end'), ended)
  await program.settle()
  expect([queueOf(program.state()), program.asked()]).toEqual([{ entries: ['two'], paused: true }, []])
  expect(labels(program)).toEqual(['raise it to $9.00 and continue', 'raise it to $9.00', 'leave it'])
  expect(program.entries().join('\n')).toContain('all conversations have cost $6.00 today of at most $5.00')
  await program.press('enter')
  expect([program.asked(), dayCost.now().limitUsd]).toEqual([['prompt two'], 9])
})

test('another program raises it, and the prompt goes out here without a question', async () => {
  const { program, spend, dayCost } = await stageWith(5)
  spend(5)
  await program.say('one')
  expect([program.asked(), queueOf(program.state()).entries]).toEqual([[], ['one']])
  await program.press('escape')
  dayCost.raise(50)
  await program.say('two')
  expect(program.asked()[0]).toMatch(/^prompt /)
})

test('a turn that the agent begins itself is stopped', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const { program, spend } = await stageWith(5)
  await program.say('one')
  program.backend.end(accepted, step(1), answered(text('a')), stops('end'), ended)
  program.asked()
  spend(6)
  program.backend.tell({ type: 'turn_begun', cause: 'wakeup' }, step(1), answering, says('b'))
  vi.advanceTimersByTime(100)
  vi.useRealTimers()
  expect(program.asked()).toEqual(['abort'])
})

test('it is said once that it is near', async () => {
  const { program, spend } = await stageWith(10)
  spend(8.5)
  for (const words of ['one', 'two']) {
    await program.say(words)
    program.backend.end(accepted, step(1), costs({ costUsd: 0.01 }), answered(text('a')), stops('end'), ended)
    await program.settle()
  }
  const near = program.entries().filter(entry => entry.includes('have cost $8.50 today, of at most $10.00'))
  expect(near).toHaveLength(1)
})

test('nothing is sent while the cost of today cannot be read', async () => {
  const { program } = await stageWith(10, { isBroken: true })
  await program.say('one')
  expect([program.asked(), queueOf(program.state()).entries, labels(program)]).toEqual([[], ['one'], []])
  expect(program.entries().join('\n')).toContain('what today has cost cannot be read')
})

test('/usage limit raises it, and says why it does not', async () => {
  const { program, spend, dayCost } = await stageWith(5)
  spend(6)
  await program.say('/usage limit 4')
  await vi.waitFor(() => expect(program.entries().join('\n')).toContain('The limit of today is $5.00 already.'))
  await program.press('ctrl+u')
  await program.say('/usage limit lots')
  await vi.waitFor(() => expect(program.entries().join('\n')).toContain('/usage limit needs an amount'))
  await program.press('ctrl+u')
  await program.say('/usage limit 12.50')
  await vi.waitFor(() => expect([dayCost.now().limitUsd, dayCost.isReached()]).toEqual([12.5, false]))
})

test('a limit that cannot be stored is not raised', async () => {
  const { program, spend, dayCost, stateFolder } = await stageWith(5)
  spend(6)
  mkdirSync(join(stateFolder, 'usage', 'raised.json'))
  writeFileSync(join(stateFolder, 'usage', 'raised.json', 'x'), '')
  await program.say('one')
  await program.press('enter')
  expect([program.asked(), dayCost.isReached()]).toEqual([[], true])
  expect(program.entries().join('\n')).toContain('The limit of today was not raised')
})
