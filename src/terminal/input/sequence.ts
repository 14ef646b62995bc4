/** The end of an escape sequence in the terminal's input. Pure. */

export const ESC = '\u001B'
export const PASTE_START = `${ESC}[200~`
export const PASTE_END = `${ESC}[201~`

/**
 * The escape sequence at the start of `input`; null while it is incomplete. One that breaks off is returned as far as it goes.
 */
export function matchSequence(input: string): string | null {
  const kind = input[1]
  if (kind === undefined) return null
  if (kind === '[') {
    // The old Linux console sends F1 to F5 as `ESC [ [ A`.
    const csi = /^\u001B\[(?:\[[A-Z]|[0-?]*[ -/]*[@-~])/.exec(input)
    if (csi) return csi[0]
    const begun = /^\u001B\[\[?[0-?]*[ -/]*/.exec(input)?.[0] ?? ESC
    return begun === input ? null : begun
  }
  if (kind === 'O') return input.length < 3 ? null : input.slice(0, input[2] === ESC ? 2 : 3)
  if (kind === ']' || kind === 'P' || kind === '_' || kind === '^' || kind === 'X') {
    // Its end, or another sequence, which cancels it.
    const end = /\u0007|\u001B\\|(?=\u001B[^\\])/.exec(input.slice(2))
    if (end) return input.slice(0, 2 + end.index + end[0].length)
    return input.length > 65_536 ? input : null
  }
  if (kind === ESC) return doubleEscape(input)
  return input.slice(0, (input.codePointAt(1) ?? 0) > 0xffff ? 3 : 2)
}

/** Some terminals send Alt+Up as ESC ESC [ A. Two presses of Esc look the same until more input comes. */
function doubleEscape(input: string): string | null {
  if (input.length < 3) return null
  if ((input[2] !== '[' && input[2] !== 'O') || input.startsWith(PASTE_START, 1)) return ESC
  const inner = matchSequence(input.slice(1))
  return inner === null ? null : ESC + inner
}

/** Whether only a terminal itself sends sequences that begin so. */
export function isReplyStart(input: string): boolean {
  return /^\u001B\[[?<>=]/.test(input)
}
