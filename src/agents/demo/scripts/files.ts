/** A file of a project that does not exist, and a change to it. */
import type { ScriptedEdit } from '../script/tool-text.ts'

export const parser = `import { type Token, tokenize } from './lexer.ts'

export type Tree = { kind: string; children: Tree[] }

/** The deepest nesting that is parsed. */
const maxDepth = 64

export function parse(source: string): Tree {
  const tokens = tokenize(source)
  return tree(tokens, 0)
}

function tree(tokens: Token[], depth: number): Tree {
  if (depth > maxDepth) throw new Error('nested too deep')
  const children: Tree[] = []
  for (let token = tokens.shift(); token; token = tokens.shift()) {
    if (token.kind === 'close') break
    if (token.kind === 'open') children.push(tree(tokens, depth + 1))
    else children.push({ kind: token.text, children: [] })
  }
  return { kind: 'list', children }
}

/** The rest of a line after a column. */
export function length(line: string, at: number): number {
  const rest = line.slice(at)
  return rest.length
}
`

export const parserEdits: readonly ScriptedEdit[] = [
  { oldText: 'const maxDepth = 64', newText: 'const maxDepth = 256\n\nconst segmenter = new Intl.Segmenter()' },
  { oldText: '  return rest.length', newText: '  return [...segmenter.segment(rest)].length' },
]
