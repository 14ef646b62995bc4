/** The commands that run here, while the system gives their numbers to other processes. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import process from 'node:process'
import { expect, onTestFinished, test, vi } from 'vitest'
import { createRunningHere } from '../../../src/agents/tool-host/running-here.ts'
import type { ProcessRow } from '../../../src/agents/tool-host/process-table.ts'

const row = (pid: number, session: number, startedAt: number, parent = 1): ProcessRow => ({
  pid,
  parent,
  group: session,
  session,
  startedAt,
  command: `command ${pid}`,
})

/** A machine with these processes, on which the time is 100,000 ms. */
function machine() {
  const here = { rows: [] as ProcessRow[], now: 100_000 }
  const running = createRunningHere(
    async () => here.rows,
    () => here.now,
  )
  const list = async () => (await running.list()).map(({ pid }) => pid)
  return { here, running, list }
}

test('a command is listed while it runs, and its background processes after it', async () => {
  const { here, running } = machine()
  const ended = running.began(50, 'c1', 'server & true')
  here.rows = [row(50, 50, 99_000), row(51, 50, 99_500, 50)]
  expect(await running.list()).toMatchObject([{ pid: 50, callId: 'c1', command: 'server & true' }])
  ended()
  here.rows = [row(51, 50, 99_500), row(52, 50, 200_000, 51)]
  here.now = 300_000
  expect(await running.list()).toMatchObject([{ pid: 51, callId: null, command: 'command 51' }])
})

test('another process with the number of an ended command is not listed, and neither are its children', async () => {
  const { here, running, list } = machine()
  running.began(50, 'c1', 'true')()
  here.rows = [row(50, 50, 160_000), row(51, 50, 160_000, 50)]
  expect(await list()).toEqual([])
  here.rows = [row(51, 50, 160_000)]
  expect(await list()).toEqual([])
})

test('a session that begins after the end of the command does not belong to it, even if its leader is gone', async () => {
  const { here, running, list } = machine()
  running.began(50, 'c1', 'true')()
  here.rows = [row(51, 50, 160_000)]
  expect(await list()).toEqual([])
  expect(await running.end(51)).toMatchObject({ ok: false })
})

test('a command that ends while the processes are read is not taken for another one', async () => {
  let tick = 0
  const rows = [row(50, 50, 1), row(51, 50, 2, 50)]
  let end: (() => void) | null = null
  const running = createRunningHere(
    async () => {
      end?.()
      return [...rows]
    },
    () => (tick += 1000),
  )
  end = running.began(50, 'c1', 'server &')
  await running.list()
  rows.shift()
  expect(await running.list()).toMatchObject([{ pid: 51 }])
})

test.each([86_400_000, -3_600_000])(
  'what a command left is found and ended when somebody has set the clock by %i ms',
  async by => {
    vi.useFakeTimers({ toFake: ['Date'] })
    onTestFinished(() => void vi.useRealTimers())
    const running = createRunningHere()
    const child = spawn('/bin/sh', ['-c', 'sleep 41501 & echo $!'], {
      detached: true,
      stdio: ['ignore', 'pipe', 'ignore'],
    })
    const ended = running.began(child.pid ?? 0, 'c1', 'sleep 41501 &')
    const left = Number(await new Promise<string>(resolve => child.stdout.once('data', text => resolve(String(text)))))
    onTestFinished(() => {
      try {
        process.kill(left, 'SIGKILL')
      } catch {
        // It was ended.
      }
    })
    if (child.exitCode === null) await once(child, 'exit')
    vi.setSystemTime(Date.now() + by)
    ended()
    const [found] = await running.list()
    expect(found).toMatchObject({ pid: left, callId: null })
    expect(await running.end(left)).toEqual({ ok: true, value: undefined })
  },
)
