/**
 * The server of the page is killed (SIGKILL) in each of its states, and started again: the conversation goes on and knows that nobody watches,
 * nothing is answered twice, no prompt is lost or sent twice without a word, and no device is let in without a yes.
 */
import { freePort } from '../helpers/free-port.ts'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { describe, expect, test } from 'vitest'
import { namesIn } from '../../src/platform/folders.ts'
import type { OutsideCall } from '../../src/published/outside-call.ts'
import type { ServedQuestion } from '../../src/published/protocol.ts'
import type { PageConversation, PageLine } from '../../src/serve/page-lines.ts'
import type { Home } from '../helpers/home.ts'
import { isLong } from '../helpers/length.ts'
import { descendants } from '../helpers/processes.ts'
import { open, type Screen } from '../helpers/screen.ts'
import { TestDevice } from '../serve/client.ts'
import { lastingHome, logged, openEcho, openZot, ready, send } from '../stories/stage.ts'

const wide = { columns: 240, rows: 45 }
const patience = { timeout: 20_000 }
const script = (home: Home): string => join(home.path, 'script.json')
const linesOf = (path: string): string[] =>
  existsSync(path) ? readFileSync(path, 'utf8').split('\n').filter(Boolean) : []

/** `zotui serve` in a terminal of its own. */
async function startServer(home: Home, port: number): Promise<{ server: Screen; link: string }> {
  const server = await open({ args: ['serve', '--port', String(port)], home, ...wide })
  await server.seeInHistory(/#pair=[\w-]{43}/)
  const link = /http:\/\/127\.0\.0\.1:\d+\/#pair=[\w-]{43}/.exec(server.history().join('\n'))?.[0] ?? ''
  return { server, link }
}

async function kill(server: Screen): Promise<void> {
  server.kill('SIGKILL')
  expect(await server.exit()).toEqual({ code: null, signal: 'SIGKILL' })
}

const spaced = (number: string): string => `${number.slice(0, 3)} ${number.slice(3)}`

/** Says yes to the number that the device shows, once it counts. */
async function letIn(server: Screen, number: string): Promise<void> {
  await server.seeInHistory(`if it shows ${spaced(number)}?`)
  const isIn = (): boolean => server.history().join('\n').includes('"Pixel 8" is in.')
  await server.until('the device is in', { check: () => isIn() || (void server.raw('y'), false) })
}

/** Pairs a new device. */
async function pair(server: Screen, link: string): Promise<TestDevice> {
  const device = new TestDevice(new URL(link).origin)
  await letIn(server, await device.useLink(link))
  await device.hello()
  return device
}

/** A device that another server has let in: this one asks again. */
async function comeBack(server: Screen, device: TestDevice): Promise<void> {
  const { epoch } = device
  await device.hello()
  expect(device.epoch).not.toBe(epoch)
  expect((await device.ask('stream', { epoch: '', known: 0, watch: null })).json).toEqual({ error: 'admit' })
  const { state, number } = await device.request('pair/status', {})
  expect(state).toBe('waiting')
  await letIn(server, number)
}

/** Says yes to what `/serve` asks, once that counts. */
async function sayYes(zotui: Screen): Promise<void> {
  await send(zotui, '/serve')
  // The server that /serve starts has failed then. Otherwise it could take the place of the one that is killed.
  await zotui.see('erves your conversations already')
  await zotui.see('y yes   n no')
  const asks = (): boolean => zotui.screen().join('\n').includes('y yes   n no')
  await zotui.until('the yes to count', { check: () => !asks() || (void zotui.raw('y'), false) })
  await zotui.press('esc')
  await zotui.until('the page closed', { check: () => !zotui.alternate })
}

/** The person lets this server pass on what devices ask of this conversation: both terminals show the same number. */
async function trust(zotui: Screen, server: Screen): Promise<void> {
  await server.seeInHistory(/it shows \d{3} \d{3}\./)
  await zotui.see('wants to pass on answers to this zotui: /serve')
  await sayYes(zotui)
}

/** What a device reads, until its stream ends. */
class Reading {
  readonly lines: PageLine[] = []
  isOver = false

  constructor(device: TestDevice, watch: string | null = null) {
    void this.#read(device, watch)
  }

  async #read(device: TestDevice, watch: string | null): Promise<void> {
    try {
      for await (const line of device.stream(watch)) this.lines.push(line)
    } catch {
      // It was cut off.
    }
    this.isOver = true
  }

  conversations(): readonly PageConversation[] {
    return this.lines.findLast(line => line.type === 'conversations')?.conversations ?? []
  }

  questions(): readonly ServedQuestion[] {
    return this.lines.findLast(line => line.type === 'questions')?.questions ?? []
  }

  /** The text of the blocks as they are now. */
  text(): string {
    const blocks = new Map<number, string>()
    for (const line of this.lines) {
      if (line.type !== 'blocks') continue
      if (line.isAnew) blocks.clear()
      for (const { index, html } of line.blocks) blocks.set(index, html)
    }
    return [...blocks]
      .toSorted(([a], [b]) => a - b)
      .map(([, html]) => html)
      .join('\n')
  }
}

