/** Reads a SKILL.md as zot does: not as YAML, but only the few fields that zot supports. */

export type SkillFile = {
  /** '' if the header has none: then the folder's name is used. */
  name: string
  description: string
  /** The text that the model gets when it loads the skill. */
  body: string
  /** Only a user can call it: zot hides it from the model (since August 2026). */
  isForPersonOnly: boolean
  /** A problem that the author may not expect, as the end of a sentence; null for none. */
  note: string | null
}

/** Parses a SKILL.md. Never fails: zot accepts any text. */
export function parseSkill(text: string): SkillFile {
  const { header, body } = split(text)
  const fields = readFields(header ?? '')
  const description = fields.get('description') ?? ''
  return {
    name: fields.get('name') ?? '',
    description,
    body: body.trim(),
    isForPersonOnly: fields.get('disable-model-invocation')?.toLowerCase() === 'true',
    note: noteOn(text, header, description),
  }
}

/** Splits off the header between two lines of dashes; null if there is none. */
function split(text: string): { header: string | null; body: string } {
  const start = text.replace(/^[ \t\r\n]+/, '')
  if (!start.startsWith('---')) return { header: null, body: text }
  const newline = start.indexOf('\n')
  const rest = newline < 0 ? start.slice(3) : start.slice(newline + 1)
  const end = rest.indexOf('\n---')
  return end < 0 ? { header: null, body: text } : { header: rest.slice(0, end), body: rest.slice(end + 4) }
}

/** Reads `key: value` lines; indented lines belong to fields that zot ignores. */
function readFields(header: string): Map<string, string> {
  const fields = new Map<string, string>()
  for (const line of header.split('\n')) {
    const trimmed = line.trim()
    const colon = trimmed.indexOf(':')
    if (/^[ \t#]/.test(line) || trimmed.startsWith('#') || colon < 0) continue
    fields.set(trimmed.slice(0, colon).trim(), unquoted(trimmed.slice(colon + 1).trim()))
  }
  return fields
}

function unquoted(value: string): string {
  const quote = value.at(0)
  const isQuoted = value.length >= 2 && (quote === '"' || quote === "'") && value.endsWith(quote)
  return isQuoted ? value.slice(1, -1) : value
}

function noteOn(text: string, header: string | null, description: string): string | null {
  if (text.trim() === '') return 'is empty'
  if (text.startsWith('\u{FEFF}')) return 'begins with a byte order mark, so zot sees no header'
  if (header === null) {
    return text.trimStart().startsWith('---')
      ? 'has an unclosed header: a line of --- is missing'
      : 'has no header, so the model gets no description'
  }
  if (description === '') return 'has no description: the model does not know when to use it'
  if (/^[|>][+-]?\d?$/.test(description)) {
    return `has a description of several lines, and zot reads only the "${description}": write it on one line`
  }
  return null
}
