/** The conversations of this machine on the board: real sockets, and conversations that do what a test says. */
import { createHash } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type Server, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { createLocalSource, type LocalSourceOptions } from '../../src/fleet/sources/local-source.ts'
import type { FoundProcess } from '../../src/fleet/sources/process-link.ts'
import type { BoardHost } from '../../src/fleet/board-source.ts'
import { quietTimers, timers } from '../../src/platform/timers.ts'
import { createAcceptServer } from '../../src/published/socket/accept-server.ts'
import { connectToPublisher } from '../../src/published/socket/connection.ts'
import { connectInProcess } from '../../src/published/socket/in-process.ts'
import { listenForServers } from '../../src/published/socket/publisher.ts'
import { createServed, type TrustGate } from '../../src/published/socket/served.ts'
import type { ServedQuestion } from '../../src/published/protocol.ts'
import { parseJson } from '../../src/text/json.ts'
import { Made } from '../published/socket/stage.ts'

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')
const text = 'Run this command?\n  ls'
const question = (facts: Partial<ServedQuestion> = {}): ServedQuestion => ({
  id: 'q1',
  kind: 'call',
  title: 'bash ls',
  html: '<p>ls</p>',
  digest: sha256('<p>ls</p>'),
  text,
  textDigest: sha256(text),
  answers: ['allow', 'refuse', 'say'],
  note: '',
  fields: [],
  ...facts,
})
const yes = { do: 'answer', question: 'q1', digest: sha256(text), allow: true } as const

