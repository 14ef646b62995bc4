/**
 * A line of the screen as data: spans of safe text, each in one style. Only the terminal turns it into escape sequences
 * (`terminal/output/paint.ts`).
 */
import type { SafeText } from './sanitize.ts'
import { displayWidth } from './lines/width.ts'

/** Any RGB colour, or one of the terminal's 256, of which the user's settings define the first sixteen. */
export type Color =
  | { readonly kind: 'rgb'; readonly red: number; readonly green: number; readonly blue: number }
  | { readonly kind: 'palette'; readonly index: number }

export const attributes = ['bold', 'dim', 'italic', 'underline', 'strike', 'inverse'] as const

export type Attribute = (typeof attributes)[number]

/** The look of a span. There is one object for each look (`textStyle`), so that looks are compared by identity. */
export type TextStyle = {
  /** The colour; null for the terminal's own. */
  readonly color: Color | null
  readonly background: Color | null
  /** The attributes, the outer ones first. */
  readonly attributes: readonly Attribute[]
  /** The target of an OSC 8 link; '' for none. */
  readonly link: string
}

/** A part of a line. Code and Markdown have styles of their own, which a theme turns into looks. */
export type Span<Style = TextStyle, Text extends string = SafeText> = { readonly text: Text; readonly style: Style }

/** An immutable line. The empty one is always the same object (`empty`). */
export class Styled {
  readonly spans: readonly Span[]
  #text: SafeText | null = null
  #width = -1

  private constructor(spans: readonly Span[]) {
    this.spans = spans
  }

  static readonly empty = new Styled([])

  /** Makes a line of these spans. Empty spans are omitted, and neighbours of one style are joined. */
  static of(parts: Iterable<Span>): Styled {
    const spans: Span[] = []
    let last: Span | undefined
    for (const span of parts) {
      if (span.text === '') continue
      if (last?.style === span.style)
        spans[spans.length - 1] = last = { text: join(last.text, span.text), style: last.style }
      else spans.push((last = span))
    }
    return spans.length === 0 ? Styled.empty : new Styled(spans)
  }

  get text(): SafeText {
    const [first] = this.spans
    this.#text ??= this.spans.length === 1 && first ? first.text : joinedText(this.spans)
    return this.#text
  }

