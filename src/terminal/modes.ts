/**
 * Ink hears the keys and keeps the program's life; what it would draw is drawn by us. Of what it writes to the terminal,
 * modes count, such as the one for pastes.
 */

const MODE = /\u001B\[\?(\d+)[hl]/g

/** Synchronized output and the cursor's visibility are ours to say. */
const OURS = new Set(['25', '2026'])

/** The modes that are set in something that Ink writes. */
export function modesOf(write: string): string {
  return [...write.matchAll(MODE)].flatMap(([sequence, mode = '']) => (OURS.has(mode) ? [] : [sequence])).join('')
}
