/** A user lets a phone in with /serve, sees who is there, and ends it. */
import { freePort } from '../helpers/free-port.ts'
import { connect } from 'node:net'
import { expect, test } from 'vitest'
import { largeNumber } from '../../components/pages/serve/digits.ts'
import { open, type Screen } from '../helpers/screen.ts'
import { TestDevice } from '../serve/client.ts'
import { openDemo, openQuickDemo, send } from './stage.ts'

const wide = { columns: 150, rows: 40 }

/** The link on the screen. */
async function linkOf(zotui: Screen): Promise<string> {
  const found = (): string => /http:\S+#pair=\S+/.exec(zotui.screen().join('\n'))?.[0] ?? ''
  await zotui.until('a link', { check: () => found() !== '' })
  return found()
}

/** Waits for the end of a connection to the server. Returns whether there was one. */
async function connectionEnd({ address }: TestDevice): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>()
  let isMade = false
  const socket = connect(Number(new URL(address).port), '127.0.0.1', () => (isMade = true))
  // One that is refused, or whose server is killed, closes after its error.
  socket.on('error', () => undefined)
  socket.once('close', () => resolve(isMade))
  socket.resume()
  return promise
}

/** A connection ends with its server. A server that is there ends one on which nothing is said, too, and takes the next. */
async function serverEnd(device: TestDevice): Promise<void> {
  while (await connectionEnd(device));
}

async function unreachable(zotui: Screen, device: TestDevice): Promise<void> {
  let isGone = false
  void serverEnd(device).then(() => (isGone = true))
  await zotui.until('the server to be gone', { check: () => isGone })
}

/** A device that has used the link of the open page, and what its person sees. */
async function knocking(zotui: Screen): Promise<{ device: TestDevice; number: string }> {
  const link = await linkOf(zotui)
  const device = new TestDevice(new URL(link).origin)
  return { device, number: await device.useLink(link) }
}

const serving = { ...wide, args: ['thanks'] }

test('a device is let in by its link and a number, is listed, and is forgotten', async () => {
  const zotui = await openQuickDemo(serving)
  await send(zotui, '/serve --port 0')
  await zotui.see('Only this machine reaches it.')
  await zotui.see('█▀▀▀▀▀█')
  const { device, number } = await knocking(zotui)
  await zotui.see('Pixel 8 wants to be paired; it may answer and prompt.')
  for (const row of largeNumber(number, true)) await zotui.see(row.trim())
  await zotui.see('y yes   n no')
  await zotui.press('y')
  await zotui.see(/^› Pixel 8 +may answer and prompt/m)
  await device.hello()
  expect((await device.ask('call', {})).status).not.toBe(401)
  await zotui.press('r')
  await zotui.see(/^› Pixel 8 +may look/m)
  await zotui.press('x')
  await zotui.see('Forget this device?')
  await zotui.press('y')
  await zotui.see('No device is paired yet.')
  expect((await device.ask('call', {})).status).toBe(401)
  await zotui.press('o')
  await zotui.see('Stop the server?')
  await zotui.press('y')
  await zotui.see('No server runs.')
  await unreachable(zotui, device)
  await zotui.press('s')
  await linkOf(zotui)
  await zotui.press('esc')
  await zotui.close()
})

test('a device that knocks while the page is closed is announced in one line, and n refuses it', async () => {
  const zotui = await openQuickDemo(serving)
  await send(zotui, '/serve --port 0')
  const link = await linkOf(zotui)
  await zotui.press('esc')
  await zotui.until('the page closed', { check: () => !zotui.alternate })
  const device = new TestDevice(new URL(link).origin)
  await device.useLink(link, 'Tablet')
  await zotui.see('Tablet wants to be paired. /serve asks you.')
  await send(zotui, '/phone')
  await zotui.see('y yes   n no')
  await zotui.press('n')
  await zotui.gone('wants to be paired')
  await zotui.see('No device is paired yet.')
  await zotui.press('esc')
  await send(zotui, '/serve off')
  await zotui.see('The server has ended')
  await unreachable(zotui, device)
  await zotui.close()
})

test('the server ends with zotui, also if that is killed', async () => {
  const zotui = await openQuickDemo(serving)
  await send(zotui, '/serve --port 0')
  const device = new TestDevice(new URL(await linkOf(zotui)).origin)
  const other = await openQuickDemo({ ...serving, home: zotui.home })
  await send(other, '/serve --port 0')
  await other.see(/serves your conversations already: process \d+\./)
  zotui.kill('SIGKILL')
  await unreachable(other, device)
  await other.close()
})

test('the server has the settings of the person, and /serve with another address starts it again there', async () => {
  const env = { ZOTUI_SERVE_AT: 'https://mine.example', ZOTUI_SERVE_PORT: String(await freePort()) }
  const zotui = await openDemo({ ...wide, env })
  await send(zotui, '/serve')
  await zotui.see('https://mine.example/#pair=')
  await zotui.see(`here http://127.0.0.1:${env.ZOTUI_SERVE_PORT}`)
  await zotui.press('esc')
  await send(zotui, '/serve https://other.example')
  await zotui.see('https://other.example/#pair=')
  await zotui.see(`here http://127.0.0.1:${env.ZOTUI_SERVE_PORT}`)
  await zotui.press('esc')
  await zotui.close()
})

test('a server that zotui has not started passes on answers after a yes to the code that both show', async () => {
  const zotui = await openQuickDemo(serving)
  const server = await open({ args: ['serve', '--port', String(await freePort())], ...wide, home: zotui.home })
  await zotui.see(/\/serve/)
  await send(zotui, '/serve')
  await zotui.see('wants to pass on answers and prompts.')
  await zotui.see(/serves your conversations already: process \d+\./)
  await zotui.see('y yes   n no')
  const number = (): string => /\b(\d{3}) (\d{3})\b/.exec(server.history().join('\n'))?.slice(1).join('') ?? ''
  await server.until('its code', { check: () => number() !== '' })
  for (const row of largeNumber(number(), true)) await zotui.see(row.trim())
  await zotui.press('y')
  await zotui.gone('wants to pass on answers and prompts.')
  await zotui.press('esc')
  await server.type('q')
  await server.exit()
  await zotui.close()
})

test('what /serve cannot use is said in one line, and nothing is started', async () => {
  const zotui = await openDemo(wide)
  await send(zotui, '/serve on')
  await zotui.see('/serve takes the address of a tunnel')
  expect(zotui.alternate).toBe(false)
  await zotui.press('ctrl+c')
  await send(zotui, '/serve off')
  await zotui.see('No server of this zotui runs.')
  await zotui.close()
})

test('with a screen reader the server is told of in words, and a device is let in from a list', async () => {
  const zotui = await openDemo({ columns: 150, rows: 50, args: ['--screen-reader'] })
  await zotui.type('/serve --port 0')
  await zotui.see(/^> .*\/serve --port 0$/m)
  await zotui.press('enter')
  await zotui.see('The server is at http://127.0.0.1:')
  const { number } = await knocking(zotui)
  await zotui.press('esc')
  await zotui.see('Pixel 8 wants to be paired. /serve asks you.')
  await zotui.type('/serve')
  await zotui.see(/^> .*\/serve$/m)
  await zotui.press('enter')
  await zotui.see(`The number is ${number.slice(0, 3)} ${number.slice(3)}.`)
  await zotui.close()
})
