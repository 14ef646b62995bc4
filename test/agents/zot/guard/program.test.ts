/** The guard by itself, between a zot and a zotui that the test plays. */
import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import process from 'node:process'
import { createInterface } from 'node:readline'
import { afterEach, expect, test } from 'vitest'
import { guardScript } from './guarded.ts'
import { cache } from './suite.ts'

type Line = Record<string, unknown> & { type: string }

const ends: (() => void)[] = []
afterEach(() => {
  for (const end of ends.splice(0)) end()
})

/** Starts it as a zot with the tools `read` and `bash`, of which `read` is answered by marks. */
async function start() {
  const folder = mkdtempSync(path.join(tmpdir(), 'g-'))
  const socketName = path.join(folder, 'socket')
  const toZotui: Line[] = []
  const toZot: Line[] = []
  const opened = Promise.withResolvers<Socket>()
  const server = createServer(socket => {
    createInterface({ input: socket }).on('line', line => toZotui.push(JSON.parse(line) as Line))
    opened.resolve(socket)
  })
  await new Promise<void>(done => server.listen(socketName, done))
  const child = spawn(process.execPath, [guardScript, socketName], {
    env: { ...process.env, NODE_COMPILE_CACHE: cache },
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  createInterface({ input: child.stdout }).on('line', line => toZot.push(JSON.parse(line) as Line))
  const socket = await opened.promise
  ends.push(() => {
    // At once: a guard without zotui ends the process that started it, which is this one.
    child.kill('SIGKILL')
    socket.destroy()
    server.close()
    rmSync(folder, { recursive: true, force: true })
  })
  const zot = (line: object): void => void child.stdin.write(`${JSON.stringify(line)}\n`)
  const zotui = (line: object): void => void socket.write(`${JSON.stringify(line)}\n`)
  const tools = ['read', 'bash'].map(name => ({ name, description: '', schema: {} }))
  zotui({ type: 'tools', tools, early: ['read'] })
  await expect.poll(() => toZot.map(({ type }) => type)).toContain('ready')
  const inZot = async (id: string): Promise<Line> => {
    await expect.poll(() => toZot.find(line => line['id'] === id)).toBeDefined()
    return toZot.find(line => line['id'] === id) ?? { type: '' }
  }
  return {
    toZotui,
    toZot,
    zot,
    zotui,
    inZot,
    /** zot asks about a call, and gets its mark. */
    mark: async (id: string, tool = 'read') => {
      zot({ type: 'event_intercept', id, event: 'tool_call', tool_id: id, tool_name: tool, tool_args: { path: id } })
      const { modified_args: args } = await inZot(id)
      return (args as { zotui_call: string }).zotui_call
    },
    calls: (id: string, mark: string, name = 'read') =>
      zot({ type: 'tool_call', id, name, args: { zotui_call: mark } }),
    result: (mark: string, words: string) =>
      zotui({ type: 'tool_result', mark, content: [{ type: 'text', text: words }], is_error: false }),
    /** The lines that zotui heard, once all that was sent before has been read. */
    heard: async () => {
      const { length } = toZotui
      zotui({ type: 'ping' })
      await expect.poll(() => toZotui.slice(length).some(({ type }) => type === 'pong')).toBe(true)
      return toZotui.filter(({ type }) => type !== 'pong')
    },
  }
}

const asResult = (id: string, words: string) => ({
  type: 'tool_result',
  id,
  content: [{ type: 'text', text: words }],
  is_error: false,
})

test('a result by its mark waits for the call, or the call for it, and the call does not reach zotui', async () => {
  const { mark, calls, result, inZot, heard, toZot } = await start()
  const first = await mark('a')
  result(first, 'one "mark":"x" $& $1')
  await heard()
  expect(toZot.filter(({ type }) => type === 'tool_result')).toEqual([])
  calls('1', first)
  expect(await inZot('1')).toEqual(asResult('1', 'one "mark":"x" $& $1'))

  const [second, third] = [await mark('b'), await mark('c')]
  calls('3', third)
  calls('2', second)
  result(second, 'two')
  result(third, 'three')
  expect(await inZot('2')).toEqual(asResult('2', 'two'))
  expect(await inZot('3')).toEqual(asResult('3', 'three'))
  expect((await heard()).map(({ type }) => type)).toEqual(['own_call', 'own_call', 'own_call'])
})

test('a mark is good for one call of its tool, and no other call gets its result', async () => {
  const { mark, calls, result, heard, toZot, zot, zotui, inZot } = await start()
  const used = await mark('a')
  result(used, 'secret')
  calls('first', used)
  await inZot('first')
  calls('again', used)
  const waiting = await mark('b')
  calls('other tool', waiting, 'bash')
  result(waiting, 'secret')
  calls('waits', await mark('c'))
  zot({ type: 'tool_call', id: 'bare', name: 'read', args: { path: 'x' } })
  zot({ type: 'tool_call', id: 'null', name: 'read', args: null })
  zot({ type: 'tool_call', id: 'made up', name: 'read', args: { zotui_call: '0123456789abcdef' } })
  result('0123456789abcdef', 'secret')
  await expect
    .poll(async () => (await heard()).filter(({ type }) => type === 'tool_call').map(({ id }) => id))
    .toEqual(['again', 'other tool', 'bare', 'null', 'made up'])
  expect(toZot.filter(({ type }) => type === 'tool_result').map(({ id }) => id)).toEqual(['first'])
  zotui({ type: 'tool_result', id: 'bare', content: [], is_error: true })
  expect(await inZot('bare')).toMatchObject({ is_error: true })
})

test('a call that zot did not make is reported before the next step, and its result is given to none', async () => {
  const { mark, calls, result, heard, zot, toZot } = await start()
  const step = (id: string): void => zot({ type: 'event_intercept', id, event: 'turn_start', step: 2 })
  calls('run', await mark('a', 'bash'), 'bash')
  step('all made')
  const left = await mark('b')
  step('one left')
  await expect
    .poll(async () => (await heard()).map(({ type, id }) => id ?? type))
    .toEqual(['own_call', 'run', 'all made', 'own_call', 'unmade', 'one left'])
  result(left, 'secret')
  calls('late', left)
  await expect.poll(async () => (await heard()).at(-1)).toMatchObject({ type: 'tool_call', id: 'late' })
  expect(JSON.stringify(toZot)).not.toContain('secret')
  // zot did not wait for the mark, and then its call came without it: nothing ran.
  await mark('c')
  zot({ type: 'tool_call', id: 'bare', name: 'read', args: { path: 'x' } })
  step('none left')
  await expect.poll(async () => (await heard()).at(-1)).toMatchObject({ id: 'none left' })
  expect((await heard()).filter(({ type }) => type === 'unmade')).toHaveLength(1)
})
