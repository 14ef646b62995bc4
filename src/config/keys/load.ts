/** The user's `keys.json`. */
import { join } from 'node:path'
import envPaths from 'env-paths'
import { readRegularFile } from '../../platform/regular-file.ts'
import type { FileNotice } from '../document/jsonc.ts'
import { rebind, type KeyTableRow, type Rebound } from './rebind.ts'

/** In bytes. A larger file is not written by hand. */
const LARGEST = 1_000_000

/** The path of `keys.json`. */
export function keysPath(): string {
  return join(envPaths('zotui', { suffix: '' }).config, 'keys.json')
}

/** The table with the file's bindings applied; without a file, the table itself. Never throws: mistakes are remarked. */
export async function loadKeys<Row extends KeyTableRow>(
  table: readonly Row[],
  path = keysPath(),
): Promise<Rebound<Row>> {
  const read = await readRegularFile(path, LARGEST)
  if (!read.ok) {
    const isThere = read.reason !== 'is not there'
    return { rows: [...table], notices: isThere ? [{ line: 0, text: `${read.reason}; the file is ignored` }] : [] }
  }
  // Most people have no such file, so the parser is loaded only when needed.
  const { readKeyDocument } = await import('./document.ts')
  const { bindings, notices } = readKeyDocument(read.bytes.toString('utf8'))
  const rebound = rebind(table, bindings)
  return { rows: rebound.rows, notices: [...notices, ...rebound.notices].toSorted((a, b) => a.line - b.line) }
}

/** A notice as a line for the screen: `keys.json line 3: composer has no action sumbit; did you mean submit?` */
export function describeNotice({ line, text }: FileNotice): string {
  return line === 0 ? `keys.json ${text}` : `keys.json line ${line}: ${text}`
}
