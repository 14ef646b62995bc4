/** Another machine on the board, over a program `ssh` that plays it: what it says, and what becomes of one that is dead, hangs or lies. */
import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { createHostSource } from '../../src/fleet/sources/host-source.ts'
import { timers } from '../../src/platform/timers.ts'
import { playHost } from './fake-ssh.ts'
import { boardQuestion, boardRow } from './rows.ts'

const said = (row: object): string => `say({ type: 'row', host: '', row: ${JSON.stringify(row)} })\n`
const listed = "say({ type: 'listed' })\n"
const text = 'Run this command?\n  ls'
const asked = boardQuestion({ text, digest: createHash('sha256').update(text).digest('hex') })
/** Milliseconds pass ten or a hundred times as fast. */
const quick = (by: number) => ({ after: (ms: number, run: () => void) => timers.after(ms / by, run) })

test('the rows of a host are there once it has listed them, and live after that', async () => {
  const { source, until } = playHost(
    `board(); ${said(boardRow())} ${listed}
    takes(() => { ${said(boardRow({ id: 'two' }))} say({ type: 'gone', host: '', id: 'one' }) })`,
  )
  const first = await until(({ state }) => state === 'connected')
  expect(first).toMatchObject({ name: 'ssh:build', problem: '', rows: [{ id: 'one' }] })
  // What comes later comes when it is asked for.
  void source.act('one', { do: 'stop' })
  const next = await until(({ rows }) => rows[0]?.id === 'two')
  expect(next.rows).toHaveLength(1)
})

const age = (host: { rows: readonly { since: number | null }[] }): number => Date.now() - (host.rows[0]?.since ?? 0)

const rowSince = (add: string): string =>
  `say({ type: 'row', host: '', row: { ...${JSON.stringify(boardRow())}, since: ${add} } })\n`

test('its times are by the clock here, however wrong its own is, and stay when it is set', async () => {
  const hour = 3_600_000
  const { source, until } = playHost(
    `const now = Date.now(); board(now - ${hour}); ${rowSince(`now - ${hour} - 5000`)} ${listed}
    takes(() => { say({ type: 'alive', at: now + ${hour} }); ${rowSince(`now + ${hour} - 7000`)} })`,
  )
  const first = await until(({ state }) => state === 'connected')
  expect(age(first)).toBeGreaterThanOrEqual(4000)
  expect(age(first)).toBeLessThan(60_000)
  void source.act('one', { do: 'stop' })
  const second = await until(host => age(host) > 6900)
  expect(age(second)).toBeLessThan(60_000)
})

test('an answer goes there once, with the digest that was shown, and its reply comes back', async () => {
  const { source, until } = playHost(
    `board(); ${said(boardRow({ questions: [asked] }))} ${listed}
    takes(({ id, row, action }) => say({ type: 'reply', id, reply: row === 'one' && action.digest === '${asked.digest}'
      ? { ok: true, how: 'done' } : { ok: false, why: 'gone', message: 'No.' } }))`,
  )
  const { rows } = await until(({ state }) => state === 'connected')
  expect(rows[0]?.questions).toEqual([asked])
  const answer = { do: 'answer', question: 'q1', digest: asked.digest, allow: true } as const
  await expect(source.act('one', answer)).resolves.toEqual({ ok: true, how: 'done' })
})

test('a host that dies while it has a request says that the outcome is not known; its rows stay, grey, and it comes back', async () => {
  const dies = `board(); ${said(boardRow())} ${said(boardRow({ id: 'two' }))} ${listed} takes(() => process.exit(1))`
  const { source, until, play } = playHost(dies, quick(10))
  await until(({ state }) => state === 'connected')
  play(`board(); ${said(boardRow())} ${listed}`)
  await expect(source.act('one', { do: 'stop' })).resolves.toMatchObject({ ok: false, message: /not known/ })
  const lost = await until(({ state }) => state === 'lost')
  expect(lost.rows.map(({ id }) => id)).toEqual(['one', 'two'])
  expect(lost.problem).not.toBe('')
  await expect(source.act('one', { do: 'stop' })).resolves.toMatchObject({ ok: false, message: /nothing was sent/ })
  const back = await until(({ state }) => state === 'connected')
  expect(back.rows.map(({ id }) => id)).toEqual(['one'])
})

test('a host that hangs is given up, before its first line and after it', async () => {
  const never = playHost('setInterval(() => {}, 1000)', quick(100))
  expect(await never.until(({ state }) => state === 'failed')).toMatchObject({ problem: 'ssh:build does not answer.' })
  const later = playHost(`board(); ${said(boardRow())} ${listed} setInterval(() => {}, 1000)`, quick(100))
  await later.until(({ state }) => state === 'connected')
  expect(await later.until(({ state }) => state === 'lost')).toMatchObject({
    problem: 'The connection to ssh:build was lost.',
    rows: [{ id: 'one' }],
  })
})

