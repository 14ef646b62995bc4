/** Recognises images by their content, since names are unreliable. Only headers are read, and impossible sizes are rejected. */

export type ImageFacts = {
  mimeType: 'image/png' | 'image/jpeg' | 'image/gif' | 'image/webp'
  /** In pixels, as stored: an EXIF rotation is not applied. */
  width: number
  height: number
}

/** More pixels than any camera has. A file that claims more is meant to make a program allocate too much memory. */
const MOST_PIXELS = 2 ** 28
/**
 * The highest number of pixels per byte: of a PNG a bit each, packed as well as its packing can; of a JPEG no more than its
 * coding could. In the other kinds a few bytes may stand for any area.
 */
const MOST_PER_BYTE: Partial<Record<ImageFacts['mimeType'], number>> = { 'image/png': 8 * 1032, 'image/jpeg': 4096 }

/**
 * The kind and size of an image, from all of its bytes; null where it is none that agents take, or where its size cannot be
 * true. Never throws.
 */
export function inspectImage(bytes: Uint8Array): ImageFacts | null {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const facts = inspectPng(buffer) ?? inspectGif(buffer) ?? inspectWebp(buffer) ?? inspectJpeg(buffer)
  return facts !== null && isCredible(facts, bytes.length) ? facts : null
}

function isCredible({ mimeType, width, height }: ImageFacts, bytes: number): boolean {
  const pixels = width * height
  return pixels > 0 && pixels <= Math.min(MOST_PIXELS, bytes * (MOST_PER_BYTE[mimeType] ?? Infinity))
}

function inspectPng(bytes: Buffer): ImageFacts | null {
  const begins = bytes.length >= 24 && textAt(bytes, 0, 8) === '\x89PNG\r\n\x1a\n' && textAt(bytes, 12, 4) === 'IHDR'
  if (!begins) return null
  return { mimeType: 'image/png', width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) }
}

function inspectGif(bytes: Buffer): ImageFacts | null {
  if (bytes.length < 10 || !/^GIF8[79]a$/.test(textAt(bytes, 0, 6))) return null
  return { mimeType: 'image/gif', width: bytes.readUInt16LE(6), height: bytes.readUInt16LE(8) }
}

function inspectWebp(bytes: Buffer): ImageFacts | null {
  if (bytes.length < 30 || textAt(bytes, 0, 4) !== 'RIFF' || textAt(bytes, 8, 4) !== 'WEBP') return null
  const size = webpSize(bytes)
  return size === null ? null : { mimeType: 'image/webp', ...size }
}

function webpSize(bytes: Buffer): { width: number; height: number } | null {
  switch (textAt(bytes, 12, 4)) {
    case 'VP8 ':
      if (textAt(bytes, 23, 3) !== '\x9d\x01\x2a') return null
      // Two bits above each size say how to scale it up; decoders ignore them.
      return { width: bytes.readUInt16LE(26) & 0x3fff, height: bytes.readUInt16LE(28) & 0x3fff }
    case 'VP8L': {
      if (bytes[20] !== 0x2f) return null
      const bits = bytes.readUInt32LE(21)
      return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 }
    }
    case 'VP8X':
      return { width: bytes.readUIntLE(24, 3) + 1, height: bytes.readUIntLE(27, 3) + 1 }
    default:
      return null
  }
}

/** Markers without a length of their own. */
const isBare = (marker: number): boolean => marker === 0x01 || (marker >= 0xd0 && marker <= 0xd7)
/** Start of frame, of whatever coding; the four among them are tables. */
const isFrame = (marker: number): boolean =>
  marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc

/** Goes from segment to segment; each step goes forward, so it ends. */
function inspectJpeg(bytes: Buffer): ImageFacts | null {
  if (textAt(bytes, 0, 3) !== '\xff\xd8\xff') return null
  let at = 2
  while (at + 4 <= bytes.length) {
    const marker = bytes[at + 1] ?? 0
    if (bytes[at] !== 0xff) return null
    if (marker === 0xff) at += 1
    else if (isBare(marker)) at += 2
    else if (isFrame(marker)) {
      if (at + 9 > bytes.length) return null
      return { mimeType: 'image/jpeg', height: bytes.readUInt16BE(at + 5), width: bytes.readUInt16BE(at + 7) }
    }
    // The pixels, or the end, before any frame.
    else if (marker === 0xda || marker === 0xd9) return null
    else at += 2 + Math.max(2, bytes.readUInt16BE(at + 2))
  }
  return null
}

function textAt(bytes: Buffer, from: number, length: number): string {
  return bytes.toString('latin1', from, from + length)
}
