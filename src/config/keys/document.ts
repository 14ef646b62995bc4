/** `keys.json` as what it asks for, with the line of each wish. Knows no context, no action and no key. Pure. */
import { evaluate, parse, type ObjectNode, type StringNode, type ValueNode } from '@humanwhocodes/momoa'
import { z } from 'zod'

/** One key, and what it is to do (`submit`) or to do no more (`-submit`). */
export type KeyWish = { context: string; key: string; action: string; line: number }

/** What is wrong with the file, or worth knowing: the line, and words for the person without a stop at the end. */
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

/** Comments and commas at the end of a list are allowed. What is wrong is told, and the rest is read all the same. */
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
  // Its message names tokens of the grammar, which say less than the place.
  const place = error instanceof Error && 'line' in error && 'column' in error ? error : { line: 1, column: 1 }
  return { line: Number(place.line), text: `not valid JSON near column ${Number(place.column)}; no key is changed` }
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

/** From the tree and not from the values: there a key that stands twice is one, and nobody knows of the other. */
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
