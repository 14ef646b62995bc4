/** What the mouse does, as the terminal tells it (mode 1006). Pure. */

/** A press of the left button, or the wheel. Columns and rows are counted from 0. */
export type MouseEvent = { kind: 'click'; x: number; y: number } | { kind: 'wheel'; by: 1 | -1 }

/** Null for anything else: the other buttons, and letting go of one. */
export function parseMouse(reply: string): MouseEvent | null {
  const match = /^\u001B\[<(\d+);(\d+);(\d+)M$/.exec(reply)
  if (!match) return null
  const [button = 0, x = 1, y = 1] = match.slice(1).map(Number)
  if (button === 64 || button === 65) return { kind: 'wheel', by: button === 64 ? -1 : 1 }
  // With Shift and the like it has a larger number, and is the terminal's own.
  return button === 0 ? { kind: 'click', x: x - 1, y: y - 1 } : null
}
