import { createHash } from 'node:crypto'
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { attachmentsProblem, imageLabel } from '../../../src/platform/images/attachment.ts'
import { imageOf, IMAGE_LIMIT, readImage, readPicture } from '../../../src/platform/images/read-image.ts'
import { makePng, samples } from './samples.ts'

const folder = mkdtempSync(join(tmpdir(), 'zotui-images-'))
afterAll(() => rmSync(folder, { recursive: true }))

function file(name: string, content: string | Buffer): string {
  const path = join(folder, name)
  writeFileSync(path, content)
  return path
}

describe('an image file', () => {
  test('has the kind of its content, whatever its name', async () => {
    const bytes = samples.webpLossy
    expect(await readImage(file('photo.png', bytes))).toEqual({
      ok: true,
      image: {
        mimeType: 'image/webp',
        data: bytes.toString('base64'),
        width: 300,
        height: 200,
        bytes: bytes.length,
        sha256: createHash('sha256').update(bytes).digest('hex'),
      },
    })
  })

  test('is refused with a reason', async () => {
    expect(await readImage(join(folder, 'absent.png'))).toEqual({ ok: false, reason: 'is not there' })
    expect(await readImage(folder)).toEqual({ ok: false, reason: 'is a folder' })
    expect(await readImage(file('text.png', 'no image'))).toEqual({
      ok: false,
      reason: 'is not a PNG, JPEG, GIF or WebP image',
    })
    const big = makePng(10, 10, IMAGE_LIMIT)
    expect(await readImage(file('big.png', big))).toEqual({ ok: false, reason: 'is larger than 11 MB' })
    expect(imageOf(big)).toEqual({ ok: false, reason: 'is larger than 11 MB' })
  })

  test.skipIf(process.platform === 'win32')('that is a pipe does not block', async () => {
    execFileSync('mkfifo', [join(folder, 'pipe.png')])
    expect(await readImage(join(folder, 'pipe.png'))).toEqual({ ok: false, reason: 'is a pipe, not a file' })
  })
})

describe('the images of a prompt', () => {
  test('have labels', () => {
    expect(imageLabel(1, { width: 640, height: 480, bytes: 34_100 })).toBe('[Image #1 640x480 34.1 KB]')
    expect(imageLabel(12, { width: 1, height: 1, bytes: 840 })).toBe('[Image #12 1x1 840 B]')
    expect(imageLabel(2, { width: 4000, height: 3000, bytes: 2_500_000 })).toBe('[Image #2 4000x3000 2.5 MB]')
  })

  test('may have 11 MB in total, and not a byte more', () => {
    expect(attachmentsProblem([])).toBeNull()
    expect(attachmentsProblem([{ bytes: 6_000_000 }, { bytes: 5_000_000 }])).toBeNull()
    expect(attachmentsProblem([{ bytes: 6_000_000 }, { bytes: 6_500_000 }])).toBe(
      'The 2 images have 12.5 MB; one prompt can carry 11 MB. Remove some, or make them smaller.',
    )
    expect(attachmentsProblem([{ bytes: 12_000_000 }])).toBe(
      'The image has 12 MB; one prompt can carry 11 MB. Remove some, or make them smaller.',
    )
  })

  test('at the limit still fit a line of the agent, with room for the text', () => {
    expect(Math.ceil(IMAGE_LIMIT / 3) * 4).toBeLessThan(16 * 1024 * 1024 - 1_000_000)
  })
})

/** Large enough to hold so many pixels. */
function sized(width: number, height: number): Buffer {
  const bytes = Buffer.concat([samples.png, Buffer.alloc(16_000)])
  bytes.writeUInt32BE(width, 16)
  bytes.writeUInt32BE(height, 20)
  return bytes
}

test('an image is drawn up to 50 million pixels, because the terminal unpacks them all', () => {
  expect(readPicture(file('large.png', sized(10_000, 5000)))?.mimeType).toBe('image/png')
  expect(readPicture(file('larger.png', sized(10_000, 5001)))).toBeNull()
})
