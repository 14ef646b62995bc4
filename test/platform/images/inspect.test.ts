import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { inspectImage } from '../../../src/platform/images/inspect.ts'
import { samples } from './samples.ts'

const kinds: [keyof typeof samples, string][] = [
  ['png', 'image/png'],
  ['gif', 'image/gif'],
  ['webpLossy', 'image/webp'],
  ['webpLossless', 'image/webp'],
  ['webpExtended', 'image/webp'],
  ['jpegBaseline', 'image/jpeg'],
  ['jpegProgressive', 'image/jpeg'],
]

const jpeg = (...segments: number[]) => Buffer.from([0xff, 0xd8, ...segments])
const frame = [0xff, 0xc0, 0, 11, 8, 0, 200, 1, 44, 1, 1, 17, 0]

describe('an image is known by its content', () => {
  test.each(kinds)('%s', (name, mimeType) => {
    expect(inspectImage(samples[name])).toEqual({ mimeType, width: 300, height: 200 })
  })

  test('even within a larger buffer', () => {
    const inside = Buffer.concat([Buffer.alloc(7), samples.png]).subarray(7)
    expect(inspectImage(new Uint8Array(inside))).toMatchObject({ width: 300, height: 200 })
  })

  test('even if it is a JPEG with padding, restart markers and other segments', () => {
    const bytes = jpeg(0xff, 0xe0, 0, 4, 1, 2, 0xff, 0xff, 0xff, 0xd0, 0xff, 0x01, 0xff, 0xc4, 0, 2, ...frame)
    expect(inspectImage(bytes)).toEqual({ mimeType: 'image/jpeg', width: 300, height: 200 })
  })
})

/** The sample with another size in its header. */
function forged(name: keyof typeof samples, write: (bytes: Buffer) => void): Buffer {
  const bytes = Buffer.from(samples[name])
  write(bytes)
  return bytes
}

describe('an impossible image size is rejected', () => {
  test.each<[string, Buffer]>([
    ['a PNG of 16 million pixels in a few bytes', forged('png', bytes => bytes.writeUInt32BE(65_535, 16))],
    ['a PNG of a width that no number should have', forged('png', bytes => bytes.writeUInt32BE(0xffff_ffff, 16))],
    ['a GIF of four thousand million pixels', forged('gif', bytes => bytes.writeUInt32LE(0xffff_ffff, 6))],
    ['a WebP that says to be larger than one can be', forged('webpExtended', bytes => bytes.fill(0xff, 24, 30))],
    ['a JPEG of four thousand million pixels', jpeg(0xff, 0xc0, 0, 11, 8, 0xff, 0xff, 0xff, 0xff, 1, 17, 0)],
    ['a JPEG of a million pixels in a few bytes', jpeg(0xff, 0xc0, 0, 11, 8, 4, 0, 4, 0, 1, 17, 0)],
  ])('%s', (_, bytes) => {
    expect(inspectImage(bytes)).toBeNull()
  })

  test('but not a possible one, however well it is compressed', () => {
    const bytes = Buffer.concat([samples.png, Buffer.alloc(128 * 1024)])
    bytes.writeUInt32BE(16_384, 16)
    bytes.writeUInt32BE(16_384, 20)
    expect(inspectImage(bytes)).toEqual({ mimeType: 'image/png', width: 16_384, height: 16_384 })
  })
})

describe('data is not an image', () => {
  test.each<[string, Buffer]>([
    ['nothing', Buffer.alloc(0)],
    ['text', Buffer.from('<svg width="1" height="1"/>')],
    ['a BMP', Buffer.concat([Buffer.from('BM'), Buffer.alloc(50, 1)])],
    ['a PNG of no width', Buffer.concat([samples.png.subarray(0, 16), Buffer.alloc(8)])],
    ['a PNG that Apple has changed', Buffer.concat([samples.png.subarray(0, 12), Buffer.from('CgBI12345678')])],
    ['a RIFF that is sound', Buffer.from('RIFF\0\0\0\0WAVEfmt \0\0\0\0\0\0\0\0\0\0\0\0\0\0')],
    ['a JPEG that comes to its pixels without a frame', jpeg(0xff, 0xda, 0, 2, ...frame)],
    ['a JPEG that ends without a frame', jpeg(0xff, 0xd9, 0, 0, ...frame)],
    ['a JPEG whose segment goes beyond the end', jpeg(0xff, 0xe0, 0xff, 0xff, ...frame)],
    ['a JPEG with rubbish between segments', jpeg(0xff, 0xe0, 0, 2, 7, ...frame)],
  ])('%s', (_, bytes) => {
    expect(inspectImage(bytes)).toBeNull()
  })

  test.each(kinds)('if it is %s cut anywhere', name => {
    const whole = samples[name]
    for (let length = 0; length < whole.length; length += 1) {
      const facts = inspectImage(whole.subarray(0, length))
      // The header is enough; half of it is nothing.
      expect([null, 300]).toContain(facts?.width ?? null)
    }
  })

  test('if it has a segment without a length', () => {
    const bytes = Buffer.concat([jpeg(), Buffer.alloc(400_000, Buffer.from([0xff, 0xe0, 0, 0]))])
    expect(inspectImage(bytes)).toBeNull()
  })
})

test('no bytes make the inspection throw or give an invalid result', () => {
  const start = fc.constantFrom(Buffer.alloc(0), ...Object.values(samples).map(each => each.subarray(0, 40)))
  fc.assert(
    fc.property(start, fc.nat(40), fc.uint8Array({ maxLength: 200 }), (known, keep, noise) => {
      const facts = inspectImage(Buffer.concat([known.subarray(0, keep), noise]))
      expect(facts === null || (Number.isInteger(facts.width) && facts.width > 0 && facts.height > 0)).toBe(true)
    }),
    { numRuns: 3000 },
  )
})
