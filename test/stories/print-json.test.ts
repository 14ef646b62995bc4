/** A script reads `-p --json`: its first line names the session, and its last one is the result, however the run ends. */
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { execa } from 'execa'
import { describe, expect, test } from 'vitest'
import { printLineSchema } from '../../src/print/json-lines.ts'
import { KEY, startFakeRoz } from '../agents/roz/fake-server.ts'
import { environment, type Home } from '../helpers/home.ts'
import { installAgent, installZot, lastingHome, program } from './stage.ts'

/** Starts zotui without a terminal. `frames` is the answer of the agent `hostile` to the prompt `go`. */
function start(args: readonly string[], { home = lastingHome(), env = {}, frames = [] as readonly object[] } = {}) {
  writeFileSync(join(home.path, 'go.json'), JSON.stringify(frames))
  writeFileSync(
    join(home.path, 'abort.json'),
    JSON.stringify([{ type: 'turn_end', stop: 'aborted' }, { type: 'done' }]),
  )
  return execa(process.execPath, [program, ...args], {
    cwd: home.project,
    env: environment(home.path, env),
    extendEnv: false,
    stdin: 'ignore',
    reject: false,
    timeout: 20_000,
  })
}

function startOn(agent: string, args: readonly string[], frames: readonly object[] = [], home: Home = lastingHome()) {
  return start(args, { home, env: { ZOTUI_ZOT: installZot(home, agent) }, frames })
}

type Ended = { stdout: string; stderr: string; exitCode?: number | undefined }

/** The first and the last line, which must be the only ones of their kind, between events as the schema says. */
function read({ stdout, exitCode }: Ended) {
  const lines = stdout.split('\n').map(line => printLineSchema.parse(JSON.parse(line)))
  const [first] = lines
  const last = lines.at(-1)
  if (first?.type !== 'session_opened' || last?.type !== 'result') throw new Error(`no frame around:\n${stdout}`)
  expect(lines.filter(({ type }) => type === 'session_opened' || type === 'result')).toHaveLength(2)
  expect(last.exitCode).toBe(exitCode)
  return { first, last }
}

const saysFirst = [
  { type: 'turn_start', step: 1 },
  { type: 'assistant_start' },
  { type: 'text_delta', delta: 'first ' },
]
const finishes = (text: string) => [
  { type: 'assistant_message', content: [{ type: 'text', text }] },
  { type: 'turn_end', stop: 'end' },
  { type: 'done' },
]
const costs = (cost: number) => ({ type: 'usage', input: 10, output: 5, cache_read: 2, cache_write: 1, cost_usd: cost })
/** A turn of one step that costs so much. */
const endsAt = (cost: number) => [...saysFirst, costs(cost), ...finishes('first and last')]
const calls = [
  { type: 'assistant_message', content: [{ type: 'tool_call', id: 'a', name: 'read', args: { path: 'x' } }] },
  { type: 'tool_call', id: 'a', name: 'read', args: { path: 'x' } },
  { type: 'turn_end', stop: 'tool_use' },
  { type: 'tool_result', id: 'a', is_error: false, content: [{ type: 'text', text: 'found' }] },
  { type: 'turn_start', step: 2 },
  { type: 'assistant_start' },
]
const failure = [
  { type: 'turn_start', step: 1 },
  { type: 'turn_end', stop: 'error', error: 'anthropic: http 500: broken' },
  { type: 'error', message: 'anthropic: http 500: broken' },
  { type: 'done' },
]

describe('the lines around the events', () => {
  test('name a session that --resume goes on in, with the cost of the run and of the session', async () => {
    const home = lastingHome()
    const frames = [...saysFirst, costs(0.25), ...finishes('first of all')]
    const one = read(await startOn('hostile', ['-p', '--json', 'go'], frames, home))
    expect(one.last).toMatchObject({
      outcome: 'done',
      answer: 'first of all',
      error: null,
      costUsd: 0.25,
      sessionCostUsd: 0.25,
      usage: { input: 10, output: 5, cacheRead: 2, cacheWrite: 1 },
    })
    const id = one.first.session ?? ''
    expect(one.last.session).toBe(id)
    const two = read(await startOn('hostile', ['-p', '--json', '--resume', id, 'go'], frames, home))
    expect([two.first.session, two.last.session]).toEqual([id, id])
    expect(two.last).toMatchObject({ costUsd: 0.0042, sessionCostUsd: 0.2542, usage: { input: 1200, output: 30 } })
    const { stdout } = await startOn('hostile', ['sessions', '--json'], [], home)
    expect(JSON.parse(stdout)).toMatchObject([{ id, turns: 2 }])
  })

  test('have the same session for --continue, which takes the newest of -p', async () => {
    const home = lastingHome()
    const one = read(await startOn('echo', ['-p', '--json', 'one'], [], home))
    const two = read(await startOn('echo', ['-p', '--json', '--continue', 'two'], [], home))
    expect(two.last.session).toBe(one.last.session)
  })

  test('stand around the events of an ACP agent, Meerkat and roz, too', async () => {
    const home = lastingHome()
    const fake = await startFakeRoz()
    const path = { PATH: '/usr/bin:/bin' }
    const acp = installAgent(home, {
      name: 'claude-agent-acp',
      agent: 'acp-sessions',
      first: `export ACP_CAN=list,resume ACP_STORE='${join(home.path, 'store.json')}'`,
    })
    const meerkat = installAgent(home, { name: 'rkat-rpc', agent: 'meerkat-sessions', first: 'set --' })
    const answers = [
      [['--agent', acp], path, 's1 knows hello.'],
      [['--agent', 'meerkat'], { ...path, ZOTUI_RKAT_RPC: meerkat }, 's1 knows hello.'],
      [['--agent', 'roz', '--base-url', fake.url], { ...path, ROZ_API_KEY: KEY }, 'You said: hello.'],
    ] as const
    for (const [flags, env, answer] of answers) {
      const { first, last } = read(await start([...flags, '-p', '--json', 'hello'], { home, env }))
      expect(first.session).toMatch(/^\d{8}-\d{6}-/)
      expect(last).toMatchObject({ session: first.session, outcome: 'done', answer, exitCode: 0 })
    }
  })

  test('name no session where none is kept', async () => {
    const { first, last } = read(await start(['--demo', '-p', '--json', 'thanks'], { env: { ZOTUI_DEMO_SPEED: '10' } }))
    expect([first.session, last.session]).toEqual([null, null])
  })
})

