import { describe, expect, test } from 'vitest'
import { encryptPush, isPublicKey } from '../../../src/serve/notify/encrypt-push.ts'
import { browserAt, decryptPush } from './push-service.ts'

const bytes = (text: string) => Buffer.from(text, 'base64url')

/** The example of RFC 8291, section 5 and appendix A. */
const example = {
  message: 'When I grow up, I want to be a watermelon',
  sender: bytes('yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw'),
  receiver: bytes('q1dXpw3UpT5VOmu_cf_v6ih07Aems3njxI-JWgLcM94'),
  receiverPublic: bytes('BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4'),
  salt: bytes('DGv6ra1nlYgDCS1FRnbzlw'),
  auth: bytes('BTBZMqHH6r4Tts7J_aSIgg'),
  body: 'DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN',
}

describe('a push', () => {
  test('is that of the example in RFC 8291, byte for byte', () => {
    const target = { publicKey: example.receiverPublic, auth: example.auth }
    const message = Buffer.from(example.message)
    const sealed = encryptPush(message, target, { privateKey: example.sender, salt: example.salt }, message.length + 1)
    expect(sealed.toString('base64url')).toBe(example.body)
  })

  test('is read by the browser that it is for, and by no other', () => {
    const [browser, other] = [browserAt('https://x'), browserAt('https://x')]
    const sealed = encryptPush(Buffer.from('Frage: ü 🙂'), browser.target)
    expect(browser.read(sealed)).toBe('Frage: ü 🙂')
    expect(() => other.read(sealed)).toThrow(/authenticate/)
    sealed[sealed.length - 20] = (sealed[sealed.length - 20] ?? 0) ^ 1
    expect(() => browser.read(sealed)).toThrow(/authenticate/)
  })

  test('has the same length for every message, other bytes each time, and fits what services take', () => {
    const { target } = browserAt('https://x')
    const all = ['', 'x', 'y'.repeat(3000)].map(text => encryptPush(Buffer.from(text), target))
    expect(new Set(all.map(({ length }) => length)).size).toBe(1)
    expect(all[0]?.length).toBeLessThanOrEqual(4096)
    expect(encryptPush(Buffer.from('x'), target).equals(encryptPush(Buffer.from('x'), target))).toBe(false)
    expect(() => encryptPush(Buffer.from('y'.repeat(3072)), target)).toThrow(RangeError)
  })

  test('the key of the example reads the example', () => {
    expect(decryptPush(bytes(example.body), example.receiver, example.auth)).toBe(example.message)
  })
})

test.each([
  ['nothing', Buffer.alloc(0)],
  ['a point that is not on the curve', Buffer.concat([Buffer.of(4), Buffer.alloc(64, 1)])],
  ['a compressed point', Buffer.concat([Buffer.of(2), example.receiverPublic.subarray(1, 33)])],
  ['one byte more', Buffer.concat([example.receiverPublic, Buffer.of(0)])],
])('%s is no public key', (_name, key) => {
  expect(isPublicKey(key)).toBe(false)
  expect(isPublicKey(example.receiverPublic)).toBe(true)
})
