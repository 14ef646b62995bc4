/** The lines between `---` at the top of a Markdown file, which say what it is about. */

export type Frontmatter = {
  /** What it says under a name, in one line; null where it says nothing. */
  field: (name: string) => string | null
  /** The text below. */
  body: string
}

const FENCED = /^---[ \t]*\r?\n(?<head>[^]*?)(?:(?<=\n)---[ \t]*(?:\r?\n|$))/

/**
 * Reads a text with or without such lines. What is no YAML, such as `argument-hint: [path] [depth]`, is read as lines of names
 * and texts: that is how people write them.
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
  // Most people have no such file: they do not wait for its parser.
  const { FAILSAFE_SCHEMA, load } = await import('js-yaml')
  try {
    const content: unknown = load(head, { schema: FAILSAFE_SCHEMA })
    return new Map(typeof content === 'object' && content !== null ? Object.entries(content) : [])
  } catch {
    // No YAML: then it is read by lines.
    return new Map()
  }
}

function lineOf(head: string, name: string): string {
  const line = head.split('\n').find(each => each.startsWith(`${name}:`))
  return line?.slice(name.length + 1).trim() ?? ''
}
