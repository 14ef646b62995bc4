import { Lexer, type Token, type Tokens } from 'marked'
import { linesOf, literal, sanitize } from '../text/sanitize.ts'
import { linkedStyle, plainStyle, Styled, styleWithin, type Span, type TextStyle } from '../text/styled.ts'
import type { Links } from './block.ts'
import { inlineParts } from './inline-parts.ts'
import type { MarkdownStyle } from './style.ts'
import { put } from '../text/lookup.ts'
import { withoutEnd } from '../text/without-end.ts'

/** The looks around a text (the outermost first) and its link target; '' for none. */
type InlineStyle = { readonly looks: readonly TextStyle[]; readonly link: string }

export type InlineSpan = Span<InlineStyle>

export function inlineSpan(text: string, ...looks: readonly TextStyle[]): InlineSpan {
  return { text: sanitize(text), style: { looks, link: '' } }
}

export function lineOf(spans: readonly InlineSpan[]): Styled {
  return Styled.of(spans.map(({ text, style }) => ({ text, style: lookOf(style) })))
}

function lookOf({ looks, link }: InlineStyle): TextStyle {
  return linkedStyle(looks.reduce(styleWithin, plainStyle), link)
}

/**
 * Reads the marks inside a block's text; returns the spans of each line. Line breaks are kept, since models break lines
 * on purpose.
 */
export function inlineLines(
  source: string,
  links: Links,
  style: MarkdownStyle,
  base: readonly TextStyle[],
): InlineSpan[][] {
  const writer = new LineWriter(style)
  for (const part of inlineParts(source)) {
    const look = { looks: base, link: '' }
    const plain = plainBeginning(part)
    writer.text(plain, look)
    if (plain.length < part.length) writer.all(lexerFor(links).inlineTokens(part.slice(plain.length)), look)
  }
  return writer.lines
}

/** A new lexer that knows these link targets. */
export function lexerFor(links: Links): Lexer {
  const lexer = new Lexer({ gfm: true })
  for (const [label, href] of links) put(lexer.tokens.links, label, { href, title: null })
  return lexer
}

