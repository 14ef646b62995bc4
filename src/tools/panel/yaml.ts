/** Formats any value as compact lines like YAML, for reading, not for parsing. The lines are not sanitised. */
import { counted } from '../../text/counted.ts'
import { isObject, isContainer } from '../../text/json.ts'

/** Deeper values are put on one line. */
const DEEPEST = 3
/** Longer texts are cut before they are sanitised; no line shows more. */
const LONGEST = 2000

/** The lines of a value, lazily, so that taking only some is cheap. */
export function* yamlLines(value: unknown, newline: string, depth = 0): Generator<string> {
  const indent = '  '.repeat(depth)
  if (Array.isArray(value)) {
    for (const entry of value as unknown[]) yield* listed(indent, entry, newline, depth)
  } else if (isObject(value)) {
    for (const [key, each] of Object.entries(value)) yield* member(`${indent}${key}:`, each, newline, depth)
  } else {
    yield `${indent}${scalar(value, newline)}`
  }
}

/** An entry of a list, with its first line after the dash. */
function* listed(indent: string, value: unknown, newline: string, depth: number): Generator<string> {
  if (!isNested(value) || depth >= DEEPEST) {
    yield `${indent}- ${inline(value, newline)}`
    return
  }
  let first = true
  for (const line of yamlLines(value, newline, depth + 1)) {
    yield first ? `${indent}- ${line.trimStart()}` : line
    first = false
  }
}

function* member(head: string, value: unknown, newline: string, depth: number): Generator<string> {
  if (!isNested(value) || depth >= DEEPEST) {
    yield `${head} ${inline(value, newline)}`
    return
  }
  yield head
  yield* yamlLines(value, newline, depth + 1)
}

/** The value on one line; an object as `key: value` pairs. */
export function yamlLine(value: unknown, newline: string): string {
  if (!isObject(value)) return inline(value, newline)
  const members: string[] = []
  let length = 0
  for (const [key, each] of Object.entries(value)) {
    const member = `${key}: ${inline(each, newline)}`
    members.push(member)
    length += member.length
    if (length > LONGEST) break
  }
  return members.join('  ')
}

function inline(value: unknown, newline: string): string {
  if (!isContainer(value)) return scalar(value, newline)
  if (Array.isArray(value) && value.every(entry => !isNested(entry))) {
    return `[${value
      .slice(0, 100)
      .map(entry => scalar(entry, newline))
      .join(', ')}]`
  }
  return (JSON.stringify(value) ?? '').slice(0, LONGEST)
}

function scalar(value: unknown, newline: string): string {
  if (typeof value !== 'string') return JSON.stringify(value) ?? String(value)
  if (value === '') return '""'
  const [first = '', ...more] = value.length > LONGEST ? [value.slice(0, LONGEST)] : value.trimEnd().split('\n')
  return more.length === 0 ? first : `${first} ${newline} +${counted(more.length, 'line')}`
}

/** Whether a value gets its own lines; short lists of plain values do not. */
function isNested(value: unknown): value is object {
  if (!isContainer(value) || Object.keys(value).length === 0) return false
  return !Array.isArray(value) || value.some(isContainer) || inline(value, '').length > 60
}
