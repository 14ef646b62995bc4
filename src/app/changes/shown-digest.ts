/** A digest of what a diff shows, by which a file counts as read until it changes again. */
import { createHash } from 'node:crypto'
import type { FileDiff } from '../../tools/diff/change.ts'

/** The same for the same lines and notes, wherever in the file they stand. */
export function shownDigest({ hunks, notes, version = '' }: FileDiff): string {
  const hash = createHash('sha256')
  for (const { lines } of hunks) hash.update(`@\n${lines.map(({ sign, text }) => `${sign}${text}\n`).join('')}`)
  hash.update(JSON.stringify([notes, version]))
  return hash.digest('base64url').slice(0, LENGTH)
}

/** Characters of a digest: 132 bits. */
const LENGTH = 22