describe('the result is the last line, and the only one, of a run', () => {
  test.each([
    ['whose provider fails', failure, [], { outcome: 'failed', exitCode: 1, answer: '' }],
    ['whose agent dies', [...saysFirst, { dies: 'zot: out of luck' }], [], { outcome: 'failed', exitCode: 1 }],
    ['that takes too long', saysFirst, ['--timeout', '1'], { outcome: 'timeout', exitCode: 1 }],
    [
      'that stops at --max-cost',
      [...saysFirst, costs(0.5), ...calls],
      ['--max-cost', '0.5'],
      { outcome: 'max_cost', exitCode: 1, costUsd: 0.5 },
    ],
    [
      'that ends beyond --max-cost',
      endsAt(0.6),
      ['--max-cost', '0.5'],
      { outcome: 'max_cost', exitCode: 1, answer: 'first and last', costUsd: 0.6 },
    ],
  ])('%s, with the words of standard error', async (_, frames, flags, result) => {
    const ended = await startOn('hostile', ['-p', '--json', ...flags, 'go'], frames)
    const { last } = read(ended)
    expect(last).toMatchObject(result)
    expect(ended.stderr).toBe(`zotui: ${last.error ?? ''}`)
    expect(last.error).not.toBe('')
  })

  test('that is interrupted, also by two signals, and before the agent answers', async () => {
    const ends = [
      ['hostile', ['first'], 'first'],
      ['deaf', ['I hear nothing', 'Abort number 1'], 'I hear nothing. Abort number 1.'],
      ['silent', ['agent_starting'], ''],
    ] as const
    for (const [agent, marks, said] of ends) {
      const child = startOn(agent, ['-p', '--json', 'go'], saysFirst)
      let out = ''
      child.stdout.on('data', (chunk: Buffer) => (out += chunk.toString()))
      for (const mark of marks) {
        while (!out.includes(mark)) await once(child.stdout, 'data')
        child.kill('SIGINT')
      }
      const { last } = read(await child)
      expect(last).toMatchObject({ outcome: 'interrupted', exitCode: 130 })
      expect(last.answer).toBe(said)
    }
  })

  test('in which calls were refused', async () => {
    const { last } = read(
      await start(['--demo', '-p', '--json', 'danger'], { env: { ZOTUI_PERMISSIONS: 'ask', ZOTUI_DEMO_SPEED: '10' } }),
    )
    expect(last).toMatchObject({ outcome: 'refused', exitCode: 3, error: null })
  })

  test('that does not begin', async () => {
    const home = lastingHome()
    const { last: unstarted } = read(await startOn('no-credential', ['-p', '--json', 'go']))
    expect(unstarted).toMatchObject({ session: null, outcome: 'failed', exitCode: 1 })
    const { last: unknown } = read(await startOn('echo', ['-p', '--json', '--resume', 'nowhere', 'go'], [], home))
    expect(unknown).toMatchObject({ outcome: 'failed', exitCode: 2, error: expect.stringContaining('"nowhere"') })
    const none = await start(['-p', '--json', 'go'], {
      home,
      env: { PATH: '/usr/bin:/bin', ZOTUI_ZOT: '/no/such/zot' },
    })
    expect(read(none).last).toMatchObject({ outcome: 'failed' })
  })
})

test('--quiet prints the final answer only: nothing that the agent says between its calls, and nothing of a run that fails', async () => {
  const talks = [
    ...saysFirst.slice(0, 2),
    { type: 'assistant_message', content: [{ type: 'text', text: 'I will look.' }, ...(calls[0]?.content ?? [])] },
    ...calls.slice(1),
    { type: 'text_delta', delta: 'All is well.' },
    ...finishes('All is well.'),
  ]
  expect(await startOn('hostile', ['-p', 'go'], talks)).toMatchObject({ stdout: 'I will look.\n\nAll is well.' })
  expect(await startOn('hostile', ['-p', '--quiet', 'go'], talks)).toMatchObject({
    exitCode: 0,
    stdout: 'All is well.',
  })
  const failed = await startOn('hostile', ['-p', '--quiet', 'go'], [...saysFirst, ...failure.slice(1)])
  expect(failed).toMatchObject({ exitCode: 1, stdout: '' })
  expect(failed.stderr).toMatch(/^zotui: [^\n]+$/)
})

test('a run that ends beyond --max-cost prints its answer, one line that says so, and ends with 1', async () => {
  const ended = await startOn('hostile', ['-p', '--max-cost', '0.5', 'go'], endsAt(0.6))
  expect(ended).toMatchObject({ exitCode: 1, stdout: 'first and last' })
  expect(ended.stderr).toMatch(
    /^zotui: The answer is complete, but the session has cost \$0\.60, more than --max-cost.*$/,
  )
  // A sum that only reaches the limit is within it.
  expect(await startOn('hostile', ['-p', '--max-cost', '0.5', 'go'], endsAt(0.5))).toMatchObject({
    exitCode: 0,
    stderr: '',
  })
})
