/** `zotui serve` in a terminal: a device pairs, reads, and is removed. */
import { freePort } from '../helpers/free-port.ts'
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import process from 'node:process'
import { describe, expect, onTestFinished, test } from 'vitest'
import { fromServerSchema, SERVE, type FromServer, type ToServer } from '../../src/published/control.ts'
import type { PageLine } from '../../src/serve/page-lines.ts'
import { environment, makeHome, type Home } from '../helpers/home.ts'
import { open, type Screen } from '../helpers/screen.ts'
import { TestDevice } from '../serve/client.ts'
import { program, run } from './stage.ts'

const size = { columns: 160, rows: 45 }

async function linkOf(zotui: Screen): Promise<string> {
  await zotui.see(/#pair=[\w-]{43}/)
  return /http:\/\/127\.0\.0\.1:\d+\/#pair=[\w-]{43}/.exec(zotui.history().join('\n'))?.[0] ?? ''
}

describe('zotui serve', () => {
  test('lets a device in after a yes to the number that both show, and removes it', async () => {
    const port = await freePort()
    const zotui = await open({ args: ['serve', '--port', String(port)], ...size })
    await zotui.see(`zotui serves your conversations on http://127.0.0.1:${port}, for this machine alone.`)
    const device = new TestDevice(`http://127.0.0.1:${port}`)
    const number = await device.useLink(await linkOf(zotui))
    await zotui.see(`if it shows ${number.slice(0, 3)} ${number.slice(3)}?`)
    await device.hello()
    // What is typed right after the question does not count.
    const isIn = (): boolean => zotui.history().join('\n').includes('"Pixel 8" is in.')
    await zotui.until('the device is in', { check: () => isIn() || (void zotui.raw('y'), false) })
    const lines = device.stream()
    expect((await lines.next()).value).toMatchObject({ type: 'hello', device: { name: 'Pixel 8', role: 'steer' } })
    await zotui.type('d')
    await zotui.see(/1: "Pixel 8" may watch, .*watches now/)
    await zotui.type('r')
    await zotui.see('Which one goes?')
    await zotui.type('1')
    await zotui.press('enter')
    await zotui.see('Removed 1.')
    const rest: PageLine[] = []
    for await (const line of lines) rest.push(line)
    expect(rest.at(-1)).toMatchObject({ type: 'end', message: expect.stringContaining('removed') })
    await zotui.type('q')
    expect(await zotui.exit()).toEqual({ code: 0, signal: null })
  })

  test('says which process serves already, and that a port is taken', async () => {
    const port = await freePort()
    const zotui = await open({ args: ['serve', '--port', String(port)], ...size })
    await linkOf(zotui)
    const taken = await run(['serve', '--port', String(port)])
    expect(taken).toMatchObject({ code: 2, stderr: expect.stringContaining('needs a terminal') })
    await zotui.type('q')
    await zotui.exit()
  })

  test.each([
    [['serve'], 'needs a terminal: it asks there before a device gets in.'],
    [['serve', '--port', 'x'], '--port needs a number from 1 to 65535.'],
    [['serve', '--port', '70000'], '--port needs a number from 1 to 65535.'],
    [['serve', 'now'], 'now'],
  ])('%j without a terminal is one line', async (args, words) => {
    const { code, stdout, stderr } = await run(args)
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toContain(words)
  })
})

/** Starts one, as a UI does. */
function start(home: Home): { child: ChildProcess; tell: (line: ToServer) => void; next: () => Promise<FromServer> } {
  const child = spawn(process.execPath, [program, SERVE], {
    env: environment(home.path),
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  const said: FromServer[] = []
  child.on('message', message => {
    said.push(fromServerSchema.parse(message))
    child.emit('said')
  })
  return {
    child,
    tell: line => void child.send(line),
    async next() {
      while (said.length === 0) await once(child, 'said')
      return said.shift() ?? Promise.reject(new Error('nothing was said'))
    },
  }
}

describe('the server of a UI', () => {
  test('shows what there is, does what it is told over the channel, and ends with the channel', async () => {
    const home = makeHome()
    onTestFinished(() => home.remove())
    const { child, tell, next } = start(home)
    tell({ type: 'start', start: { port: 0, at: null, secret: 'secret' } })
    const first = await next()
    expect(first).toMatchObject({ type: 'view', view: { at: null, pairing: null, devices: [], waiting: [] } })
    tell({ type: 'action', action: { do: 'pair', role: 'answer' } })
    expect(await next()).toMatchObject({ view: { pairing: { role: 'answer' } } })
    const second = start(home)
    second.tell({ type: 'start', start: { port: 0, at: null, secret: '' } })
    expect(await second.next()).toMatchObject({
      type: 'failed',
      message: `zotui serves your conversations already: process ${child.pid}.`,
    })
    await once(second.child, 'exit')
    child.disconnect()
    expect(await once(child, 'exit')).toEqual([0, null])
  })

  test.each([
    [{ port: 0, at: 'http://laptop.example', secret: '' }, '--at needs https.'],
    [{ port: 0, at: 'laptop', secret: '' }, '--at needs the address of a tunnel.'],
  ])('that cannot run says why: %j', async (options, message) => {
    const home = makeHome()
    onTestFinished(() => home.remove())
    const { child, tell, next } = start(home)
    tell({ type: 'start', start: options })
    expect(await next()).toMatchObject({ type: 'failed', message })
    await once(child, 'exit')
  })

  test('that is killed leaves a claim that holds no other one up', async () => {
    const home = makeHome()
    onTestFinished(() => home.remove())
    const first = start(home)
    first.tell({ type: 'start', start: { port: 0, at: null, secret: '' } })
    await first.next()
    first.child.kill('SIGKILL')
    await once(first.child, 'exit')
    const second = start(home)
    second.tell({ type: 'start', start: { port: 0, at: null, secret: '' } })
    expect(await second.next()).toMatchObject({ type: 'view' })
  })
})
