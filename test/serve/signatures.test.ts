/** A request counts only as it was signed, by who signed it, and once. */
import { createHash, createHmac } from 'node:crypto'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { Admission } from '../../src/serve/admission.ts'
import { Asks } from '../../src/serve/asks.ts'
import { Devices } from '../../src/serve/devices.ts'
import { MOST_NONCES, Nonces, UsedCounters, WINDOW } from '../../src/serve/nonces.ts'
import { signedText } from '../../src/serve/page-lines.ts'
import { Pairing } from '../../src/serve/pairing.ts'
import { Shares } from '../../src/serve/shares.ts'
import { readDeviceKey, readSignature } from '../../src/serve/signatures.ts'
import { signerOf, type SignerParts } from '../../src/serve/signers.ts'
import { inheritedNames } from '../helpers/inherited-names.ts'
import { TestDevice } from './client.ts'

const now = () => 1_800_000_000_000

function known(): { parts: SignerParts; device: TestDevice } {
  const stateFolder = mkdtempSync(join(tmpdir(), 'zotui-serve-'))
  const devices = new Devices({ stateFolder, now, log: () => undefined })
  const asks = new Asks({ now, onChange: () => undefined })
  const admission = new Admission({ devices, asks, pairing: new Pairing(now) })
  const parts = { nonces: new Nonces(), devices, admission, shares: new Shares(now) }
  const device = new TestDevice('http://127.0.0.1:1')
  const { x, y } = device.key
  devices.add({ name: 'Pixel 8', role: 'steer', key: { x, y }, from: '' }, new UsedCounters())
  device.nonce = parts.nonces.next()
  return { parts, device }
}

const { parts, device } = known()
const path = '/api/call'

/** What the server says to a signed request, or that it knows the device. */
function said(header: string, body = '{}', at = path): string {
  const signer = signerOf({ path: at, body: Buffer.from(body), header }, parts)
  return typeof signer === 'string' ? signer : signer.kind
}

let counter = 0
const next = (): number => (counter += 1)

describe('a signature', () => {
  test('is right once', () => {
    const header = device.signature(path, '{}', next())
    expect([said(header), said(header)]).toEqual(['device', 'counter'])
  })

  test('covers path, body, nonce and counter', () => {
    const at = next()
    const header = device.signature(path, '{}', at)
    const other = parts.nonces.next()
    const altered = [
      said(header, '{ }'),
      said(header, '{}', '/api/stream'),
      said(header.replace(`counter=${at}`, `counter=${at + 1}`)),
      said(header.replace(device.nonce, other)),
    ]
    expect(altered).toEqual(['signature', 'signature', 'signature', 'signature'])
    expect(said(header)).toBe('device')
  })

  test('of another key is wrong, and uses up nothing', () => {
    const stranger = new TestDevice('http://127.0.0.1:1')
    stranger.nonce = device.nonce
    const at = next()
    const header = stranger.signature(path, '{}', at)
    expect(said(header)).toBe('unknown')
    expect(said(header.replace(stranger.id, device.id))).toBe('signature')
    expect(said(device.signature(path, '{}', at))).toBe('device')
  })

  test('with a nonce of another server is too old', () => {
    const header = device.signature(path, '{}', next(), new Nonces().next())
    expect(said(header)).toBe('nonce')
  })

  test('of which any character is another one is refused', () => {
    const header = device.signature(path, '{}', next())
    fc.assert(
      fc.property(
        fc.nat(header.length - 1),
        fc.string({ unit: 'binary-ascii', minLength: 1, maxLength: 1 }),
        (index, char) => {
          fc.pre(header[index] !== char)
          expect(said(header.slice(0, index) + char + header.slice(index + 1))).not.toBe('device')
        },
      ),
      { numRuns: 500 },
    )
    expect(said(header)).toBe('device')
  })

  test('of any other form is no signature', () => {
    const header = device.signature(path, '{}', 1)
    const odd = [
      '',
      header.replace(', ', ','),
      ` ${header}`,
      `${header}, ${header}`,
      header.replace('counter=1', 'counter=0'),
      header.replace('counter=1', 'counter=01'),
      header.replace('counter=1', 'counter=1e3'),
      header.replace('counter=1', `counter=${'9'.repeat(30)}`),
      header.replace('device=', 'share='),
      header.slice(0, -1),
      `${header}A`,
      `${header}==`,
    ]
    expect(odd.map(each => readSignature(each))).toEqual(odd.map(() => null))
  })

  test.each(inheritedNames)('of a device with the ID %s is of nobody', name => {
    expect(said(device.signature(path, '{}', next()).replace(device.id, name))).toMatch(/unknown|signature/)
  })
})

