/** A link lets one device ask, once and for two minutes, and nobody in between can make both sides show the same number. */
import { createHash, createHmac } from 'node:crypto'
import { mkdtempSync, mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { ASK_LASTS, Asks, MOST_NOES } from '../../src/serve/asks.ts'
import { Devices, MOST_DEVICES } from '../../src/serve/devices.ts'
import { UsedCounters } from '../../src/serve/nonces.ts'
import { numberOf, numberText, pairingText } from '../../src/serve/page-lines.ts'
import { LINK_LASTS, Pairing } from '../../src/serve/pairing.ts'
import { pairedDevice, TestDevice } from './client.ts'
import { serverStage } from './stage.ts'

const { key } = new TestDevice('http://127.0.0.1:1')

function stage() {
  const clock = { now: 1_800_000_000_000 }
  const pairing = new Pairing(() => clock.now)
  pairing.begin('answer')
  const token = (): string => pairing.link()?.token ?? ''
  const proofOf = (attempt: string, name = 'Pixel 8', by = token()): string =>
    createHmac('sha256', by)
      .update(pairingText(attempt, key, name))
      .digest('base64url')
  const attempt = (): string => pairing.attempt()?.attempt ?? ''
  return { clock, pairing, token, proofOf, attempt }
}

describe('a link', () => {
  test('works once', () => {
    const { pairing, proofOf, attempt, token } = stage()
    const [first, second] = [attempt(), attempt()]
    const [by, proof, again] = [token(), proofOf(first), proofOf(second)]
    expect(pairing.prove(first, key, 'Pixel 8', proof)).toMatchObject({ role: 'answer' })
    expect(pairing.prove(second, key, 'Pixel 8', again)).toBeNull()
    expect(pairing.prove(first, key, 'Pixel 8', proof)).toBeNull()
    expect([pairing.link(), pairing.attempt(), by.length]).toEqual([null, null, 43])
  })

  test('is void after its time, and when there is a newer one', () => {
    const { pairing, proofOf, attempt, clock, token } = stage()
    const [old, by] = [attempt(), token()]
    pairing.begin('steer')
    expect(token()).not.toBe(by)
    expect(pairing.prove(old, key, 'Pixel 8', proofOf(old, 'Pixel 8', by))).toBeNull()
    expect(pairing.prove(attempt(), key, 'Pixel 8', proofOf(attempt(), 'Pixel 8', by))).toBeNull()
    const late = attempt()
    const proof = proofOf(late)
    clock.now += LINK_LASTS
    expect(pairing.prove(late, key, 'Pixel 8', proof)).toBeNull()
  })

  test.each<[string, (made: { attempt: string; proof: string }) => [string, typeof key, string, string]]>([
    ['another name', ({ attempt, proof }) => [attempt, key, 'Pixel 9', proof]],
    ['another key', ({ attempt, proof }) => [attempt, new TestDevice('http://127.0.0.1:1').key, 'Pixel 8', proof]],
    ['a changed attempt', ({ attempt, proof }) => [`0${attempt.slice(1)}0`, key, 'Pixel 8', proof]],
    ['no proof', ({ attempt }) => [attempt, key, 'Pixel 8', '']],
    ['no attempt', ({ proof }) => ['', key, 'Pixel 8', proof]],
  ])('is not used up by %s', (_name, altered) => {
    const { pairing, proofOf, attempt } = stage()
    const made = attempt()
    const proof = proofOf(made)
    expect(pairing.prove(...altered({ attempt: made, proof }))).toBeNull()
    expect(pairing.prove(made, key, 'Pixel 8', proof)).not.toBeNull()
  })
})

describe('the number', () => {
  test('is made of what the server committed to before it knew the key', () => {
    const { pairing, proofOf, token } = stage()
    const { attempt = '', commitment } = pairing.attempt() ?? {}
    const [by, proof] = [token(), proofOf(attempt)]
    const { nonce = '', number } = pairing.prove(attempt, key, 'Pixel 8', proof) ?? {}
    expect(createHash('sha256').update(nonce).digest('hex')).toBe(commitment)
    expect(number).toBe(
      numberOf(
        createHash('sha256')
          .update(numberText(key, nonce, by))
          .digest(),
      ),
    )
  })

  test('cannot be prepared: what was seen of one link says nothing about the next', () => {
    const { pairing, proofOf, attempt } = stage()
    const seen = attempt()
    expect(pairing.prove(seen, key, 'Pixel 8', proofOf(seen))).not.toBeNull()
    pairing.begin('answer')
    expect(pairing.prove(seen, key, 'Pixel 8', proofOf(seen))).toBeNull()
  })

  test('differs if somebody in between puts his own key in the place of the device', async () => {
    const { server, address } = await serverStage()
    const [phone, thief] = [new TestDevice(address), new TestDevice(address)]
    server.act({ do: 'pair', role: 'answer' })
    const link = server.view().pairing?.link ?? ''
    const token = new URL(link).hash.slice('#pair='.length)
    const atThief = await thief.useLink(link)
    const ofPhone = numberOf(
      createHash('sha256')
        .update(numberText(phone.key, 'any nonce', token))
        .digest(),
    )
    const [asked] = server.view().waiting
    expect(asked).toMatchObject({ number: atThief })
    expect(ofPhone).not.toBe(atThief)
    await expect(phone.useLink(link)).rejects.toThrow('link')
  })

  test('has six digits for every hash', () => {
    const edges = [[0, 0, 0, 0], [255, 255, 255, 255], [0, 0, 0, 7], []]
    expect(edges.map(bytes => numberOf(Uint8Array.from(bytes)))).toEqual(['000000', '967295', '000007', '000000'])
  })
})

describe('questions of the terminal', () => {
  const asking = () => {
    const clock = { now: 0 }
    const asks = new Asks({ now: () => clock.now, onChange: () => undefined })
    const answers: boolean[] = []
    const ask = (about = 'a') =>
      asks.ask(about, { kind: 'steer', name: 'a', title: 'b', mode: 'edits' }, ASK_LASTS, yes => answers.push(yes))
    return { clock, asks, ask, answers }
  }

  test('are answered once', () => {
    const { asks, ask, answers } = asking()
    const id = ask()?.id ?? ''
    for (const yes of [true, true, false]) asks.answer(id, yes)
    expect(answers).toEqual([true])
  })

  test('are not decided by time: a late yes is none', () => {
    const { asks, ask, answers, clock } = asking()
    const id = ask()?.id ?? ''
    clock.now = ASK_LASTS
    asks.answer(id, true)
    expect([answers, asks.list()]).toEqual([[], []])
  })

  test('are not asked again after three noes', () => {
    const { asks, ask, answers } = asking()
    for (let count = 0; count < MOST_NOES + 2; count += 1) asks.answer(ask()?.id ?? '', false)
    expect(answers).toEqual([false, false, false])
    expect([ask(), asks.isRefused('a'), ask('b')]).toMatchObject([null, true, { kind: 'steer' }])
  })

  test('of many are few', () => {
    const { asks, ask } = asking()
    for (let count = 0; count < 100; count += 1) ask(String(count))
    expect(asks.list()).toHaveLength(8)
  })
})

describe('the file of the devices', () => {
  const fileOf = (stateFolder: string) => join(stateFolder, 'serve', 'devices.json')

  test('lets nobody in after a restart before a yes, and keeps name and role', async () => {
    const first = await serverStage()
    const device = await pairedDevice(first.server, 'answer')
    await first.server.close()
    const { server } = await serverStage({ stateFolder: first.stateFolder })
    const again = Object.assign(device, { address: server.view().address })
    expect(server.view().devices).toMatchObject([{ name: 'Pixel 8', role: 'answer', isAdmitted: false }])
    await again.hello()
    expect((await again.ask('call', { conversation: 'known', call: { do: 'stop', id: '1' } })).json).toEqual({
      error: 'admit',
    })
    const { state, number } = await again.request('pair/status', {})
    const [asked] = server.view().waiting
    expect([state, asked]).toMatchObject(['waiting', { kind: 'admit', name: 'Pixel 8', number }])
    expect(await again.request('pair/status', {})).toEqual({ state: 'waiting', number })
    server.act({ do: 'answer', id: asked?.id ?? '', yes: true })
    expect(await again.request('pair/status', {})).toMatchObject({ state: 'paired' })
    expect((await again.ask('call', { conversation: 'known', call: { do: 'stop', id: '1' } })).status).toBe(200)
  })

  test('is private, and has no secret', async () => {
    const { server, stateFolder } = await serverStage()
    await pairedDevice(server)
    expect(statSync(fileOf(stateFolder)).mode & 0o777).toBe(0o600)
    expect(statSync(join(stateFolder, 'serve')).mode & 0o777).toBe(0o700)
    const kept = JSON.parse(readFileSync(fileOf(stateFolder), 'utf8'))
    expect(Object.keys(kept.devices[0]).toSorted()).toEqual(
      ['from', 'id', 'key', 'name', 'pairedAt', 'role', 'seenAt'].toSorted(),
    )
  })

  const read = (content: string, prepare: (path: string) => void = path => writeFileSync(path, content)) => {
    const stateFolder = mkdtempSync(join(tmpdir(), 'zotui-serve-'))
    mkdirSync(join(stateFolder, 'serve'))
    prepare(fileOf(stateFolder))
    return new Devices({ stateFolder, now: () => 0, log: () => undefined }).list().map(({ name }) => name)
  }
  const entry = (change: object = {}) => {
    const { id, key: own } = new TestDevice('http://127.0.0.1:1')
    const kept = { id, name: 'a', role: 'view', key: { x: own.x, y: own.y }, pairedAt: 1, seenAt: null, from: '' }
    return { ...kept, ...change }
  }
  const file = (...devices: object[]) => JSON.stringify({ version: 1, devices })

  test.each([
    ['nothing', ''],
    ['no JSON', '{'],
    ['another version', JSON.stringify({ version: 2, devices: [entry()] })],
    ['a key of another device', file(entry({ id: 'A'.repeat(22) }))],
    ['a key that is none', file(entry({ key: { x: 'A'.repeat(43), y: 'A'.repeat(43) } }))],
    ['a role that is none', file(entry({ role: 'owner' }))],
    ['a name that is too long', file(entry({ name: 'a'.repeat(61) }))],
    ['nested too deep', '['.repeat(100_000)],
  ])('with %s has no device', (_name, content) => {
    expect(read(content)).toEqual([])
  })

  test('loses only the entry that is damaged, and has at most so many', () => {
    expect(read(file(entry({ name: 'one' }), {}, entry({ name: 'two' })))).toEqual(['one', 'two'])
    expect(read(file(...Array.from({ length: 40 }, () => entry())))).toHaveLength(MOST_DEVICES)
  })

  test('that is no file is none', () => {
    expect(read('', path => mkdirSync(path))).toEqual([])
    expect(read('', path => symlinkSync('/dev/zero', path))).toEqual([])
  })

  test('a full list takes no other device', () => {
    const stateFolder = mkdtempSync(join(tmpdir(), 'zotui-serve-'))
    const devices = new Devices({ stateFolder, now: () => 0, log: () => undefined })
    const add = () => {
      const { x, y } = new TestDevice('http://127.0.0.1:1').key
      return devices.add({ name: 'a', role: 'view', key: { x, y }, from: '' }, new UsedCounters())
    }
    expect(Array.from({ length: MOST_DEVICES + 1 }, add).filter(Boolean)).toHaveLength(MOST_DEVICES)
  })
})
