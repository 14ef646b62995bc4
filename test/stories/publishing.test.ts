/** A UI that can be seen by a server for browsers: its record and its socket, from the first frame to the end. */
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { describe, expect, onTestFinished, test } from 'vitest'
import { liveRecords } from '../../src/background/record.ts'
import { connectToPublisher, type PublishedLine } from '../../src/published/socket/connection.ts'
import { ended, prompt, started, stops, timed } from '../conversation/events.ts'
import type { Home } from '../helpers/home.ts'
import { open } from '../helpers/screen.ts'
import { storeSession } from '../replay/sessions.ts'
import { lastingHome, openDemo, openQuickDemo, send } from './stage.ts'

const stateOf = ({ path }: Home): string => join(path, '.local', 'state', 'zotui')
const recordsIn = (home: Home) => liveRecords(stateOf(home), 'open')
const left = (home: Home): string[] => {
  const place = join(stateOf(home), 'open')
  return existsSync(place) ? readdirSync(place) : []
}

const mode = (path: string): number => statSync(path).mode & 0o777

/** The socket of the only UI in a home, when it is there. */
async function socketIn(home: Home): Promise<string> {
  await expect.poll(() => recordsIn(home).length, { timeout: 10_000 }).toBe(1)
  return recordsIn(home)[0]?.socket ?? ''
}

async function serverAt(path: string) {
  const lines: PublishedLine[] = []
  const reply = await connectToPublisher({ path, purpose: 'serve', secret: '', onLine: line => lines.push(line) })
  if (!reply.ok) throw new Error(reply.message)
  onTestFinished(reply.connection.end)
  return { connection: reply.connection, lines }
}

describe.skipIf(process.platform === 'win32')('a UI', () => {
  test('has a private record and socket until it ends', async () => {
    const home = lastingHome()
    const zotui = await openDemo({ home })
    const socket = await socketIn(home)
    const folder = join(stateOf(home), 'open', left(home)[0] ?? '')
    expect([mode(join(stateOf(home), 'open')), mode(folder), mode(socket)]).toEqual([0o700, 0o700, 0o600])
    expect(mode(join(folder, 'record.json'))).toBe(0o600)
    await zotui.press('ctrl+d')
    await zotui.close()
    expect([left(home), existsSync(socket)]).toEqual([[], false])
  })

  test('shows a server what happens, says that it watches, and asks whether it may pass on answers', async () => {
    const home = lastingHome()
    const zotui = await openQuickDemo({ home })
    const { connection, lines } = await serverAt(await socketIn(home))
    connection.send({ type: 'watch', conversation: '1' })
    connection.send({ type: 'watchers', conversation: '1', names: ['Pixel 8'] })
    await zotui.see('Pixel 8 watches')
    await zotui.see('A server on this machine wants to pass on answers to this zotui: /serve')
    await send(zotui, 'hello there')
    const types = () => lines.flatMap(line => (line.type === 'event' ? [line.event.type] : []))
    await expect.poll(types, { timeout: 10_000 }).toContain('turn_ended')
    expect(types()).toContain('prompt_sent')
    expect(lines[0]).toEqual({ type: 'trust', trust: 'show', isAsked: true })
    const rows = lines.flatMap(line => (line.type === 'rows' ? line.rows : []))
    expect(rows.at(-1)).toMatchObject({ title: 'hello there', kind: 'ui', folder: home.project })
    const call = { do: 'prompt', id: 'a', text: 'evil' } as const
    const device = { id: 'd', name: 'Pixel 8', role: 'steer' } as const
    const reply = await connection.call({ conversation: '1', device, call, confirmed: true })
    expect(reply).toMatchObject({ ok: false, why: 'forbidden' })
    connection.end()
    await zotui.gone('Pixel 8 watches')
  })

  test('that is killed leaves a record, which the next one removes', async () => {
    const home = lastingHome()
    const zotui = await openDemo({ home })
    await socketIn(home)
    const [name] = left(home)
    zotui.kill('SIGKILL')
    await zotui.close()
    expect(left(home)).toEqual([name])
    await openDemo({ home })
    await expect.poll(() => left(home), { timeout: 10_000 }).not.toContain(name)
  })

  test('whose state folder cannot be written goes on without, and the log says so', async () => {
    const home = lastingHome()
    mkdirSync(stateOf(home), { recursive: true, mode: 0o700 })
    writeFileSync(join(stateOf(home), 'open'), 'not a folder')
    const zotui = await openDemo({ home })
    await send(zotui, 'hello')
    await zotui.see(/hello/)
    const log = () => readFileSync(join(stateOf(home), 'zotui.log'), 'utf8')
    await expect.poll(log, { timeout: 10_000 }).toContain('The conversations are not shown to servers')
  })

  test('that plays a session has none', async () => {
    const home = lastingHome()
    const { id } = storeSession(home, timed([started, prompt('one'), stops('end'), ended], 0))
    const zotui = await open({ home, args: ['replay', id, '--at-once'] })
    await zotui.see('End of the replay')
    await zotui.press('q')
    await zotui.close()
    expect(left(home)).toEqual([])
  })

  test('whose folder has a long name has its socket elsewhere, and removes that, too', async () => {
    const home = lastingHome()
    const long = join(home.path, 'long'.repeat(30))
    const zotui = await openDemo({ home, env: { XDG_STATE_HOME: long } })
    const records = () => liveRecords(join(long, 'zotui'), 'open')
    await expect.poll(() => records().length, { timeout: 10_000 }).toBe(1)
    const socket = records()[0]?.socket ?? ''
    expect(socket.length).toBeLessThan(100)
    await serverAt(socket)
    await zotui.press('ctrl+d')
    await zotui.close()
    expect(existsSync(socket)).toBe(false)
  })
})
