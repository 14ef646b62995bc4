/** Bytes as a text, in the way in which programs in Go write them. */
import { isUtf8 } from 'node:buffer'

/** A run of valid UTF-8, or one byte that is part of none; both as Latin-1. */
const RUN =
  /(?:[\0-\x7f]|[\xc2-\xdf][\x80-\xbf]|\xe0[\xa0-\xbf][\x80-\xbf]|[\xe1-\xec\xee\xef][\x80-\xbf]{2}|\xed[\x80-\x9f][\x80-\xbf]|\xf0[\x90-\xbf][\x80-\xbf]{2}|[\xf1-\xf3][\x80-\xbf]{3}|\xf4[\x80-\x8f][\x80-\xbf]{2})+|[\x80-\xff]/g

/** Each byte that belongs to no character becomes a U+FFFD of its own; Node writes one for several of them. */
export function goText(bytes: Buffer): string {
  if (isUtf8(bytes)) return bytes.toString('utf8')
  return bytes.toString('latin1').replaceAll(RUN, run => Buffer.from(run, 'latin1').toString('utf8'))
}
