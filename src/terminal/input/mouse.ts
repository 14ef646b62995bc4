/** Mouse events as the terminal reports them (mode 1006). Pure. */

/** A press of the left button, or a turn of the wheel. Columns and rows are counted from 0. */
export type MouseEvent = { kind: 'click'; x: number; y: number } | { kind: 'wheel'; by: 1 | -1 }

/** Parses a report; null for other buttons and for releases. */
export function parseMouse(reply: string): MouseEvent | null {
  const match = /^\u001B\[<(\d+);(\d+);(\d+)M$/.exec(reply)
  if (!match) return null
  const [button = 0, x = 1, y = 1] = match.slice(1).map(Number)
  if (button === 64 || button === 65) return { kind: 'wheel', by: button === 64 ? -1 : 1 }
  // Modifiers such as Shift make the number larger; those events belong to the terminal.
  return button === 0 ? { kind: 'click', x: x - 1, y: y - 1 } : null
}
