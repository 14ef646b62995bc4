/** Reads `keys.json` into bindings, each with its line. Does not know contexts, actions or keys. Pure. */
import { findNodeAtLocation, getNodeValue } from 'jsonc-parser'
import { z } from 'zod'
import { membersOf, readJsonc, type FileNotice, type JsoncDocument } from '../document/jsonc.ts'

/** A key and the action to bind it to (`submit`) or to unbind it from (`-submit`). */
export type WrittenBinding = { context: string; key: string; action: string; line: number }

const schema = z.record(
  z.string(),
  z.record(
    z.string(),
    z.union([z.string(), z.array(z.string())], 'must be the name of an action, or a list of names'),
    'must be an object of keys and their actions',
  ),
  'must be an object of contexts and their keys',
)

/** Comments and trailing commas are allowed. Mistakes are remarked, and the rest of the file is read. */
export function readKeyDocument(text: string): { bindings: WrittenBinding[]; notices: FileNotice[] } {
  const document = readJsonc(text)
  return { bindings: bindingsOf(document), notices: [...document.notices, ...wrongShapes(document)] }
}

function wrongShapes({ root, lineOf }: JsoncDocument): FileNotice[] {
  const issues = root ? (schema.safeParse(getNodeValue(root)).error?.issues ?? []) : []
  return issues.map(({ path, message }) => {
    const [context, key] = path.map(String)
    const where = key === undefined ? context : `${context}: ${key}`
    const node = root && (findNodeAtLocation(root, path.map(String)) ?? root)
    return { line: node ? lineOf(node) : 1, text: where === undefined ? message : `${where} ${message}` }
  })
}

/** Reads the tree, since in the values a key that is written twice appears once. */
function bindingsOf({ root, lineOf }: JsoncDocument): WrittenBinding[] {
  return (root ? membersOf(root) : []).flatMap(({ name: context, value: keys }) =>
    membersOf(keys).flatMap(({ name, key, value }) =>
      [value, ...(value.type === 'array' ? (value.children ?? []) : [])].flatMap(({ type, value: action }) =>
        type === 'string' ? [{ context, key: name, action: String(action), line: lineOf(key) }] : [],
      ),
    ),
  )
}
