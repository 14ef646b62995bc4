import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { BoardSource } from '../../src/fleet/board-source.ts'
import { createJobsSources } from '../../src/fleet/sources/jobs-source.ts'
import { aJob, aPod, createJobStage, running, SIMPLE, type JobStage } from '../places/job/job-stage.ts'

const NOW = Date.parse('2026-01-01T01:00:00Z')

let folder = ''
let stage: JobStage
let looks: (() => void)[] = []
let sources: BoardSource[] = []

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'zotui-jobs-'))
  stage = createJobStage(folder)
  stage.template('big', SIMPLE)
  looks = []
})
afterEach(() => {
  for (const source of sources) source.close()
  rmSync(folder, { recursive: true, force: true })
})

/** A source of the only template, and what waits for its next change. */
function watch(): { source: BoardSource; changed: () => Promise<void> } {
  const timers = {
    after: (_ms: number, run: () => void) => {
      looks.push(run)
      return () => {}
    },
  }
  sources = createJobsSources({ of: stage.start(), zotui: { file: 'node', args: ['zotui'] }, now: () => NOW, timers })
  const [source] = sources
  if (!source) throw new Error('there is no source')
  let { promise, resolve } = Promise.withResolvers<undefined>()
  source.start(() => {
    resolve(undefined)
    ;({ promise, resolve } = Promise.withResolvers<undefined>())
  })
  return { source, changed: () => promise }
}

const lookAgain = (): void => looks.at(-1)?.()
const podOf = (job: string, pod: ReturnType<typeof aPod>): object => ({
  ...pod,
  metadata: { ...pod.metadata, labels: { 'zotui/job': job } },
})

test('each Job of the person is a row: one that runs, one that waits, and one that has failed', async () => {
  stage.play(
    stage.answers([
      aJob('zotui-big-aaaaaa'),
      podOf('zotui-big-aaaaaa', aPod('p1', { phase: 'Running', containerStatuses: running })),
      aJob('zotui-big-bbbbbb', { made: '2027-01-01T00:00:00Z' }),
      podOf('zotui-big-bbbbbb', aPod('p2', {}, '')),
      aJob('zotui-big-cccccc', { conditions: [{ type: 'Failed', reason: 'DeadlineExceeded' }] }),
    ]),
  )
  const { source, changed } = watch()
  expect(source.host()).toMatchObject({ name: 'job:big', state: 'connecting' })
  await changed()
  const { state, rows } = source.host()
  expect(state).toBe('connected')
  expect(rows.map(row => [row.id, row.state, row.lastLine, row.can])).toEqual([
    ['zotui-big-aaaaaa', 'resting', 'the pod p1 runs on n1', ['attach', 'end']],
    ['zotui-big-bbbbbb', 'starting', 'waiting for a node', ['attach', 'end']],
    ['zotui-big-cccccc', 'failed', 'the deadline of the Job has passed', ['end']],
  ])
  // The cluster's clock is ahead of this one.
  expect(rows[1]?.since).toBe(NOW)
  expect(source.opens('zotui-big-aaaaaa')).toEqual({
    file: 'node',
    args: ['zotui', '--on', 'job:big/zotui-big-aaaaaa'],
  })
  expect(source.opens('zotui-big-cccccc')).toBeNull()
  expect(stage.calls()[0]?.join(' ')).toMatch(
    /--selector=app\.kubernetes\.io\/managed-by=zotui,zotui\/person=[0-9a-f]{16}/,
  )
})

test('a cluster that is lost keeps its rows and says why, and is asked again', async () => {
  stage.play(stage.answers([aJob('zotui-big-aaaaaa')]))
  const { source, changed } = watch()
  await changed()
  stage.play(`echo 'The connection to the server 10.0.0.1 was refused - did you specify the right host?' >&2; exit 1`)
  lookAgain()
  await changed()
  expect(source.host()).toMatchObject({ state: 'lost', rows: [{ id: 'zotui-big-aaaaaa' }] })
  expect(source.host().problem).toMatch(/^The cluster here\/agents cannot be reached: .*was refused/)
  stage.play(stage.answers([]))
  lookAgain()
  await changed()
  expect(source.host()).toMatchObject({ state: 'connected', problem: '', rows: [] })
})

test('the end of a row removes its Job once, and nothing else can be asked of it', async () => {
  stage.play(stage.answers([aJob('zotui-big-aaaaaa')]))
  const { source, changed } = watch()
  await changed()
  expect(await source.act('zotui-big-aaaaaa', { do: 'stop' })).toMatchObject({ ok: false, why: 'forbidden' })
  expect(await source.act('zotui-big-zzzzzz', { do: 'end' })).toMatchObject({ ok: false, why: 'gone' })
  expect(await source.act('zotui-big-aaaaaa', { do: 'end' })).toEqual({ ok: true, how: 'done' })
  const removals = stage.calls().filter(call => call.includes('delete'))
  expect(removals).toHaveLength(1)
  expect(removals[0]).toEqual(expect.arrayContaining(['--context=here', 'zotui-big-aaaaaa', '--wait=false']))
})

test('a removal that is refused is said', async () => {
  stage.play(
    `case $verb in get) ${stage.answers([aJob('zotui-big-aaaaaa')])} ;; *) echo 'Error from server (Forbidden): jobs.batch is forbidden: no' >&2; exit 1 ;; esac`,
  )
  const { source, changed } = watch()
  await changed()
  expect(await source.act('zotui-big-aaaaaa', { do: 'end' })).toMatchObject({
    ok: false,
    why: 'failed',
    message: expect.stringContaining('does not allow it'),
  })
})