function folderOfTest(): string {
  const folder = mkdtempSync(join(tmpdir(), 'zb-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

const at = (path: string, facts: Partial<FoundProcess> = {}): FoundProcess => ({
  id: 'held-abc',
  kind: 'background',
  pid: 7,
  folder: '/work',
  agent: 'zot',
  startedAt: 1,
  connect: async onLine => connectToPublisher({ path, purpose: 'board', secret: '', onLine }),
  ...facts,
})

const yesToAll: TrustGate['ask'] = (_, decide) => {
  decide(true)
  return () => undefined
}

/** A process with one conversation. `decide` is what its person says. */
async function published(gate: Partial<TrustGate> = {}) {
  const path = join(folderOfTest(), 's')
  const made = new Made()
  const source = { all: () => new Map([['1', made]]), onChange: () => () => undefined }
  const parts = { source, parse: parseJson, after: quietTimers.after, elapsed: () => performance.now() }
  const { promise: listening, resolve, reject } = Promise.withResolvers<void>()
  const load = async () => createAcceptServer(createServed(parts), { secret: () => null, ask: yesToAll, ...gate })
  listenForServers({ socket: path, onListening: resolve, onFailed: reject, load })
  await listening
  return { path, made, parts }
}

/** A program at a socket that does what a test says. */
async function playing(play: (socket: Socket) => void): Promise<string> {
  const path = join(folderOfTest(), 's')
  const server: Server = createServer(play)
  await new Promise<void>(resolve => void server.listen(path, resolve))
  onTestFinished(() => void server.close())
  return path
}

function board(found: readonly FoundProcess[], options: Partial<LocalSourceOptions> = {}) {
  const ended: string[] = []
  const source = createLocalSource({
    find: () => found,
    count: async () => ({ files: 2, added: 30, removed: 4 }),
    worktreeAt: () => null,
    now: Date.now,
    elapsed: () => performance.now(),
    after: timers.after,
    rename: async () => ({ ok: true, how: 'done' }),
    end: async id => {
      ended.push(`end ${id}`)
      return { ok: true, how: 'done' }
    },
    archive: async session => {
      ended.push(`archive ${session}`)
      return { ok: true, how: 'done' }
    },
    ...options,
  })
  onTestFinished(() => source.close())
  const waiting = new Set<() => void>()
  source.start(() => {
    for (const look of waiting) look()
  })
  const until = async (check: (host: BoardHost) => boolean): Promise<BoardHost> => {
    const { promise, resolve } = Promise.withResolvers<BoardHost>()
    const look = (): void => {
      const host = source.host()
      if (check(host)) resolve(host)
    }
    waiting.add(look)
    look()
    return promise
  }
  return { source, until, ended }
}

test('a conversation is on the board with its question whole, its changed lines, and what can be done with it', async () => {
  const { path, made } = await published()
  made.asked = [question()]
  const { source, until } = board([at(path)])
  await source.listed
  const { rows } = await until(host => host.rows[0]?.changes !== null && host.rows.length === 1)
  expect(rows[0]).toMatchObject({
    id: 'held-abc',
    attach: 'abc',
    title: 'Hello',
    changes: { files: 2, added: 30, removed: 4 },
    questions: [{ id: 'q1', text, digest: sha256(text), answers: ['allow', 'refuse', 'say'] }],
    can: ['attach', 'answer', 'rename', 'end', 'diff'],
  })
})

/** Only a git that is through ends the first list: its limit never comes. */
const never: LocalSourceOptions['after'] = () => () => undefined

test('its rows are known before git has counted anything', async () => {
  const { path } = await published()
  const counted = Promise.withResolvers<null>()
  const { source, until } = board([at(path)], { count: () => counted.promise, after: never })
  await source.known
  expect(source.host().rows).toMatchObject([{ id: 'held-abc', changes: null }])
  const listed = source.listed.then(() => 'listed')
  expect(await Promise.race([listed, Promise.resolve('not yet')])).toBe('not yet')
  await until(({ rows }) => rows.length === 1)
  counted.resolve(null)
  expect(await listed).toBe('listed')
})

test('two boards answer the same question: it is answered once, and the other one hears that', async () => {
  const { path, made } = await published()
  made.asked = [question()]
  const first = board([at(path)])
  const second = board([at(path)])
  await Promise.all([first.until(({ rows }) => rows.length === 1), second.until(({ rows }) => rows.length === 1)])
  // The first answer needs the yes of the person at that terminal.
  expect(await first.source.act('held-abc', yes)).toMatchObject({ ok: false })
  expect(await second.source.act('held-abc', yes)).toMatchObject({ ok: false })
  await expect.poll(async () => first.source.act('held-abc', yes)).toEqual({ ok: true, how: 'done' })
  made.answer = { ok: false, why: 'answered', message: 'It was answered by the board.' }
  expect(await second.source.act('held-abc', yes)).toMatchObject({ why: 'answered' })
  expect(made.done.filter(({ do: what }) => what === 'answer_call').length).toBe(2)
})

test('a zotui that was not asked for a yes shows, and an answer tells where to give it and with which number', async () => {
  const codes: string[] = []
  const { path, made } = await published({
    ask({ code, purpose }) {
      codes.push(`${purpose} ${code}`)
      return () => undefined
    },
  })
  made.asked = [question()]
  const { source, until } = board([at(path, { id: 'open-x', kind: 'ui' })])
  const { rows } = await until(host => host.rows[0]?.questions.length === 1)
  expect(rows[0]).toMatchObject({ id: 'open-x 1', attach: null, can: ['background', 'answer', 'diff'] })
  expect(codes).toEqual([])
  const reply = await source.act('open-x 1', yes)
  const [, code = ''] = codes[0]?.split(' ') ?? []
  expect(codes[0]).toMatch(/^board \d{6}$/)
  expect(reply).toEqual({
    ok: false,
    why: 'needs_yes',
    message: `Say yes in its terminal first: /serve there asks. The number there must be ${code}.`,
  })
  expect(made.done).toEqual([])
})

test('a board in the same program needs no yes: its person sits there', async () => {
  const { made, parts } = await published()
  made.asked = [question()]
  const own = at('', {
    id: 'own',
    kind: 'ui',
    connect: async onLine => ({ ok: true, connection: connectInProcess(parts, onLine) }),
  })
  const { source, until } = board([own])
  await until(host => host.rows[0]?.questions.length === 1)
  expect(await source.act('own 1', yes)).toEqual({ ok: true, how: 'done' })
  expect(made.done).toMatchObject([{ do: 'answer_call', question: 'q1', digest: sha256(text), allow: true }])
})

test('what is not in the answers of a question is not sent', async () => {
  const { path, made } = await published()
  made.asked = [question({ answers: ['refuse'], note: 'It takes a yes at the terminal only.' })]
  const { source, until } = board([at(path)])
  await until(host => host.rows[0]?.questions.length === 1)
  expect(await source.act('held-abc', yes)).toEqual({
    ok: false,
    why: 'forbidden',
    message: 'It takes a yes at the terminal only.',
  })
  expect(await source.act('another', yes)).toMatchObject({ why: 'gone' })
})

test('a process that is killed while it has an answer says so once, and its row is gone', async () => {
  const { made, parts } = await published()
  made.asked = [question()]
  made.before = new Promise(() => undefined)
  const ends: (() => void)[] = []
  const own = at('', {
    connect: async onLine => {
      const connection = connectInProcess(parts, onLine)
      ends.push(connection.end)
      return { ok: true, connection }
    },
  })
  const found = [own]
  const { source, until } = board(found)
  await until(host => host.rows[0]?.questions.length === 1)
  const reply = source.act('held-abc', yes)
  await expect.poll(() => made.done.length).toBe(1)
  found.pop()
  ends[0]?.()
  expect(await reply).toMatchObject({ ok: false, why: 'gone' })
  await until(({ rows }) => rows.length === 0)
  expect(made.done).toHaveLength(1)
})

const lines = (all: readonly object[]): string => all.map(line => `${JSON.stringify(line)}\n`).join('')

test('a process that floods, lies or hangs costs the others nothing', async () => {
  const { path } = await published()
  const rows = { type: 'rows', rows: [new Made().row()] }
  const trust = { type: 'trust', trust: 'all', isAsked: false }
  const floods = await playing(socket => {
    socket.on('error', () => undefined)
    socket.write(lines([trust, ...Array.from({ length: 5000 }, () => rows)]))
  })
  const lies = await playing(socket => {
    socket.on('error', () => undefined)
    const questions = [question({ text: 'Run another command?' })]
    socket.write(lines([trust, rows, { type: 'questions', conversation: '1', questions }]))
  })
  const hangs = await playing(() => undefined)
  const all = [at(hangs, { id: 'held-h' }), at(lies, { id: 'held-l' }), at(floods, { id: 'held-f' }), at(path)]
  const { source, until } = board(all)
  await source.listed
  const bad = 'It sends what no zotui sends.'
  const host = await until(({ rows: now }) => now.filter(({ lastLine }) => lastLine === bad).length === 2)
  expect(host.rows.map(({ id }) => id).toSorted()).toEqual(['held-abc', 'held-f', 'held-l'])
})

test('one in the background is ended, and archived after that; one that a zotui has open is neither', async () => {
  const { path, made } = await published()
  made.row = () => ({ ...Made.prototype.row.call(made), session: 's1' })
  const { source, until, ended } = board([at(path), at(path, { id: 'open-x', kind: 'ui' })])
  await until(({ rows }) => rows.length === 2)
  expect(await source.act('held-abc', { do: 'archive' })).toEqual({ ok: true, how: 'done' })
  expect(ended).toEqual(['end abc', 'archive s1'])
  expect(await source.act('open-x 1', { do: 'end' })).toMatchObject({ why: 'forbidden' })
})

test('the lines of a worktree are counted from the base that it has now: it changes when its work is taken', async () => {
  const { path, made } = await published()
  const worktree = { folder: '/work', project: '/p', from: '/p', branch: 'zotui/a', prompt: 'a', at: 1 }
  let [base, costUsd] = ['first', 0]
  made.row = () => ({ ...Made.prototype.row.call(made), costUsd })
  const bases: (string | undefined)[] = []
  let elapsed = 0
  const { source, until } = board([at(path)], {
    elapsed: () => elapsed,
    worktreeAt: () => ({ ...worktree, base }),
    count: async (_folder, known) => {
      bases.push(known?.base)
      return null
    },
  })
  await source.listed
  base = 'second'
  elapsed = 60_000
  costUsd = 1
  made.change()
  await until(({ rows }) => rows[0]?.costUsd === 1)
  await expect.poll(() => bases).toEqual(['first', 'second'])
})

test('git is asked about a folder only after something has happened there, and not again at once', async () => {
  const { path, made } = await published()
  const counted: string[] = []
  const { source, until } = board([at(path)], {
    count: async folder => {
      counted.push(folder)
      return null
    },
  })
  await source.listed
  for (const title of ['a', 'b', 'c']) {
    made.title = title
    made.change()
    await until(({ rows }) => rows[0]?.title === title)
  }
  expect(counted).toEqual(['/work'])
})
