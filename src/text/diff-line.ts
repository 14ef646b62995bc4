/** A line of a diff, and the names in its head: one form for results of tools, changes of files, exports and the screen. */
export type DiffLine = {
  sign: ' ' | '-' | '+'
  /** Without its newline and, where it is shown, without its `\r`. */
  text: string
  /** Its number in the file before and after, counted from 1; null if it is not in that file, or if unknown. */
  before: number | null
  after: number | null
  /** Its end where that is not a newline alone, as far as known; '' at the end of a file without one. */
  end?: '\r\n' | '\r' | ''
}

/** A line without numbers. */
export function unnumbered(sign: DiffLine['sign'], text: string): DiffLine {
  return { sign, text, before: null, after: null }
}

/** The number to show beside a line in one column: a removed line has only that of the old file. */
export function numberOf({ sign, before, after }: DiffLine): number | null {
  return sign === '-' ? before : after
}

/** A file's name in the head of a diff. An absolute path stays: after `a` it would look like one in the project. */
export function diffSide(side: 'a' | 'b', path: string): string {
  return /^(?:[/\\]|[A-Za-z]:[/\\])/.test(path) ? path : `${side}/${path}`
}
