import type { CodeSpan, Syntax } from '../block.ts'
import { lookup } from '../../text/lookup.ts'

/** Our names for the scopes of highlight.js; null is plain text inside another scope. */
const meanings: Readonly<Record<string, Syntax | null>> = {
  addition: 'added',
  attr: 'attribute',
  attribute: 'attribute',
  built_in: 'type',
  bullet: 'keyword',
  'char.escape': 'literal',
  class: 'type',
  code: 'string',
  comment: 'comment',
  deletion: 'removed',
  doctag: 'keyword',
  keyword: 'keyword',
  link: 'string',
  literal: 'literal',
  meta: 'meta',
  'meta.prompt': 'comment',
  name: 'tag',
  number: 'number',
  quote: 'comment',
  regexp: 'string',
  section: 'title',
  'selector-attr': 'attribute',
  'selector-class': 'attribute',
  'selector-id': 'attribute',
  'selector-pseudo': 'attribute',
  'selector-tag': 'tag',
  string: 'string',
  subst: null,
  symbol: 'literal',
  'template-tag': 'meta',
  'template-variable': 'variable',
  title: 'title',
  'title.class': 'type',
  type: 'type',
  variable: 'variable',
  'variable.constant': 'literal',
  'variable.language': 'keyword',
}

/** Collects the output of highlight.js as spans instead of HTML. */
export class SpanEmitter {
  readonly spans: CodeSpan[] = []
  readonly #open: (Syntax | null)[] = []

  startScope(name: string): void {
    this.#open.push(this.#meaning(name))
  }

  endScope(): void {
    this.#open.pop()
  }

  // The engine calls these two for modes, although its declared interface does not have them.
  openNode(name: string): void {
    this.startScope(name)
  }

  closeNode(): void {
    this.endScope()
  }

  addText(text: string): void {
    this.#add(text, this.#open.at(-1) ?? null)
  }

  __addSublanguage(emitter: object): void {
    if (!(emitter instanceof SpanEmitter)) return
    for (const span of emitter.spans) this.#add(span.text, span.style ?? this.#open.at(-1) ?? null)
  }

  finalize(): void {
    this.#open.length = 0
  }

  toHTML(): string {
    return ''
  }

  #add(text: string, style: Syntax | null): void {
    const last = this.spans.at(-1)
    if (text === '') return
    if (last === undefined || last.style !== style) this.spans.push({ text, style })
    else this.spans[this.spans.length - 1] = { text: last.text + text, style }
  }

  // `title.function.invoke` counts as `title` if no longer name is known; an unknown scope looks like its parent.
  #meaning(name: string): Syntax | null {
    for (let known = name; known !== ''; known = known.slice(0, Math.max(0, known.lastIndexOf('.')))) {
      const meaning = lookup(meanings, known)
      if (meaning !== undefined) return meaning
    }
    return this.#open.at(-1) ?? null
  }
}
