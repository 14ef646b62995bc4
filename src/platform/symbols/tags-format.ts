/** The format of a tags file, as every ctags writes it. */

/** A named place in a file. */
export type CodeSymbol = {
  name: string
  /** The kind as a word, such as `function`; empty if unknown. */
  kind: string
  /** From the folder of the tags file, or absolute. */
  path: string
  /** The first and the last line, counted from 1; null if unknown. */
  from: number | null
  to: number | null
}

/** Parses a line; null for metadata about the file and for anything but a tag. */
export function parseTag(line: string): CodeSymbol | null {
  const [, name = '', file = '', rest = ''] = /^([^\t!][^\t]*)\t([^\t]+)\t(.+)$/.exec(line) ?? []
  if (name === '') return null
  // A pattern may have tabs and the same signs in it.
  const end = rest.lastIndexOf(';"\t')
  const fields = end < 0 ? [] : rest.slice(end + 3).split('\t')
  const address = Number(/^[1-9]\d*/.exec(rest)?.[0] ?? Number.NaN)
  const from = numberOf(fields, 'line') ?? (Number.isNaN(address) ? null : address)
  const kind = fields.find(field => !field.includes(':')) ?? valueOf(fields, 'kind') ?? ''
  const path = file.replace(/^\.\//, '')
  return { name, kind: KINDS.get(kind) ?? kind, path, from, to: numberOf(fields, 'end') }
}

/** The letters that most languages have in common. */
const KINDS: ReadonlyMap<string, string> = new Map([
  ['f', 'function'],
  ['c', 'class'],
  ['m', 'member'],
  ['v', 'variable'],
  ['i', 'interface'],
  ['t', 'type'],
  ['s', 'struct'],
])

function valueOf(fields: readonly string[], key: string): string | undefined {
  return fields.find(field => field.startsWith(`${key}:`))?.slice(key.length + 1)
}

function numberOf(fields: readonly string[], key: string): number | null {
  const value = Number(valueOf(fields, key))
  return Number.isInteger(value) && value > 0 ? value : null
}
