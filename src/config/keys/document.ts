/** Reads `keys.json` into wishes, each with its line. Does not know contexts, actions or keys. Pure. */
import { evaluate, parse, type ObjectNode, type StringNode, type ValueNode } from '@humanwhocodes/momoa'
import { z } from 'zod'

/** A key and the action to bind it to (`submit`) or to unbind it from (`-submit`). */
export type KeyWish = { context: string; key: string; action: string; line: number }

/** A mistake in the file, or a note on it: the line, and a text for the person without a full stop. */
export type KeyRemark = { line: number; text: string; isNote?: true }

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
export function readKeyDocument(text: string): { wishes: KeyWish[]; remarks: KeyRemark[] } {
  const clean = text.replace(/^\uFEFF/, '')
  if (clean.trim() === '') return { wishes: [], remarks: [] }
  let body: ValueNode
  try {
    ;({ body } = parse(clean, { mode: 'jsonc', allowTrailingCommas: true }))
  } catch (error) {
    return { wishes: [], remarks: [syntaxRemark(error)] }
  }
  return { wishes: wishesOf(body), remarks: wrongShapes(body) }
}

function syntaxRemark(error: unknown): KeyRemark {
  // The parser's message names grammar tokens, which help less than the position.
  const place = error instanceof Error && 'line' in error && 'column' in error ? error : { line: 1, column: 1 }
  return { line: Number(place.line), text: `not valid JSON near column ${Number(place.column)}; the file is ignored` }
}

function wrongShapes(body: ValueNode): KeyRemark[] {
  const { error } = schema.safeParse(evaluate(body))
  return (error?.issues ?? []).map(({ path, message }) => {
    const [context, key] = path.map(String)
    const where = key === undefined ? context : `${context}: ${key}`
    return { line: lineAt(body, path), text: where === undefined ? message : `${where} ${message}` }
  })
}

function lineAt(body: ValueNode, path: readonly PropertyKey[]): number {
  let node = body
  for (const step of path) {
    const child = node.type === 'Object' ? membersOf(node).find(([name]) => name.value === step) : undefined
    if (!child) break
    node = child[1]
  }
  return node.loc.start.line
}

/** Reads the tree, since in the values a key that is written twice appears once. */
function wishesOf(body: ValueNode): KeyWish[] {
  if (body.type !== 'Object') return []
  return membersOf(body).flatMap(([context, keys]) =>
    keys.type !== 'Object'
      ? []
      : membersOf(keys).flatMap(([key, value]) =>
          actionsOf(value).map(action => ({
            context: context.value,
            key: key.value,
            action: action.value,
            line: key.loc.start.line,
          })),
        ),
  )
}

function actionsOf(value: ValueNode): StringNode[] {
  if (value.type === 'String') return [value]
  if (value.type !== 'Array') return []
  return value.elements.flatMap(element => (element.value.type === 'String' ? [element.value] : []))
}

function membersOf(object: ObjectNode): [StringNode, ValueNode][] {
  return object.members.flatMap(({ name, value }) => (name.type === 'String' ? [[name, value]] : []))
}
