/** A link lets one device ask, once and for two minutes, and nobody in between can make both sides show the same number. */
import { createHash, createHmac } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { ASK_LASTS, Asks, MOST_NOES } from '../../src/serve/asks.ts'
import { numberOf, numberText, pairingText } from '../../src/serve/page-lines.ts'
import { LINK_LASTS, Pairing } from '../../src/serve/pairing.ts'
import { TestDevice } from './client.ts'
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

function asking() {
  const clock = { now: 0 }
  const asks = new Asks({ now: () => clock.now, onChange: () => undefined })
  const answers: boolean[] = []
  const ask = (about = 'a') =>
    asks.ask(about, { kind: 'steer', name: 'a', title: 'b', mode: 'edits' }, ASK_LASTS, yes => answers.push(yes))
  return { clock, asks, ask, answers }
}

describe('questions of the terminal', () => {
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
