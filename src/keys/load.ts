/** The person's `keys.json`. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import envPaths from 'env-paths'
import type { KeyRemark } from './document.ts'
import { rebind, type KeyRow, type Rebound } from './rebind.ts'

/** Where `keys.json` is looked for. */
export function keysPath(): string {
  return join(envPaths('zotui', { suffix: '' }).config, 'keys.json')
}

/** The table as the file wants it; without a file, the table. Never throws: what is wrong is remarked. */
export async function loadKeys<Row extends KeyRow>(table: readonly Row[], path = keysPath()): Promise<Rebound<Row>> {
  let text: string
  try {
    text = await readFile(path, 'utf8')
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : ''
    const remarks: KeyRemark[] =
      code === 'ENOENT' ? [] : [{ line: 0, text: `cannot be read (${code}); no key is changed` }]
    return { rows: [...table], remarks }
  }
  // Most people have no such file: they do not wait for its parser.
  const { readKeyDocument } = await import('./document.ts')
  const { wishes, remarks } = readKeyDocument(text)
  const rebound = rebind(table, wishes)
  return { rows: rebound.rows, remarks: [...remarks, ...rebound.remarks].toSorted((a, b) => a.line - b.line) }
}

/** A remark as a line for the screen: `keys.json line 3: composer has no action sumbit; did you mean submit?` */
export function describeRemark({ line, text }: KeyRemark): string {
  return line === 0 ? `keys.json ${text}` : `keys.json line ${line}: ${text}`
}
