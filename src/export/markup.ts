/** HTML templates that escape their values, unless a value is itself markup. */
import { sanitize } from '../text/sanitize.ts'
import { lookup } from '../text/lookup.ts'

/** A piece of HTML of our own making. */
export class Markup {
  readonly source: string

  constructor(source: string) {
    this.source = source
  }
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** Template tag. Texts are sanitised and escaped, so that they are safe between tags and in quoted attributes. */
export function markup(
  words: TemplateStringsArray,
  ...values: readonly (Markup | readonly Markup[] | string)[]
): Markup {
  return new Markup(words.map((word, index) => word + sourceOf(values[index] ?? '')).join(''))
}

export function joined(pieces: readonly Markup[], separator = ''): Markup {
  return new Markup(pieces.map(({ source }) => source).join(separator))
}

function sourceOf(value: Markup | readonly Markup[] | string): string {
  if (typeof value === 'string') return sanitize(value).replaceAll(/[&<>"']/g, mark => lookup(ENTITIES, mark) ?? '')
  return value instanceof Markup ? value.source : joined(value).source
}
