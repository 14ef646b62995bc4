/** The size of long texts, without a copy of them. */

const encoder = new TextEncoder()
const buffer = new Uint8Array(64 * 1024)

/** The number of bytes in UTF-8. */
export function byteLength(text: string): number {
  let bytes = 0
  for (let at = 0; at < text.length;) {
    const { read, written } = encoder.encodeInto(at === 0 ? text : text.slice(at), buffer)
    at += read
    bytes += written
  }
  return bytes
}

/** The number of newlines between two offsets. */
export function countNewlines(text: string, from = 0, to = text.length): number {
  let count = 0
  for (let at = text.indexOf('\n', from); at >= 0 && at < to; at = text.indexOf('\n', at + 1)) count += 1
  return count
}