/** The processes that claim to serve this home. */
const readServers = (home: Home): number[] =>
  namesIn(join(home.path, '.local', 'state', 'zotui', 'serve', 'running')).map(name => Number(name.split('-')[1]))

/** The only conversation in the list of a device. */
async function conversationOf(device: TestDevice, check: (row: PageConversation) => boolean): Promise<string> {
  const list = new Reading(device)
  await expect.poll(() => list.conversations().some(check), patience).toBe(true)
  return list.conversations()[0]?.id ?? ''
}

/** A conversation that asks before commands run, whose model has these steps. */
async function openAsking(home: Home, steps: readonly unknown[]): Promise<Screen> {
  writeFileSync(script(home), JSON.stringify(steps))
  const env = { ZOT_SCRIPT: script(home), ZOTUI_PERMISSIONS: 'ask' }
  const zotui = await openZot('guardable', { home, env, ...wide })
  await zotui.see(ready)
  return zotui
}

const command = { calls: [{ id: 'one', name: 'bash', args: { command: 'echo ran >> made' } }] }

/** What a request becomes for its device. */
const outcomeOf = async (asked: Promise<unknown>): Promise<unknown> => asked.catch(() => 'lost')

type Stage = { zotui: Screen; server: Screen; device: TestDevice; conversation: string }
/** @throws if there are none. */
function onlyOne<Value>([first]: readonly Value[]): Value {
  if (first === undefined) throw new Error('there is none')
  return first
}

type Moment = 'before the server has read it' | 'on its way to the conversation' | 'before its reply'
const moments: readonly Moment[] = [
  'before the server has read it',
  'on its way to the conversation',
  'before its reply',
]

/** Sends a request and kills the server at this moment. `effect` waits for what the request does. */
async function lose(moment: Moment, stage: Stage, call: OutsideCall, effect: () => Promise<void>): Promise<void> {
  const { zotui, server, device, conversation } = stage
  if (moment === 'before the server has read it') {
    server.kill('SIGSTOP')
    const lost = outcomeOf(device.ask('call', { conversation, call }))
    await kill(server)
    if ((await lost) !== 'lost') throw new Error('the server has answered')
    return
  }
  zotui.kill('SIGSTOP')
  const lost = outcomeOf(device.ask('call', { conversation, call }))
  // Meanwhile the server has passed it on.
  for (let more = 0; more < 10; more += 1) await device.ask('blocks', { conversation, from: 0, to: 1 })
  if (moment === 'before its reply') {
    server.kill('SIGSTOP')
    zotui.kill('SIGCONT')
    await effect()
  }
  await kill(server)
  zotui.kill('SIGCONT')
  expect(await lost).toBe('lost')
}

