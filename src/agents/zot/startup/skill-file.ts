/** A SKILL.md as zot reads it: not YAML, but the few lines of it that zot knows. */

export type SkillFile = {
  /** '' where the header does not say it: then it is the folder's. */
  name: string
  description: string
  /** What the model is given when it loads the skill. */
  body: string
  /** Only a person calls it: the model is not told of it (zot since August 2026). */
  isForPersonOnly: boolean
  /** What zot makes of it differently from what its author meant, as the end of a sentence; null where nothing. */
  note: string | null
}

/** Never fails: zot takes any text, and makes the best of it. */
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

/** The header between two lines of dashes, null where there is none, and what follows it. */
function split(text: string): { header: string | null; body: string } {
  const start = text.replace(/^[ \t\r\n]+/, '')
  if (!start.startsWith('---')) return { header: null, body: text }
  const newline = start.indexOf('\n')
  const rest = newline < 0 ? start.slice(3) : start.slice(newline + 1)
  const end = rest.indexOf('\n---')
  return end < 0 ? { header: null, body: text } : { header: rest.slice(0, end), body: rest.slice(end + 4) }
}

/** `key: value` at the beginning of a line; what is indented belongs to something that zot does not go by. */
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
      ? 'has a header without an end: a line of --- is missing'
      : 'has no header, so the model is told no description'
  }
  if (description === '') return 'has no description: the model does not know when to use it'
  if (/^[|>][+-]?\d?$/.test(description)) {
    return `has a description over several lines, of which zot reads only the "${description}": write it in one line`
  }
  return null
}
