/** What an edit tells of itself: a difference of signed lines, without line numbers (docs/zot-protocol.md, 22). */

export type EditLine = { sign: ' ' | '-' | '+'; text: string }

/**
 * The hunks of an edit's result, in the order of the file; null for a text that is no such difference. Each line begins
 * with a space, `-` or `+`, and `...` stands for lines left out. A file with CRLF keeps its `\r` on the old side alone.
 */
export function hunksOf(result: string): EditLine[][] | null {
  const hunks: EditLine[][] = []
  let hunk: EditLine[] = []
  for (const row of result.replace(/\n$/, '').split('\n')) {
    if (row === '...') {
      if (hunk.length > 0) hunks.push(hunk)
      hunk = []
      continue
    }
    const sign = row === '' || row === '\r' ? ' ' : row[0]
    if (sign !== ' ' && sign !== '-' && sign !== '+') return null
    hunk.push({ sign, text: row.slice(1) })
  }
  if (hunk.length > 0) hunks.push(hunk)
  return hunks.some(lines => lines.some(line => line.sign !== ' ')) ? hunks : null
}

/** The lines that a hunk leaves in the file, without their `\r`. */
export function newLines(hunk: readonly EditLine[]): string[] {
  return hunk.flatMap(line => (line.sign === '-' ? [] : [withoutReturn(line.text)]))
}

export function withoutReturn(line: string): string {
  return line.endsWith('\r') ? line.slice(0, -1) : line
}

/** Lines that an edit shows around each change, as far as the file has them. */
const CONTEXT = 3

/**
 * Where each hunk begins in the file after the edit, counted from 1. Null where it is not there any more, or where more
 * than one place would do: no number is better than a wrong one.
 */
export function locateHunks(file: string, hunks: readonly (readonly EditLine[])[]): (number | null)[] {
  const lines = file
    .replace(/^\uFEFF/, '')
    .split('\n')
    .map(withoutReturn)
  let from = 0
  return hunks.map((hunk, index) => {
    const wanted = newLines(hunk)
    const change = hunk.findIndex(line => line.sign !== ' ')
    // Less context than there could be: it is the file's beginning, even if the same lines stand again below.
    const begins = index === 0 && change < CONTEXT && standsAt(lines, wanted, 0)
    const found = begins ? [0] : places(lines, wanted, from)
    const [place] = found
    if (place === undefined || found.length > 1) return null
    from = place + wanted.length
    return place + 1
  })
}

function standsAt(lines: readonly string[], wanted: readonly string[], at: number): boolean {
  return wanted.every((line, index) => lines[at + index] === line)
}

/** The first two places where `wanted` stands: Knuth, Morris and Pratt's search, so that no file makes it slow. */
function places(lines: readonly string[], wanted: readonly string[], from: number): number[] {
  if (wanted.length === 0) return []
  const fallback = fallbacksOf(wanted)
  const found: number[] = []
  let matched = 0
  for (let at = from; at < lines.length && found.length < 2; at += 1) {
    while (matched > 0 && (matched === wanted.length || wanted[matched] !== lines[at])) {
      matched = fallback[matched - 1] ?? 0
    }
    if (wanted[matched] === lines[at]) matched += 1
    if (matched === wanted.length) found.push(at - matched + 1)
  }
  return found
}

/** For each beginning of `wanted`, how much of its end is a beginning again. */
function fallbacksOf(wanted: readonly string[]): number[] {
  const fallback = [0]
  let matched = 0
  for (let at = 1; at < wanted.length; at += 1) {
    while (matched > 0 && wanted[matched] !== wanted[at]) matched = fallback[matched - 1] ?? 0
    if (wanted[matched] === wanted[at]) matched += 1
    fallback.push(matched)
  }
  return fallback
}
