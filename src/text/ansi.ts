/**
 * Text with our own SGR and OSC 8 sequences, split into pieces that each carry their style, and joined again.
 * Foreign text has no sequences (see sanitize.ts), so these are the only two kinds there are.
 */

/** A part of a line; `tag` holds its style in the caller's terms. */
export type AnsiPiece<Tag> = { readonly text: string; readonly tag: Tag }

/** The style of a piece: its attributes in the order they were switched on, and its link ('' for none). */
export type AnsiStyle = { readonly attributes: readonly Attribute[]; readonly link: string }

/** SGR parameters that switch something on, and the one that switches it off. */
type Attribute = { readonly on: string; readonly off: string }

const sequence = /\u001b\[([\d;:]*)m|\u001b\]8;([^\u0007\u001b]*)(?:\u0007|\u001b\\)/g

const plain: AnsiStyle = { attributes: [], link: '' }

/** Whether the text holds escape sequences at all. */
export function hasAnsi(text: string): boolean {
  return text.includes('\u001b')
}

/** The text of a styled line alone. */
export function withoutAnsi(line: string): string {
  return line.replaceAll(sequence, '')
}

/** Splits a styled line into pieces. Empty text between two sequences makes no piece. */
export function fromAnsi(line: string): AnsiPiece<AnsiStyle>[] {
  if (!hasAnsi(line)) return line === '' ? [] : [{ text: line, tag: plain }]
  const pieces: AnsiPiece<AnsiStyle>[] = []
  let look = plain
  let at = 0
  for (const match of line.matchAll(sequence)) {
    if (match.index > at) pieces.push({ text: line.slice(at, match.index), tag: look })
    at = match.index + match[0].length
    look = match[1] === undefined ? linked(look, match[2] ?? '') : withSgr(look, match[1])
  }
  if (at < line.length) pieces.push({ text: line.slice(at), tag: look })
  return pieces
}

/** Joins pieces with no more sequences than needed; everything is switched off at the end. */
export function toAnsi(pieces: readonly AnsiPiece<AnsiStyle>[]): string {
  let line = ''
  let look = plain
  for (const piece of pieces) {
    line += change(look, piece.tag) + piece.text
    look = piece.tag
  }
  return line + change(look, plain)
}

/** Text as a link that terminals with OSC 8 can open. The target must be printable ASCII. */
export function hyperlink(text: string, target: string): string {
  return `\u001b]8;;${target}\u001b\\${text}\u001b]8;;\u001b\\`
}

function linked(look: AnsiStyle, value: string): AnsiStyle {
  // `8;params;target`: an empty target closes.
  const link = value.indexOf(';') === value.length - 1 ? '' : value
  return { ...look, link }
}

function change(from: AnsiStyle, to: AnsiStyle): string {
  if (from === to) return ''
  const gone = from.attributes.filter(old => !to.attributes.some(attribute => same(old, attribute)))
  const off = [...new Set(gone.map(attribute => attribute.off))].toReversed()
  // Bold and dim share an end, so the one that stays is switched on again.
  const left = from.attributes.filter(attribute => !off.includes(attribute.off))
  const on = to.attributes.filter(attribute => !left.some(old => same(old, attribute)))
  const link = from.link === to.link ? '' : `\u001b]8;${to.link === '' ? ';' : to.link}\u001b\\`
  const sgr = [...off.map(code => `\u001b[${code}m`), ...on.map(attribute => `\u001b[${attribute.on}m`)].join('')
  return to.link === '' ? link + sgr : sgr + link
}

function same(a: Attribute, b: Attribute): boolean {
  return a.on === b.on && a.off === b.off
}

function withSgr(look: AnsiStyle, parameters: string): AnsiStyle {
  let attributes = look.attributes
  for (const code of codes(parameters)) {
    const off = endOf(code)
    if (code === '' || code === '0') attributes = []
    else if (off === undefined) attributes = attributes.filter(attribute => attribute.off !== code)
    else attributes = [...attributes.filter(attribute => !replaces(code, off, attribute)), { on: code, off }]
  }
  return { ...look, attributes }
}

// A new colour replaces the old one; bold and dim, which share an end, live side by side.
function replaces(code: string, off: string, old: Attribute): boolean {
  return old.off === off && (off !== '22' || old.on === code)
}

/** One entry for each thing that the parameters do: the three or five of an extended colour stay together. */
function codes(parameters: string): string[] {
  const parts = parameters.split(';')
  const found: string[] = []
  for (let at = 0; at < parts.length; at++) {
    const part = parts[at] ?? ''
    const extended = part === '38' || part === '48' || part === '58'
    const length = extended ? (parts[at + 1] === '5' ? 3 : 5) : 1
    found.push(parts.slice(at, at + length).join(';'))
    at += length - 1
  }
  return found
}

const ends: ReadonlyMap<number, string> = new Map([
  ...[1, 2].map(code => [code, '22'] as const),
  ...[3, 4, 5, 7, 8, 9].map(code => [code, String(code === 5 ? 25 : code + 20)] as const),
  ...[30, 31, 32, 33, 34, 35, 36, 37, 38, 90, 91, 92, 93, 94, 95, 96, 97].map(code => [code, '39'] as const),
  ...[40, 41, 42, 43, 44, 45, 46, 47, 48, 100, 101, 102, 103, 104, 105, 106, 107].map(code => [code, '49'] as const),
  ...([
    [21, '24'],
    [53, '55'],
    [58, '59'],
  ] as const),
])

/** The code that ends this one; undefined when it is an end itself. */
function endOf(code: string): string | undefined {
  return ends.get(Number.parseInt(code, 10))
}
