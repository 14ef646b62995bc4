/**
 * A text without its invisible parts: marks (control and hidden characters), or whole escape sequences. In JSON, such
 * as the growing arguments of a tool, these are written as escapes.
 */

/** The characters to omit: marks alone, marks and colours, or marks and every sequence that a terminal obeys. */
export type InvisibleKind = 'marks' | 'colours' | 'sequences'

const mark = String.raw`[\0-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u2028\u2029\ufff9-\ufffb\p{Default_Ignorable_Code_Point}]`
const spelled = String.raw`\\u00(?:0[0-8bcefBCEF]|1[\da-fA-F])`
const escape = String.raw`(?:\u001b|\\u001[bB])`
/** A colour, as `sanitizeTerminalOutput` knows it, and any move of the cursor: all but the last character. */
const colour = String.raw`${escape}\[[\d;:]{0,200}`
const csi = String.raw`(?:${escape}\[|\u009b)[0-?]{0,200}[ -/]{0,4}`
/** A title, a link or the clipboard, without its terminator. If that is missing, the following text is not part of it. */
const inString = String.raw`(?!\\u001[bB])[^\u0007\u001b\u0080-\u009f\n]`
const string = String.raw`(?:${escape}[\]PX^_]|[\u0090\u0098\u009d-\u009f])(?:${inString}){0,2000}?`
const endOfString = String.raw`(?:\u0007|\\u0007|\u001b\\|\\u001[bB]\\\\|\u009c)`
/** The choice of a character set, and other short ones: all but the last character. */
const short = String.raw`${escape}[ -/]{0,4}`

const whole = {
  marks: null,
  colours: `${colour}m`,
  sequences: String.raw`${csi}[@-~]|${string}${endOfString}|${short}[0-OQ-WYZ\\\x60-~]`,
}
/** An ending that the next piece may complete. */
const begun = {
  marks: null,
  colours: String.raw`${colour}|${escape}`,
  sequences: String.raw`${csi}|${string}${escape}?|${short}`,
}

/** Half of a mark, or of its name in JSON. */
const half = String.raw`[\ud800-\udbff]|\\(?:u(?:0(?:0[01]?)?)?)?`

const anything = new RegExp(String.raw`${mark}|\\u00|(?:${half})$`, 'u')

function tokensOf(kind: InvisibleKind, goesOn: boolean): RegExp {
  const beginnings = oneOf(begun[kind], half)
  return new RegExp(oneOf(whole[kind], goesOn ? `(?<begun>(?:${beginnings})$)` : null, mark, spelled), 'gu')
}

function oneOf(...patterns: readonly (string | null)[]): string {
  return patterns.filter(pattern => pattern !== null).join('|')
}

const tokens = {
  marks: { open: tokensOf('marks', true), closed: tokensOf('marks', false) },
  colours: { open: tokensOf('colours', true), closed: tokensOf('colours', false) },
  sequences: { open: tokensOf('sequences', true), closed: tokensOf('sequences', false) },
}

export type VisibleText = {
  text: string
  /** The index in the whole text of a character of `text`; `end` for the length of `text`. */
  at: (index: number) => number
  /** The start of an ending that the next piece may hide; the whole length if there is none. */
  end: number
}

/** The visible text and its offsets in `all`. While the text `goesOn`, its end may be undecided. */
export function visibleText(all: string, kind: InvisibleKind, goesOn: boolean): VisibleText {
  if (!anything.test(all)) return { text: all, at: index => index, end: all.length }
  /** The start of each part in the visible text, and the number of invisible characters before it. */
  const starts: number[] = []
  const shifts: number[] = []
  let text = ''
  let from = 0
  let end = all.length
  const put = (to: number): void => {
    if (to <= from) return
    starts.push(text.length)
    shifts.push(from - text.length)
    text += all.slice(from, to)
  }
  for (const { index, 0: token, groups } of all.matchAll(tokens[kind][goesOn ? 'open' : 'closed'])) {
    put(index)
    from = index + token.length
    if (groups?.['begun'] !== undefined) end = index
  }
  put(end)
  return { text, end, at: index => (index >= text.length ? end : index + (shifts[partOf(starts, index)] ?? 0)) }
}

/** The last part that begins at `index` or before. */
function partOf(starts: readonly number[], index: number): number {
  let [low, high] = [0, starts.length - 1]
  while (low < high) {
    const middle = (low + high + 1) >> 1
    if ((starts[middle] ?? 0) <= index) low = middle
    else high = middle - 1
  }
  return low
}