describe.skipIf(process.platform === 'win32')('The server of the page is killed', () => {
  test('while a link is open: the link is void, and nothing of the dead server is in the way of the next', async () => {
    const home = lastingHome()
    const port = await freePort()
    const zotui = await openEcho({ home, ...wide })
    const { server, link } = await startServer(home, port)
    await kill(server)
    const next = await startServer(home, port)
    expect(next.link).not.toBe(link)
    await expect(new TestDevice(new URL(link).origin).useLink(link)).rejects.toThrow('"link"')
    const device = await pair(next.server, next.link)
    await conversationOf(device, ({ isThere }) => isThere)
    await send(zotui, 'hello')
    await zotui.see('You said: hello.')
    await zotui.close()
  })

  test('while a device waits for the yes: it is unknown afterwards, and pairs with another link', async () => {
    const home = lastingHome()
    const port = await freePort()
    const { server, link } = await startServer(home, port)
    const device = new TestDevice(new URL(link).origin)
    const number = await device.useLink(link)
    await server.seeInHistory(`if it shows ${spaced(number)}?`)
    await kill(server)
    const next = await startServer(home, port)
    await device.hello()
    expect((await device.ask('pair/status', {})).json).toEqual({ error: 'unknown' })
    await next.server.type('d')
    await next.server.seeInHistory('No device was let in yet.')
    await letIn(next.server, await device.useLink(next.link))
    await device.hello()
    expect(await device.request('pair/status', {})).toMatchObject({ state: 'paired' })
  })

  test('while a question is shown: it waits on, and the same one is shown and answered once afterwards', async () => {
    const home = lastingHome()
    const port = await freePort()
    const zotui = await openAsking(home, [command, { text: 'All done.' }])
    const { server, link } = await startServer(home, port)
    const device = await pair(server, link)
    const conversation = await conversationOf(device, ({ isThere }) => isThere)
    const before = new Reading(device, conversation)
    await zotui.see('Pixel 8 watches')
    await send(zotui, 'go')
    await zotui.see('Run this command?')
    await expect.poll(() => before.questions().length, patience).toBe(1)
    await kill(server)
    await expect.poll(() => before.isOver, patience).toBe(true)
    await zotui.see('Run this command?')
    const next = await startServer(home, port)
    await comeBack(next.server, device)
    const after = new Reading(device, conversation)
    await expect.poll(() => after.questions().length, patience).toBe(1)
    expect(after.questions()).toEqual(before.questions())
    const { id: question, digest } = onlyOne(after.questions())
    const call = { do: 'answer_call', id: 'a', question, digest, allow: true } as const
    // Nobody has said yes to this server yet.
    expect(await device.request('call', { conversation, call })).toMatchObject({ ok: false, why: 'forbidden' })
    await zotui.type('y')
    await zotui.see('All done.')
    await expect.poll(() => after.questions().length, patience).toBe(0)
    expect(linesOf(join(home.project, 'made'))).toEqual(['ran'])
    await kill(next.server)
    await expect.poll(() => after.isOver, patience).toBe(true)
    await zotui.gone('Pixel 8 watches')
    await zotui.close()
  })

  // Each is tried by `npm run test:long`, and one of them, another each time, by `npm test`.
  const tried = isLong ? moments : [moments[Math.floor(Math.random() * moments.length)] ?? 'before its reply']

  test.each(tried)('after a yes was sent, %s: it is given once, however often it comes', async moment => {
    const home = lastingHome()
    const port = await freePort()
    const zotui = await openAsking(home, [command, { text: 'All done.' }])
    const { server, link } = await startServer(home, port)
    const device = await pair(server, link)
    await trust(zotui, server)
    const conversation = await conversationOf(device, ({ takesAnswers }) => takesAnswers)
    const before = new Reading(device, conversation)
    await zotui.see('Pixel 8 watches')
    await send(zotui, 'go')
    await zotui.see(/› \d/)
    await expect.poll(() => before.questions().length, patience).toBe(1)
    const { id: question, digest } = onlyOne(before.questions())
    const call = { do: 'answer_call', id: 'a', question, digest, allow: true } as const
    const stage = { zotui, server, device, conversation }
    await lose(moment, stage, call, async () => zotui.see('All done.'))
    await expect.poll(() => before.isOver, patience).toBe(true)
    await zotui.gone('Pixel 8 watches')

    const next = await startServer(home, port)
    await comeBack(next.server, device)
    await trust(zotui, next.server)
    expect(await conversationOf(device, ({ takesAnswers }) => takesAnswers)).toBe(conversation)
    expect(await device.request('call', { conversation, call })).toEqual({ ok: true, how: 'done' })
    await zotui.see('All done.')
    expect(await device.request('call', { conversation, call })).toEqual({ ok: true, how: 'done' })
    const another = { ...call, id: 'b', allow: false }
    expect(await device.request('call', { conversation, call: another })).toMatchObject({
      ok: false,
      why: 'answered',
      message: expect.stringContaining('Pixel 8'),
    })
    expect(linesOf(join(home.project, 'made'))).toEqual(['ran'])
    expect(logged(home).split('"permission_decided"')).toHaveLength(2)
    await zotui.close()
  })

  test.each(tried)('after a prompt was sent, %s: it is sent once, however often it comes', async moment => {
    const home = lastingHome()
    const port = await freePort()
    const zotui = await openAsking(home, [{ text: 'The first is done.' }, { text: 'The second is done.' }])
    const { server, link } = await startServer(home, port)
    const device = await pair(server, link)
    await trust(zotui, server)
    const conversation = await conversationOf(device, ({ takesAnswers }) => takesAnswers)
    const call = { do: 'prompt', id: 'a', text: 'from the train' } as const
    const stage = { zotui, server, device, conversation }
    await lose(moment, stage, call, async () => zotui.see('The first is done.'))

    const next = await startServer(home, port)
    await comeBack(next.server, device)
    await trust(zotui, next.server)
    expect(await conversationOf(device, ({ takesAnswers }) => takesAnswers)).toBe(conversation)
    expect(await device.request('call', { conversation, call })).toEqual({ ok: true, how: 'sent' })
    await zotui.see('The first is done.')
    expect(await device.request('call', { conversation, call })).toEqual({ ok: true, how: 'sent' })
    expect(await device.request('call', { conversation, call: { ...call, id: 'b' } })).toMatchObject({ ok: true })
    await zotui.see('The second is done.')
    expect(linesOf(`${script(home)}.told`)).toHaveLength(2)
    expect(logged(home).split('"prompt_sent"')).toHaveLength(3)
    await zotui.close()
  })

  test('during a full stream: the terminal shows it to its end, and a device that comes back has all of it', async () => {
    const home = lastingHome()
    const port = await freePort()
    const zotui = await openZot('streaming', { home, ...wide })
    await zotui.see(ready)
    const { server, link } = await startServer(home, port)
    const device = await pair(server, link)
    const conversation = await conversationOf(device, ({ isThere }) => isThere)
    const before = new Reading(device, conversation)
    await zotui.see('Pixel 8 watches')
    await send(zotui, '40 15')
    await expect.poll(() => before.text(), patience).toContain('w0040')
    await kill(server)
    await expect.poll(() => before.isOver, patience).toBe(true)
    expect(before.text()).not.toContain('That was all.')
    await zotui.gone('Pixel 8 watches')
    const next = await startServer(home, port)
    await comeBack(next.server, device)
    const after = new Reading(device, conversation)
    await zotui.see('That was all.')
    await expect.poll(() => after.text(), patience).toContain('That was all.')
    const words = [...after.text().matchAll(/w\d{4}/g)].map(([word]) => word)
    expect(words).toEqual(Array.from({ length: 800 }, (_, index) => `w${String(index + 1).padStart(4, '0')}`))
    await zotui.see('Pixel 8 watches')
    await zotui.close()
  })

  test('as the child of a zotui: that says so, goes on, and starts another one', async () => {
    const home = lastingHome()
    const zotui = await openEcho({ home, ...wide })
    await send(zotui, '/serve --port 0')
    const linkOf = (): string => /http:\S+#pair=\S+/.exec(zotui.screen().join('\n'))?.[0] ?? ''
    await zotui.until('a link', { check: () => linkOf() !== '' })
    const link = linkOf()
    await zotui.press('esc')
    await zotui.until('the page closed', { check: () => !zotui.alternate })
    const child = descendants(zotui.pid).find(({ pid }) => readServers(home).includes(pid))
    expect(child).toBeDefined()
    if (child) process.kill(child.pid, 'SIGKILL')
    await zotui.see('The server has ended by itself.')
    await send(zotui, 'hello')
    await zotui.see('You said: hello.')
    await send(zotui, '/serve --port 0')
    await zotui.until('another link', { check: () => linkOf() !== '' && linkOf() !== link })
    // The claim of the dead one is gone.
    expect(readServers(home)).toHaveLength(1)
    expect(readServers(home)).not.toContain(child?.pid)
    await zotui.press('esc')
    await zotui.close()
  })
})

