/** Reads JSON with comments and trailing commas, with the line of each value. Pure. */
import { findNodeAtLocation, getNodeValue, parseTree, type Node as JsoncNode, type ParseError } from 'jsonc-parser'
import type { UserNotice } from '../../platform/errors.ts'

/** A mistake in a file, or a note on it: a text for the user, without a full stop. */
export type FileNotice = UserNotice & { line: number }

export type JsoncDocument = {
  /** Null where the file is empty or not JSON. */
  root: JsoncNode | null
  /** Counted from 1. */
  lineOf: (node: JsoncNode) => number
  notices: FileNotice[]
}

export function readJsonc(text: string): JsoncDocument {
  const clean = text.replace(/^\uFEFF/, '')
  const linesTo = (offset: number): string[] => clean.slice(0, offset).split('\n')
  const document = { root: null, lineOf: (node: JsoncNode) => linesTo(node.offset).length, notices: [] }
  if (clean.trim() === '') return document
  const mistakes: ParseError[] = []
  const root = parsed(clean, mistakes)
  const [first] = mistakes
  if (root && !first) return { ...document, root }
  // The parser's errors name grammar tokens, which help less than the position.
  const before = linesTo(first?.offset ?? 0)
  const place = `near column ${(before.at(-1) ?? '').length + 1}`
  return { ...document, notices: [{ line: before.length, text: `not valid JSON ${place}; the file is ignored` }] }
}

function parsed(text: string, mistakes: ParseError[]): JsoncNode | undefined {
  try {
    return parseTree(text, mistakes, { allowTrailingComma: true })
  } catch {
    // It is nested too deep for the stack.
    return undefined
  }
}

/** The members of an object in the order of the file, a name that is written twice also twice; none of another value. */
export function membersOf({ type, children = [] }: JsoncNode): { name: string; key: JsoncNode; value: JsoncNode }[] {
  if (type !== 'object') return []
  return children.flatMap(({ children: [key, value] = [] }) =>
    key && value ? [{ name: String(key.value), key, value }] : [],
  )
}

/** What the file has under this name, once for each time it is written; null if the file is not a whole object. */
export function valuesOf(text: string, name: string): { value: unknown; line: number }[] | null {
  const { root, lineOf } = readJsonc(text)
  if (root?.type !== 'object') return null
  const members = membersOf(root).filter(member => member.name === name)
  return members.map(({ key, value }) => ({ value: getNodeValue(value), line: lineOf(key) }))
}

/** The text without the elements of this list that are this value. Everything else stays, comments included. */
export function withoutElements(text: string, list: string, value: unknown): string {
  const root = parseTree(text, [], { allowTrailingComma: true })
  const node = root && findNodeAtLocation(root, [list])
  const elements = node?.children ?? []
  const at = elements.findIndex(element => element.type !== 'object' && element.value === value)
  const element = elements[at]
  if (!node || !element) return text
  if (elements.length === 1) return `${text.slice(0, node.offset)}[]${text.slice(node.offset + node.length)}`
  const [before, next] = [elements[at - 1], elements[at + 1]]
  const start = next || !before ? element.offset : before.offset + before.length
  const end = next ? next.offset : element.offset + element.length
  return withoutElements(text.slice(0, start) + text.slice(end), list, value)
}
