/** Reads frontmatter: the lines between `---` at the top of a Markdown file. */
import { isObject } from '../../text/json.ts'

export type Frontmatter = {
  /** The value of a field, in one line; null where it is missing or empty. */
  field: (name: string) => string | null
  /** The text below. */
  body: string
}

const FENCED = /^---[ \t]*\r?\n(?<head>[^]*?)(?:(?<=\n)---[ \t]*(?:\r?\n|$))/

/**
 * Reads a text with or without frontmatter. Where it is not valid YAML, such as `argument-hint: [path] [depth]`, each line is
 * read as a name and a text, since people write it that way.
 */
export async function readFrontmatter(text: string): Promise<Frontmatter> {
  const clean = text.replace(/^\uFEFF/, '')
  const found = FENCED.exec(clean)
  const head = found?.groups?.['head']
  if (found === null || head === undefined) return { field: () => null, body: clean }
  const values = await readYaml(head)
  return {
    field(name) {
      const value = values.get(name)
      const written = typeof value === 'string' ? value : lineOf(head, name)
      const line = written.replace(/\s+/g, ' ').trim()
      return line === '' ? null : line
    },
    body: clean.slice(found[0].length),
  }
}

async function readYaml(head: string): Promise<ReadonlyMap<string, unknown>> {
  // Most people have no such file, so the parser is loaded only when needed.
  const { FAILSAFE_SCHEMA, load } = await import('js-yaml')
  try {
    const content: unknown = load(head, { schema: FAILSAFE_SCHEMA })
    return new Map(isObject(content) ? Object.entries(content) : [])
  } catch {
    // Not YAML: it is read line by line.
    return new Map()
  }
}

function lineOf(head: string, name: string): string {
  const line = head.split('\n').find(each => each.startsWith(`${name}:`))
  return line?.slice(name.length + 1).trim() ?? ''
}
