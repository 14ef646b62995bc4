/** Prints a command's rows: as JSON, or as a table as wide as the terminal. */
import process from 'node:process'
import { toJson } from '../../src/text/json.ts'
import { truncate } from '../../src/text/lines/shorten.ts'
import { displayWidth, padTo } from '../../src/text/lines/width.ts'
import { print } from '../standard-streams.ts'

export function printJson(value: unknown): void {
  print(`${toJson(value, 2)}\n`)
}

/** The last cell of a row is not padded: it may be long. */
export function printTable(rows: readonly (readonly string[])[]): void {
  const width = process.stdout.isTTY ? process.stdout.columns : Number.POSITIVE_INFINITY
  const widths = columnWidths(rows)
  for (const row of rows) {
    const line = row.map((cell, column) => (column === row.length - 1 ? cell : padTo(cell, widths[column] ?? 0)))
    print(`${truncate(line.join('  '), width)}\n`)
  }
}

/** The width of the widest cell of each column. */
export function columnWidths(rows: readonly (readonly string[])[]): number[] {
  return (rows[0] ?? []).map((_, column) => Math.max(...rows.map(row => displayWidth(row[column] ?? ''))))
}
