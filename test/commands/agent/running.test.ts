import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { listLines } from '../../../components/picker/list.ts'
import { runningList } from '../../../components/picker/running.ts'
import type { EventOf } from '../../../src/agent/event.ts'
import { openPicker } from '../../../src/state/pickers/picker.ts'
import { createTheme } from '../../../src/style/theme.ts'
import { startedStage, type Stage } from '../../app/stage.ts'

const dev = { pid: 12_345, command: 'npm run dev -- --port 3000 --host 0.0.0.0', callId: 'a', startedAt: 0 }

/** A program whose agent runs a command; what it was asked to stop is written down. */
async function working(commands = [dev]): Promise<{ stage: Stage; stopped: string[] }> {
  const stopped: string[] = []
  const stage = await startedStage(backend =>
    Object.assign(backend, {
      abilities: new Set([...backend.abilities, 'listRunning', 'stopTask']),
      listRunning: () => Promise.resolve(commands),
      stopTask: (id: string) => {
        stopped.push(id)
        return Promise.resolve(id === 'b' ? { ok: false, message: 'it is gone' } : { ok: true, value: undefined })
      },
      endRunning: (pid: number) => {
        stopped.push(String(pid))
        return Promise.resolve({ ok: true, value: undefined })
      },
    }),
  )
  return { stage, stopped }
}

const reports = (stage: Stage, facts: Omit<EventOf<'task_reported'>, 'type' | 'at'>): void => {
  stage.backend.tell({ type: 'task_reported', ...facts })
  stage.controller.catchUp()
}

function linesOf(stage: Stage, columns = 80, rows = 12): string[] {
  const list = openPicker(stage.state().picker, 'running')
  if (!list) throw new Error('no list is open')
  const theme = createTheme(0)
  return listLines(runningList(list, stage.state(), theme), { theme, columns }, rows).map(line => line.text.trim())
}

test('/running shows a command whole where a narrow screen cuts it off', async () => {
  const { stage } = await working()
  await stage.say('/running')
  const text = linesOf(stage, 40)
  expect(text[0]).toContain('…')
  expect(text.join(' ')).toContain('npm run dev --')
})

test('without any work a hint says so, and no list is opened', async () => {
  const { stage } = await working([])
  await stage.say('/tasks')
  expect(stage.state().picker).toBeNull()
  expect(stage.state().hint).toContain('No command, subagent or wake-up runs')
})

test('subagents stand below the one that began them, also in a circle, and each once', async () => {
  const { stage } = await working([])
  reports(stage, { id: 'a', kind: 'subagent', name: 'Ada', about: 'reads the tests', model: 'small' })
  reports(stage, { id: 'b', kind: 'subagent', name: 'Bob', parent: 'a' })
  reports(stage, { id: 'c', kind: 'subagent', name: 'Cid', parent: 'd' })
  reports(stage, { id: 'd', kind: 'subagent', name: 'Dot', parent: 'c' })
  await stage.say('/running')
  const text = linesOf(stage, 100, 20)
  expect(text[0]).toContain('Ada: reads the tests')
  expect(text[0]).toContain('small')
  expect(text[1]).toMatch(/Bob/)
  for (const name of ['Ada', 'Bob', 'Cid', 'Dot'])
    expect(text.slice(0, 4).filter(line => line.includes(name))).toHaveLength(1)
})

test('the list follows what is reported, and keeps the chosen row', async () => {
  const { stage } = await working([])
  reports(stage, { id: 'a', kind: 'subagent', name: 'Ada' })
  reports(stage, { id: 'b', kind: 'subagent', name: 'Bob' })
  await stage.say('/running')
  await stage.press('down')
  reports(stage, { id: 'a', state: 'done' })
  await stage.settle()
  const list = openPicker(stage.state().picker, 'running')
  expect(list?.rows[list.selected]?.id).toBe('task b')
  expect(list?.rows.map(({ id }) => id)).toEqual(['task b', 'task a'])
})

test.each([
  ['a subagent that can be stopped', { id: 'a', canStop: true }, ['a'], 'Stopped Ada.'],
  ['one that cannot', { id: 'a' }, [], 'Ada cannot be stopped alone: the agent offers no way.'],
  ['one that has ended', { id: 'a', state: 'done' as const }, [], 'Ada does not run.'],
])('the key stops %s', async (_, facts, expected, words) => {
  const { stage, stopped } = await working([])
  reports(stage, { kind: 'subagent', name: 'Ada', ...facts })
  await stage.say('/running')
  await stage.type('s')
  expect(stopped).toEqual(expected)
  expect(stage.state().hint).toBe(words)
})

test('a subagent that the agent does not stop leaves an error that says why', async () => {
  const { stage } = await working([])
  reports(stage, { id: 'b', kind: 'subagent', name: 'Bob', canStop: true })
  await stage.say('/running')
  await stage.type('s')
  expect(stage.entries().join('\n')).toContain('Bob was not stopped: It is gone.')
})

test('a command in the background and its process are one row, which the key ends', async () => {
  const { stage, stopped } = await working()
  reports(stage, { id: 't', kind: 'command', name: 'the server', callId: 'a' })
  await stage.say('/running')
  expect(openPicker(stage.state().picker, 'running')?.rows.map(({ id }) => id)).toEqual(['task t'])
  await stage.type('s')
  expect(stopped).toEqual(['12345'])
  expect(stage.state().hint).toBe('Ended the server.')
})

test('a wake-up shows when it is due, and that it cannot be stopped', async () => {
  const { stage } = await working([])
  reports(stage, { id: 'w', kind: 'wakeup', name: 'look again', dueAt: stage.clock.now + 60_000 })
  await stage.say('/running')
  expect(linesOf(stage)[0]).toContain('in 1m')
  await stage.type('s')
  expect(stage.state().hint).toContain('cannot be stopped alone')
})

test('hundreds of subagents are one list', async () => {
  const { stage } = await working([])
  for (let number = 0; number < 500; number += 1)
    reports(stage, { id: `t${number}`, kind: 'subagent', name: `Agent ${number}`, parent: `t${number - 1}` })
  await stage.say('/running')
  expect(openPicker(stage.state().picker, 'running')?.rows).toHaveLength(500)
  expect(linesOf(stage, 40, 10).length).toBeLessThanOrEqual(10)
})

test('of the file of a command only its end is shown', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'zotui-test-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const path = join(folder, 'output')
  writeFileSync(path, `first line\n${'x'.repeat(300_000)}\nlast line\n`)
  const { stage } = await working([])
  reports(stage, { id: 't', kind: 'command', name: 'build', outputPath: path })
  await stage.say('/running')
  await stage.press('enter')
  const shown = stage.entries().join('\n')
  expect(shown).toContain('last line')
  expect(shown).not.toContain('first line')
})