describe.skipIf(process.platform === 'win32')('A conversation is killed', () => {
  test('while a device looks at it: the page is told, and it leaves the list', { timeout: 180_000 }, async () => {
    const home = lastingHome()
    const zotui = await openEcho({ home, ...wide })
    const { server, link } = await startServer(home, await freePort())
    const device = await pair(server, link)
    const conversation = await conversationOf(device, ({ isThere }) => isThere)
    const reading = new Reading(device, conversation)
    await zotui.see('Pixel 8 watches')
    zotui.kill('SIGKILL')
    await zotui.exit()
    await expect.poll(() => reading.conversations().map(({ isThere }) => isThere), patience).toEqual([false])
    const call = { do: 'prompt', id: 'a', text: 'anybody?' } as const
    expect(await device.request('call', { conversation, call })).toMatchObject({ ok: false, why: 'gone' })
    // The next zotui is another conversation, and the list of a new server has no dead one.
    const next = await openEcho({ home, ...wide })
    await expect.poll(() => reading.conversations().filter(({ isThere }) => isThere).length, patience).toBe(1)
    await kill(server)
    await expect.poll(() => reading.isOver, patience).toBe(true)
    const again = await startServer(home, await freePort())
    const other = await pair(again.server, again.link)
    const list = new Reading(other)
    await expect.poll(() => list.conversations().map(({ isThere }) => isThere), patience).toEqual([true])
    expect(list.conversations()[0]?.id).not.toBe(conversation)
    await next.close()
  })
})
