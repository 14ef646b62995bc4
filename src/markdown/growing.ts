/**
 * An open paragraph, drawn repeatedly as it grows. A beginning without an open mark is drawn only once, since later
 * text cannot change it.
 */
import type { Token } from 'marked'
import { cutSpans, isSameLine, joinedText, type Styled, type TextStyle } from '../text/styled.ts'
import { rangesOf } from '../text/lines/wrap.ts'
import type { Leaf, MarkdownBlock } from './block.ts'
import { type BlockPrefix, prefixOf } from './block-prefix.ts'
import { heal } from './heal.ts'
import { type InlineSpan, inlineLines, lexerFor, plainBeginning } from './inline.ts'
import { inlineParts } from './inline-parts.ts'
import { framed, quoteLooks, wrapped } from './render.ts'
import type { MarkdownDrawing, MarkdownStyle } from './style.ts'

type Paragraph = MarkdownBlock & Extract<Leaf, { kind: 'paragraph' }>

/** The look of a paragraph, which decides how its text is drawn. */
type Setting = {
  links: Paragraph['links']
  style: MarkdownStyle
  looks: readonly TextStyle[]
  frame: BlockPrefix
}

/** The beginning of a paragraph that is drawn: its full rows, and the spans of the unfinished row. */
type Beginning = {
  setting: Setting
  source: string
  rows: readonly Styled[]
  row: readonly InlineSpan[]
  /** The length of the source at which to look for a longer beginning. */
  lookAt: number
}

/** Draws an open paragraph as it grows. Each text needs one of its own. */
export type GrowingParagraph = (block: Paragraph, drawing: MarkdownDrawing) => Styled[]

export function createGrowingParagraph(): GrowingParagraph {
  let last: Beginning | null = null

  /** The lines without the blank line above them. Marks that are open at the end count as closed. */
  return (block, drawing) => {
    const { source, links } = block
    const setting = {
      links,
      style: drawing.style,
      looks: quoteLooks(block, drawing.style),
      frame: prefixOf(block, drawing),
    }
    const { frame } = setting
    const known = last && isSame(last.setting, setting) && source.startsWith(last.source) ? last : null
    const before = known ?? { setting, source: '', rows: [], row: [], lookAt: frame.width }
    const begun = source.length < before.lookAt ? before : longer(before, source)
    last = begun
    const rest = drawn(begun, heal(source.slice(begun.source.length)))
    return [...begun.rows, ...framed(frame, wrapped(rest, frame.width), begun.rows.length > 0)]
  }
}

function isSame(one: Setting, other: Setting): boolean {
  const { frame, looks } = one
  return (
    one.links === other.links &&
    one.style === other.style &&
    looks.length === other.looks.length &&
    looks.every((look, index) => look === other.looks[index]) &&
    frame.width === other.frame.width &&
    isSameLine(frame.first, other.frame.first) &&
    isSameLine(frame.rest, other.frame.rest)
  )
}

/** The spans of each line from the unfinished row on. */
function drawn({ setting, row }: Beginning, rest: string): InlineSpan[][] {
  const [first = [], ...others] = inlineLines(rest, setting.links, setting.style, setting.looks)
  return [[...row, ...first], ...others]
}

/** The longest beginning that later text cannot change, or the known one. */
function longer(known: Beginning, source: string): Beginning {
  const { setting, rows } = known
  const { width } = setting.frame
  const rest = source.slice(known.source.length)
  // The search waits, while a mark stays open, until there is twice as much to look through.
  const next = { ...known, lookAt: source.length + Math.max(width, rest.length) }
  // A very long text is read in parts, which end at other places without its beginning.
  if (inlineParts(source).length > 1) return next
  const end = sureEnd(rest, setting)
  if (end === 0) return next
  const lines = drawn(known, rest.slice(0, end))
  const open = lines.pop() ?? []
  const ranges = rangesOf(joinedText(open), width, 'words')
  const [row = []] = cutSpans(open, ranges.splice(-1))
  const full = [...wrapped(lines, width), ...wrapped([open], width).slice(0, -1)]
  return {
    setting,
    source: source.slice(0, known.source.length + end),
    rows: [...rows, ...framed(setting.frame, full, rows.length > 0)],
    row,
    lookAt: source.length + width,
  }
}

/** Characters that begin a mark: they stay in a text only while the mark is open or has no end. */
const opensMark = /[*_~`[<\\]/

/** A blank between two words, where no mark begins or ends. */
const betweenWords = /[\p{L}\p{N}.,](?= [a-z0-9])/giu

/** The length of the text that no later text can change: it ends before the last blank between words with no mark open. */
function sureEnd(text: string, { links }: Setting): number {
  const plain = plainBeginning(text)
  let end = lastBlank(plain) ?? 0
  if (plain.length === text.length) return end
  let length = plain.length
  for (const token of lexerFor(links).inlineTokens(text.slice(length))) {
    if (!isClosed(token)) break
    const blank = token.type === 'text' ? lastBlank(token.raw) : null
    if (blank !== null) end = length + blank
    length += token.raw.length
  }
  return end
}

/** The offset of the last blank between words. */
function lastBlank(text: string): number | null {
  let last: number | null = null
  for (const { index, 0: letter } of text.matchAll(betweenWords)) last = index + letter.length
  return last
}

/** Whether a token contains no beginning of a mark that later text could close. */
function isClosed(token: Token): boolean {
  switch (token.type) {
    case 'strong':
    case 'em':
    case 'del':
      return (token.tokens ?? []).every(isClosed)
    case 'codespan':
      return 'text' in token && !opensMark.test(token.text)
    case 'link':
      return 'href' in token && !opensMark.test(token.href) && (token.tokens ?? []).every(isClosed)
    case 'text':
      return !opensMark.test(token.raw)
    default:
      return token.type === 'br'
  }
}