describe('a share', () => {
  test('is signed with its token, and is no device', () => {
    const share = parts.shares.begin('session', now() + 1000)
    const text = signedText(path, createHash('sha256').update('{}').digest('hex'), device.nonce, 1)
    const header = (token: string, id: string) =>
      `share=${id}, nonce=${device.nonce}, counter=1, signature=${createHmac('sha256', token).update(text).digest('base64url')}`
    expect(said(header('another', share?.id ?? ''))).toBe('signature')
    expect(said(header(share?.token ?? '', device.id))).toBe('unknown')
    expect(said(header(share?.token ?? '', share?.id ?? ''))).toBe('share')
    expect(said(header(share?.token ?? '', share?.id ?? ''))).toBe('counter')
  })
})

describe('the key of a device', () => {
  const { x, y } = device.key
  test.each([
    ['a point that is not on the curve', { x, y: x }],
    ['zero', { x: 'A'.repeat(43), y: 'A'.repeat(43) }],
    ['too short', { x: x.slice(1), y }],
    ['not base64url', { x: `${x.slice(1)}+`, y }],
    ['empty', { x: '', y: '' }],
  ])('is none: %s', (_name, key) => {
    expect(readDeviceKey(key)).toBeNull()
  })
})

describe('counters', () => {
  test('each counts once, whatever their order and their tabs', () => {
    const uses = fc.array(fc.tuple(fc.integer({ min: 1, max: 24 }), fc.integer({ min: 1, max: 600 })), {
      maxLength: 400,
    })
    fc.assert(
      fc.property(uses, all => {
        const used = new UsedCounters()
        const seen = new Set<string>()
        for (const [nonce, count] of all) {
          if (used.check(nonce, count) !== 'new') continue
          expect(seen.has(`${nonce} ${count}`)).toBe(false)
          seen.add(`${nonce} ${count}`)
          used.use(nonce, count)
        }
      }),
    )
  })

  test('a tab whose requests overtake each other by less than the window loses none', () => {
    const orders = fc.integer({ min: 1, max: WINDOW - 1 }).chain(most =>
      fc.shuffledSubarray(
        Array.from({ length: most }, (_, index) => index + 1),
        { minLength: most },
      ),
    )
    fc.assert(
      fc.property(orders, order => {
        const used = new UsedCounters()
        for (const count of order) {
          expect(used.check(1, count)).toBe('new')
          used.use(1, count)
        }
      }),
    )
  })

  test('with more tabs than are kept the oldest needs a new nonce, and its counters do not begin again', () => {
    const used = new UsedCounters()
    for (let nonce = 1; nonce <= MOST_NONCES + 1; nonce += 1) used.use(nonce, 5)
    expect([used.check(1, 5), used.check(1, 6), used.check(2, 5), used.check(2, 6)]).toEqual([
      'nonce',
      'nonce',
      'counter',
      'new',
    ])
  })
})

describe('nonces', () => {
  test('that were not made here are none', () => {
    const nonces = new Nonces()
    const made = nonces.next()
    expect(nonces.numberOf(made)).toBe(1)
    fc.assert(
      fc.property(fc.string(), text => {
        expect(nonces.numberOf(text)).toBeNull()
      }),
    )
    const [, mac = ''] = made.split('.')
    expect([`2.${mac}`, `01.${mac}`, `1.${mac}x`, mac].map(each => nonces.numberOf(each))).toEqual([
      null,
      null,
      null,
      null,
    ])
  })
})
