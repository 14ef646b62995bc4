import { unnumbered, type DiffLine } from '../../../text/diff-line.ts'
import { took } from '../../../text/format.ts'

/** The texts of tool results, byte for byte in the formats that zot's own tools use. */

/** Makes the result of bash. `exit` is -1 for a command that was stopped. */
export function bashText(command: string, output: string, exit: number, ms: number): string {
  const body = output === '' ? '' : `${output.replace(/\n$/, '')}\n\n`
  return `$ ${command}\n\n${body}[exit ${exit}]  Took ${took(ms)}`
}

export type ScriptedEdit = { oldText: string; newText: string }

/** Applies edits to a file; each must match exactly once. */
export function edited(before: string, edits: readonly ScriptedEdit[]): string {
  return edits.reduce((text, edit) => text.replace(edit.oldText, () => edit.newText), before)
}

/**
 * Makes the diff that zot's edit tool returns: three lines around each change, every row with a sign before it, `...` for
 * omitted lines, no header and no line numbers. `edits` are in the order of the file.
 */
export function contextDiff(before: string, edits: readonly ScriptedEdit[]): string {
  const rows = diffRows(before, edits)
  const shown = rows.map((_, at) => rows.slice(Math.max(0, at - 3), at + 4).some(row => row.sign !== ' '))
  const lines: string[] = []
  rows.forEach((row, at) => {
    if (shown[at]) {
      // Two rows of dots separate two hunks: one ends the first, one begins the second.
      if (at > 0 && !shown[at - 1]) lines.push('...')
      lines.push(row.sign + row.text)
      if (at < rows.length - 1 && !shown[at + 1]) lines.push('...')
    }
  })
  return `${lines.join('\n')}\n`
}

/** Lists all rows of the file with removed and added ones. An edit covers the whole lines that it touches. */
function diffRows(before: string, edits: readonly ScriptedEdit[]): DiffLine[] {
  const rows: DiffLine[] = []
  let from = 0
  const keep = (to: number) => {
    if (to > from) rows.push(...signed(' ', before.slice(from, to - 1)))
  }
  for (const edit of edits) {
    const at = before.indexOf(edit.oldText, from)
    const start = before.lastIndexOf('\n', at - 1) + 1
    const newline = before.indexOf('\n', at + edit.oldText.length - 1)
    const end = newline === -1 ? before.length : newline
    keep(start)
    const touched = before.slice(start, end)
    rows.push(...signed('-', touched), ...signed('+', edited(touched, [edit])))
    from = end + 1
  }
  keep(before.length + 1)
  return rows
}

function signed(sign: DiffLine['sign'], text: string): DiffLine[] {
  return text.split('\n').map(line => unnumbered(sign, line))
}