  /** The number of columns that it takes. */
  get width(): number {
    if (this.#width < 0) this.#width = displayWidth(this.text)
    return this.#width
  }

  /** Whether no part of it has a style. */
  get isPlain(): boolean {
    return this.spans.every(({ style }) => style === plainStyle)
  }
}

export function joinedText(spans: readonly Span<unknown>[]): SafeText {
  return spans.map(({ text }) => text).join('') as SafeText
}

function join(one: SafeText, other: SafeText): SafeText {
  return (one + other) as SafeText
}

const known = new Map<string, TextStyle>()

/** The one object for a look. */
export function textStyle({ color = null, background = null, attributes = [] }: Partial<TextStyle>): TextStyle {
  const key = [colorKey(color), colorKey(background), ...attributes].join(' ')
  const style = known.get(key) ?? { color, background, attributes, link: '' }
  known.set(key, style)
  return style
}

function colorKey(color: Color | null): string {
  if (!color) return '-'
  return color.kind === 'rgb' ? `${color.red},${color.green},${color.blue}` : String(color.index)
}

export const plainStyle: TextStyle = textStyle({})

const links = new WeakMap<TextStyle, Map<string, TextStyle>>()
/** The number of links whose looks are kept as one object each. */
const MOST_LINKS = 1000

/** The look with a link to an address, which must be printable ASCII. */
export function linkedStyle(style: TextStyle, link: string): TextStyle {
  if (link === style.link) return style
  const own = links.get(style) ?? new Map<string, TextStyle>()
  links.set(style, own)
  const linked = own.get(link) ?? { ...style, link }
  if (own.size >= MOST_LINKS) own.clear()
  own.set(link, linked)
  return linked
}

const merged = new WeakMap<TextStyle, WeakMap<TextStyle, TextStyle>>()

/** The look of a text with the look `inner` inside one with `outer`: inner colours win, and attributes add up. */
export function styleWithin(outer: TextStyle, inner: TextStyle): TextStyle {
  if (inner === outer || outer === plainStyle) return inner
  if (inner === plainStyle) return outer
  const own = merged.get(outer) ?? new WeakMap<TextStyle, TextStyle>()
  merged.set(outer, own)
  const made = own.get(inner) ?? withinNew(outer, inner)
  own.set(inner, made)
  return made
}

function withinNew(outer: TextStyle, inner: TextStyle): TextStyle {
  const added = inner.attributes.filter(attribute => !outer.attributes.includes(attribute))
  const style = textStyle({
    color: inner.color ?? outer.color,
    background: inner.background ?? outer.background,
    attributes: [...outer.attributes, ...added],
  })
  return linkedStyle(style, inner.link === '' ? outer.link : inner.link)
}

export const empty: Styled = Styled.empty

/** The text as a line, with a look around its own looks. */
export function inStyle(style: TextStyle, text: SafeText | Styled): Styled {
  if (typeof text === 'string') return Styled.of([{ text, style }])
  if (style === plainStyle) return text
  return Styled.of(text.spans.map(span => ({ text: span.text, style: styleWithin(style, span.style) })))
}

export function spansOf(text: SafeText | Styled): readonly Span[] {
  return typeof text === 'string' ? [{ text, style: plainStyle }] : text.spans
}

export function joinStyled(parts: readonly (SafeText | Styled)[], separator: string | Styled = ''): Styled {
  const between = spansOf(separator as SafeText | Styled)
  const spans: Span[] = []
  for (const [index, part] of parts.entries()) {
    if (index > 0) spans.push(...between)
    spans.push(...spansOf(part))
  }
  return Styled.of(spans)
}

/** Whether both have the same text in the same looks. */
export function isSameLine(one: Styled, other: Styled): boolean {
  const { length } = one.spans
  if (one === other || length !== other.spans.length) return one === other
  for (let at = 0; at < length; at += 1) {
    const [a, b] = [one.spans[at], other.spans[at]]
    if (a?.text !== b?.text || a?.style !== b?.style) return false
  }
  return true
}

export function blanks(columns: number): SafeText {
  return ' '.repeat(Math.max(0, columns)) as SafeText
}

/** The line without the blanks at its end, except those that have a look. */
export function trimEndOf(line: Styled): Styled {
  const last = line.spans.at(-1)
  if (last?.style !== plainStyle || !last.text.endsWith(' ')) return line
  return sliceOf(line, 0, line.text.length - last.text.length + last.text.trimEnd().length)
}

/** The line without the blanks at both ends. */
export function trimOf(line: Styled): Styled {
  const { text } = line
  return sliceOf(line, text.length - text.trimStart().length, text.trimEnd().length)
}

/** The part of a line between two offsets in its text. */
export function sliceOf(line: Styled, start: number, end: number): Styled {
  if (start <= 0 && end >= line.text.length) return line
  const [spans = []] = cutSpans(line.spans, [[start, end]])
  return Styled.of(spans)
}

/** The start and end of a part of a text, in UTF-16 units. */
export type Range = readonly [start: number, end: number]

/** The parts of the spans that lie in each range. The ranges are in ascending order. */
export function cutSpans<Style>(spans: readonly Span<Style>[], ranges: readonly Range[]): Span<Style>[][] {
  const lines: Span<Style>[][] = []
  let index = 0
  let offset = 0
  for (const [start, end] of ranges) {
    const line: Span<Style>[] = []
    for (;;) {
      const span = spans[index]
      if (span === undefined) break
      const text = span.text.slice(Math.max(0, start - offset), Math.max(0, end - offset)) as SafeText
      if (text !== '') line.push(text.length === span.text.length ? span : { text, style: span.style })
      if (offset + span.text.length > end) break
      offset += span.text.length
      index++
    }
    lines.push(line)
  }
  return lines
}
