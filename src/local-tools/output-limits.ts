/** The limits of the output that a model gets. */
import { withoutEnd } from '../text/without-end.ts'
const MOST_LINES = 2000
const MOST_BYTES = 50 * 1024

/** The beginning of an output, and a note about the rest. */
export function cutOutput(output: string, before = '\n'): { text: string; isCut: boolean } {
  const bytes = Buffer.from(output)
  const isLong = bytes.length > MOST_BYTES
  // The cut may split a character.
  const kept = isLong ? withoutEnd(bytes.subarray(0, MOST_BYTES).toString('utf8'), /\uFFFD/) : output
  const lines = kept.split('\n')
  const isTall = lines.length > MOST_LINES + 1
  const shown = isTall ? `${lines.slice(0, MOST_LINES).join('\n')}\n` : kept
  const notes = [
    ...(isTall ? [`... [truncated at ${MOST_LINES} lines]\n`] : []),
    ...(isLong ? [`... [truncated at ${MOST_BYTES} bytes]\n`] : []),
  ]
  if (notes.length === 0) return { text: output, isCut: false }
  return { text: `${shown}${shown.endsWith('\n') ? '' : '\n'}${before}${notes.join('')}`, isCut: true }
}