test.each([
  ['a line that is none', "process.stdout.write('hello\\n')"],
  ['a question that is not what its digest says', said(boardRow({ questions: [boardQuestion()] }))],
  [
    'a question that hides something',
    said(
      boardRow({
        questions: [
          { ...asked, text: 'ls\u001b[2J', digest: createHash('sha256').update('ls\u001b[2J').digest('hex') },
        ],
      }),
    ),
  ],
  ['a line without an end', "process.stdout.write('x'.repeat(5_000_000) + '\\n')"],
  ['thousands of lines at once', `for (let i = 0; i < 20000; i += 1) say({ type: 'alive', at: Date.now() })`],
  [
    'rows without an end',
    `const s = ${JSON.stringify(asked)}; for (let i = 0; i < 60; i += 1) { ${said(boardRow()).trim().replace("'one'", '"x"')} ; say({ type: 'row', host: '', row: { ...${JSON.stringify(boardRow())}, id: 'r' + i, lastLine: 'x'.repeat(1_000_000) } }) }`,
  ],
])('%s ends the host alone', async (_, lie) => {
  const { until } = playHost(`board(); ${said(boardRow())} ${listed} ${lie}`)
  const ended = await until(({ state }) => state === 'lost')
  expect(ended.problem).toBe('ssh:build sends what no zotui sends.')
})

test('texts of a host are short and harmless, whatever it sends', async () => {
  const evil = boardRow({
    title: `\u001b]0;owned\u0007${'x'.repeat(5000)}`,
    lastLine: 'a\nb\u001b[2J',
    agent: '\u202eevil',
    can: ['attach', 'diff', 'merge'],
  })
  const { until } = playHost(`board(); ${said(evil)} ${listed}`)
  const { rows } = await until(({ state }) => state === 'connected')
  const [row] = rows
  expect(JSON.stringify(row)).not.toMatch(/[\u0000-\u001f\u202e]|\\u001b/)
  expect(row?.title.length).toBeLessThan(400)
  // Its folder is not here.
  expect(row?.can).toEqual(['attach'])
})

test.each([
  ['process.exit(44)', 'There is no zotui on ssh:build. Install it there: npm install -g zotui'],
  ['process.exit(2)', 'The zotui on ssh:build knows no board. Update it there: npm install -g zotui'],
  [
    'board(Date.now(), 1)',
    'The zotui 0.1.0 on ssh:build is too old for this board. Update it there: npm install -g zotui',
  ],
  [
    'board(Date.now(), 9)',
    'The zotui 0.1.0 on ssh:build is newer than this board. Update zotui here: npm install -g zotui',
  ],
  [
    "process.stderr.write('Permission denied (publickey).\\n'); process.exit(255)",
    'The login at ssh:build was refused. Use a key, an agent, or a shared connection (ControlMaster): zotui cannot answer what ssh asks.',
  ],
])('%s is one clear sentence', async (script, problem) => {
  const { until } = playHost(script)
  expect(await until(({ state }) => state === 'failed')).toMatchObject({ problem, rows: [] })
})

test('a host that is another version after it was connected keeps its rows, grey, and the board says why', async () => {
  const { source, until, play } = playHost(
    `board(); ${said(boardRow())} ${listed} takes(() => process.exit(1))`,
    quick(10),
  )
  await until(({ state }) => state === 'connected')
  play(`board(Date.now(), 9); ${said(boardRow({ id: 'two' }))} ${listed}`)
  await source.act('one', { do: 'stop' })
  const lost = await until(({ state, problem }) => state === 'lost' && problem.includes('newer'))
  expect(lost.rows.map(({ id }) => id)).toEqual(['one'])
})

test('its conversations open in this terminal by `zotui attach` there, and no word of the host gets into that command', async () => {
  const rows = [boardRow(), boardRow({ id: 'ui', attach: null }), boardRow({ id: 'evil', attach: "x'; rm -rf ~" })]
  const { source, until } = playHost(`board(); ${rows.map(said).join('')} ${listed}`)
  await until(({ state }) => state === 'connected')
  const opened = source.opens('one')
  expect(opened?.file).toMatch(/ssh$/)
  expect(opened?.args.slice(0, 2)).toEqual(['-t', 'build'])
  expect(opened?.args[2]).toMatch(/exec zotui attach one'$/)
  expect([source.opens('ui'), source.opens('evil')]).toEqual([null, null])
})

test('a name that would be a flag is no host', () => {
  const clocks = { now: Date.now, elapsed: () => 0, after: timers.after }
  expect(createHostSource({ host: '-oProxyCommand=x', env: {}, ...clocks })).toBeNull()
  expect(createHostSource({ host: 'a b', env: {}, ...clocks })).toBeNull()
  expect(createHostSource({ host: '::1', env: {}, ...clocks })?.name).toBe('ssh:::1')
})