/** The beginnings of marks and addresses. */
const special = /[*_~`\\[\]<>!&@]|:\/\/|www\./i

/** Plain text at the start, up to the last blank before anything special. The lexer is slow at finding it. */
export function plainBeginning(source: string): string {
  const at = [source.search(special), hardBreakIn(source)].filter(index => index >= 0)
  const first = Math.min(...at)
  return at.length === 0 ? source : source.slice(0, /\s\S*$/.exec(source.slice(0, first))?.index ?? 0)
}

/** The first blank of the first hard line break; -1 for none. */
function hardBreakIn(source: string): number {
  const end = source.indexOf('  \n')
  return end < 0 ? -1 : withoutEnd(source.slice(0, end), / /).length
}

/** The marks that the inline lexer finds; any other token is text. */
type Mark =
  | Tokens.Strong
  | Tokens.Em
  | Tokens.Del
  | Tokens.Codespan
  | Tokens.Link
  | Tokens.Image
  | Tokens.Br
  | Tokens.Tag
  | Tokens.Escape

const marks = new Set(['strong', 'em', 'del', 'codespan', 'link', 'image', 'br', 'html', 'escape'])

function isMark(token: Token): token is Mark {
  return marks.has(token.type)
}

class LineWriter {
  readonly lines: InlineSpan[][] = [[]]
  readonly #style: MarkdownStyle

  constructor(style: MarkdownStyle) {
    this.#style = style
  }

  all(tokens: readonly Token[], look: InlineStyle): void {
    for (const token of tokens) {
      if (isMark(token)) this.#mark(token, look)
      else this.text(decodeEntities(token.raw), look)
    }
  }

  #mark(token: Mark, look: InlineStyle): void {
    const style = this.#style
    switch (token.type) {
      case 'strong':
        return this.all(token.tokens, painted(look, style.strong))
      case 'em':
        return this.all(token.tokens, painted(look, style.emphasis))
      case 'del':
        return this.#strike(token.raw, token.tokens, look)
      case 'codespan':
        return this.text(token.text, painted(look, style.code))
      case 'link':
        return this.#link(token, look)
      case 'image':
        return this.text(
          `[image: ${decodeEntities(token.text === '' ? token.href : token.text)}]`,
          painted(look, style.dim),
        )
      case 'br':
        this.lines.push([])
        return
      case 'html':
        return this.text(token.raw, painted(look, style.dim))
      case 'escape':
        return this.text(token.text, look)
    }
  }

  // One tilde is a range (`20~25`) far more often than a strike.
  #strike(raw: string, tokens: readonly Token[], look: InlineStyle): void {
    if (raw.startsWith('~~')) return this.all(tokens, painted(look, this.#style.strike))
    this.text('~', look)
    this.all(tokens, look)
    this.text('~', look)
  }

  #link({ raw, href, text, tokens }: Tokens.Link, look: InlineStyle): void {
    // A bare address ends at a hidden character, which is not part of it.
    const end = raw === text ? raw.search(shownMark) : -1
    if (end <= 0) return this.#linked(href, tokens, look)
    const address = raw.slice(0, end)
    const label = { type: 'text', raw: address, text: address } satisfies Tokens.Text
    this.#linked(href.slice(0, href.length - raw.length) + address, [label], look)
    this.text(raw.slice(end), look)
  }

  /** The target stays visible beside any label that is not the target: a label can claim anything. */
  #linked(href: string, tokens: readonly Token[], look: InlineStyle): void {
    const shown = decodeEntities(href)
    const target = this.#style.hyperlinks ? linkTarget(shown) : ''
    const label = new LineWriter(this.#style)
    label.all(tokens, { looks: [...look.looks, this.#style.link], link: target })
    const text = label.lines.flatMap(line => line.map(piece => piece.text)).join('')
    for (const [index, line] of label.lines.entries()) {
      if (index > 0) this.lines.push([])
      this.lines.at(-1)?.push(...line)
    }
    if (plainTarget(text) === plainTarget(sanitize(shown))) return
    const facts = painted(look, this.#style.dim)
    this.text(text === '' ? '(' : ' (', facts)
    this.text(shown.replaceAll('\n', ' '), target === '' ? facts : { ...facts, link: target })
    this.text(')', facts)
  }

  text(text: string, look: InlineStyle): void {
    for (const [index, line] of linesOf(sanitize(text)).entries()) {
      if (index > 0) this.lines.push([])
      const shown = line.includes('\t') ? sanitize(line.replaceAll('\t', ' ')) : line
      if (shown !== '') append(this.lines.at(-1) ?? [], { text: shown, style: look })
    }
  }
}

/** The sanitiser's replacements for hidden characters. */
const shownMark = /[\u2400-\u2426]|⟦U\+/

/** Text in the same style continues in the span before it. */
function append(line: InlineSpan[], span: InlineSpan): void {
  const last = line.at(-1)
  if (last?.style === span.style) line[line.length - 1] = { text: literal`${last.text}${span.text}`, style: span.style }
  else line.push(span)
}

function painted(look: InlineStyle, inner: TextStyle): InlineStyle {
  return { ...look, looks: [...look.looks, inner] }
}

/** The target in the form that OSC 8 allows; '' if a terminal should not open it. */
function linkTarget(href: string): string {
  if (!/^(?:https?|file|mailto):/i.test(href)) return ''
  const target = href.toWellFormed().replaceAll(/[^\u0021-\u007e]/gu, character => encodeURIComponent(character))
  return target.length > 2000 ? '' : target
}

function plainTarget(target: string): string {
  return target.replace(/^(?:https?:\/\/|mailto:)/i, '').replace(/\/$/, '')
}

/** The named characters that models write. Others stay as they are. */
const namedCharacters: ReadonlyMap<string, string> = new Map(
  (
    'amp & lt < gt > quot " apos \' copy © reg ® trade ™ hellip … mdash — ndash – bull • middot · sect § para ¶ deg ° ' +
    'plusmn ± times × divide ÷ minus − le ≤ ge ≥ ne ≠ asymp ≈ infin ∞ sum ∑ radic √ larr ← uarr ↑ rarr → darr ↓ harr ↔ ' +
    'rArr ⇒ lArr ⇐ hArr ⇔ laquo « raquo » lsquo ‘ rsquo ’ ldquo “ rdquo ” euro € pound £ yen ¥ cent ¢ micro µ ' +
    'alpha α beta β gamma γ delta δ epsilon ε lambda λ mu μ pi π sigma σ tau τ phi φ omega ω Delta Δ Sigma Σ Omega Ω ' +
    'auml ä ouml ö uuml ü Auml Ä Ouml Ö Uuml Ü szlig ß eacute é egrave è agrave à ccedil ç ntilde ñ check ✓ cross ✗ star ☆'
  )
    .split(' ')
    .flatMap((word, index, words) => (index % 2 === 0 ? [[word, words[index + 1] ?? ''] as const] : [])),
)

/** Replaces character references by their characters. The result is not sanitised. */
function decodeEntities(text: string): string {
  if (!text.includes('&')) return text
  return text.replace(/&(?:#(\d{1,7})|#[xX]([\da-fA-F]{1,6})|([a-zA-Z]{2,8}));/g, (whole, decimal, hex, name) => {
    if (name === 'nbsp') return '\u00a0'
    if (typeof name === 'string') return namedCharacters.get(name) ?? whole
    const code = typeof decimal === 'string' ? Number.parseInt(decimal, 10) : Number.parseInt(String(hex), 16)
    return code === 0 || code > 0x10ffff ? '\ufffd' : String.fromCodePoint(code)
  })
}
