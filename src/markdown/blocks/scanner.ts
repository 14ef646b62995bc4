import { findingsAsMarkdown } from '../../review/findings/as-markdown.ts'
import { FINDINGS_LANGUAGE } from '../../review/findings/finding.ts'
import { findingsInJson } from '../../review/findings/read-json.ts'
import type { MarkdownBlock, CodePlace, Leaf, Links } from '../block.ts'
import { beginCode, readCode } from '../code/code.ts'
import { FinishedBlocks, type ReadLine } from './finished-blocks.ts'
import { type HtmlEnd, htmlEndOf } from './html.ts'
import {
  alignsOf,
  cellsOf,
  closesFence,
  definitionOf,
  fenceOf,
  headingOf,
  indentOf,
  isBlank,
  isRule,
  type Marker,
  markerOf,
  outdent,
  printable,
  quoted,
  underlineOf,
  withDefinition,
} from './line.ts'
import {
  type OpenCode,
  copyOf,
  inItem,
  itemOf,
  mayInterrupt,
  type OpenContainer,
  type OpenLeaf,
} from './open-blocks.ts'

/** Deeper nesting counts as text, since each line is compared with all open containers. */
const deepest = 24

/** Characters of findings that are held back until they are complete. More are shown as the code that they are. */
const mostFindings = 300_000

/** Findings that are listed while the rest is being written. */
const LISTED = 8

/** A longer paragraph is emitted in parts, since a block is drawn as a whole. */
const longestParagraph = 8192

/**
 * The block structure of Markdown, after CommonMark. It reads line by line and decides for good, so that its output
 * depends only on the lines so far, and the work for a line does not grow with the text. The marks inside a block are
 * read when it is drawn.
 */
export class Scanner {
  #open: OpenContainer[] = []
  #leaf: OpenLeaf | null = null
  #links: Links = new Map()
  #finished = new FinishedBlocks()
  #nextId = 0
  #line: ReadLine = { number: -1, length: 0, goesOn: false }
  /** Whether the lines that are read were made of findings. */
  #isMade = false
  /** How many findings are listed: of those that are still being written only the last ones are shown, again and again. */
  #listed = Infinity

  /**
   * Reads one line without its newline, sanitised and without tabs, or only the beginning of one that `goesOn`; returns the
   * blocks that it finished.
   */
  read(line: string, goesOn = false): MarkdownBlock[] {
    this.#line = { number: this.#line.number + 1, length: line.length, goesOn }
    this.#readInside(line, 0)
    return this.#finished.take()
  }

  /** Reads a line of the containers within the `depth` outermost ones. */
  #readInside(line: string, depth: number): void {
    let rest = line
    let matched = depth
    for (const open of this.#open.slice(depth)) {
      const inner = open.kind === 'quote' ? quoted(rest) : inItem(open, rest)
      if (inner === null) break
      if (open.kind === 'item' && !isBlank(inner)) open.empty = false
      rest = inner
      matched++
    }
    if (matched < this.#open.length || !this.#goesOn(rest)) this.#begin(rest, matched)
  }

  /** Reads more of the last line, which belongs to the block of its beginning. */
  readOn(rest: string, goesOn = false): MarkdownBlock[] {
    this.#line = { number: this.#line.number, length: rest.length, goesOn }
    const leaf = this.#leaf
    if (rest === '') return []
    if (leaf?.kind === 'fence' || leaf?.kind === 'indented') this.#code(leaf, rest)
    else if (leaf?.kind === 'findings') this.#hold(leaf, rest, true)
    else if (leaf?.kind === 'html') this.#html(leaf, rest)
    else if (leaf?.kind === 'table') leaf.rows.push(rest)
    else if (leaf?.kind === 'paragraph') this.#grow(leaf, rest)
    else this.#leaf = { kind: 'paragraph', lines: [rest], size: rest.length, begun: true }
    return this.#finished.take()
  }

  /** Closes everything that is open; returns the last blocks. */
  end(): MarkdownBlock[] {
    this.#line = { number: this.#line.number + 1, length: 0, goesOn: false }
    this.#closeTo(0)
    return this.#finished.take()
  }

  /** The line that ends what is open and goes on until it is ended; null if there is nothing like that. An item or a quote ends by itself. */
  closing(): string | null {
    const leaf = this.#open.length === 0 ? this.#leaf : null
    if (leaf?.kind === 'fence' || leaf?.kind === 'findings') return leaf.fence.mark
    return leaf?.kind === 'html' && leaf.end !== 'blank' ? leaf.end.close : null
  }

  /** An independent copy, with at most the last `lines` lines of an open paragraph or table. */
  clone(lines: number): Scanner {
    const copy = new Scanner()
    copy.#open = this.#open.map(open => ({ ...open }))
    copy.#leaf = copyOf(this.#leaf, lines)
    copy.#links = this.#links
    copy.#nextId = this.#nextId
    copy.#line = this.#line
    copy.#finished = this.#finished.clone()
    copy.#listed = LISTED
    return copy
  }

  /** Adds the line to open code or HTML; false if neither takes it. */
  #goesOn(rest: string): boolean {
    const leaf = this.#leaf
    if (leaf?.kind === 'fence') {
      if (closesFence(rest, leaf.fence.mark)) this.#leaf = null
      else this.#code(leaf, outdent(rest, leaf.fence.indent))
      return true
    }
    if (leaf?.kind === 'findings') {
      if (closesFence(rest, leaf.fence.mark)) this.#closeLeaf()
      else this.#hold(leaf, outdent(rest, leaf.fence.indent), false)
      return true
    }
    if (leaf?.kind === 'html') return this.#html(leaf, rest)
    if (leaf?.kind !== 'indented') return false
    if (isBlank(rest)) {
      const text = rest.slice(4)
      leaf.blanks.push({ text, place: this.#placeOf(text, false) })
      return true
    }
    if (indentOf(rest) < 4) return false
    for (const { text, place } of leaf.blanks.splice(0)) this.#code(leaf, text, place)
    this.#code(leaf, rest.slice(4))
    return true
  }

  #code(
    leaf: OpenCode & { kind: 'fence' | 'indented' },
    line: string,
    source = this.#placeOf(line, leaf.kind === 'fence'),
  ): void {
    const { spans, next } = readCode(leaf.state, line.trimEnd())
    this.#give({ kind: 'code', language: leaf.language, begins: !leaf.begun, spans, source }, leaf.begun)
    leaf.state = next
    leaf.begun = true
  }

  /** The place of code at the end of the present line. */
  #placeOf(code: string, fenced: boolean): CodePlace {
    const { number: line, length } = this.#line
    return { line, column: length - code.length, fenced, ...(this.#isMade && { made: code }) }
  }

  /** Holds a line of findings back. Where there are too many, they are shown as code, line by line. */
  #hold(leaf: Extract<OpenLeaf, { kind: 'findings' }>, text: string, joins: boolean): void {
    leaf.parts.push({ text, place: this.#placeOf(text, true), joins })
    leaf.size += text.length + 1
    if (leaf.size > mostFindings) this.#leaf = this.#asCode(leaf)
  }

  /** The lines that were held back, as lines of a fence that goes on. */
  #asCode({ fence, parts }: Extract<OpenLeaf, { kind: 'findings' }>): Extract<OpenLeaf, { kind: 'fence' }> {
    const { language } = fence
    const code = { kind: 'fence' as const, fence, language, state: beginCode('json'), begun: false }
    for (const { text, place } of parts) this.#code(code, text, place)
    return code
  }

  /** Reads complete findings as the list that they are; anything else in their place stays code. */
  #findings(leaf: Extract<OpenLeaf, { kind: 'findings' }>): void {
    const found = findingsInJson(leaf.parts.map(({ text, joins }) => `${joins ? '' : '\n'}${text}`).join(''))
    if (!found) return void this.#asCode(leaf)
    const depth = this.#open.length
    this.#isMade = true
    this.#finished.blank()
    for (const line of findingsAsMarkdown(found, this.#listed)) this.#readInside(printable(line), depth)
    this.#closeTo(depth)
    this.#finished.blank()
    this.#isMade = false
  }

  #html(leaf: { end: HtmlEnd; begun: boolean }, line: string): boolean {
    if (leaf.end === 'blank' && isBlank(line)) return false
    this.#give({ kind: 'html', source: line.trimEnd() }, leaf.begun)
    leaf.begun = true
    if (leaf.end !== 'blank' && leaf.end.line.test(line)) this.#leaf = null
    return true
  }

  /** Reads a line that open code or HTML did not take: its containers first, then the block in them. */
  #begin(line: string, stillOpen: number): void {
    let rest = line
    let matched = stillOpen
    const ids = this.#nextId
    for (;;) {
      const depth = matched
      const inParagraph = this.#leaf?.kind === 'paragraph'
      if (isBlank(rest) || indentOf(rest) > 3 || depth >= deepest) break
      const inner = quoted(rest)
      if (inner !== null) {
        this.#push(depth, { kind: 'quote', id: this.#nextId++ })
        rest = inner
      } else if (this.#starts(rest, depth)) {
        return
      } else {
        const marker = markerOf(rest)
        if (marker === null || (inParagraph && depth === this.#open.length && !mayInterrupt(marker))) break
        rest = this.#item(depth, marker)
      }
      matched = this.#open.length
    }
    if (!isBlank(rest)) this.#text(rest, matched)
    else {
      this.#closeTo(matched)
      // A line with the mark of a new item or quote does not count as blank: its text is yet to come.
      if (this.#nextId === ids) this.#finished.blank()
    }
  }

  /** Begins a block other than a paragraph; false if the line begins none. */
  #starts(rest: string, depth: number): boolean {
    if (depth === this.#open.length && this.#rewrites(rest)) return true
    const heading = headingOf(rest)
    const fence = heading === null ? fenceOf(rest) : null
    const html = htmlEndOf(rest, this.#leaf?.kind === 'paragraph')
    const rule = isRule(rest)
    if (heading === null && fence === null && html === null && !rule) return false
    this.#closeTo(depth)
    if (heading !== null) {
      this.#give({ kind: 'heading', source: heading.text, level: heading.level, links: this.#links })
    } else if (fence !== null) {
      const { language } = fence
      const isFindings = language === FINDINGS_LANGUAGE && !this.#isMade
      this.#leaf = isFindings
        ? { kind: 'findings', fence, parts: [], size: 0 }
        : { kind: 'fence', fence, language, state: beginCode(language), begun: false }
    } else if (html !== null) {
      this.#leaf = { kind: 'html', end: html, begun: false }
      this.#html(this.#leaf, rest)
    } else {
      this.#give({ kind: 'rule' })
    }
    return true
  }

  /** Turns the paragraph above into a table or a heading if the line is a table's second row or an underline. */
  #rewrites(rest: string): boolean {
    const leaf = this.#leaf
    if (leaf?.kind !== 'paragraph') return false
    const aligns = alignsOf(rest)
    const header = leaf.lines.at(-1) ?? ''
    if (aligns !== null && header.includes('|') && cellsOf(header).length === aligns.length) {
      leaf.lines.pop()
      this.#closeLeaf()
      this.#leaf = { kind: 'table', rows: [header], aligns }
      return true
    }
    const level = underlineOf(rest)
    if (level === null) return false
    this.#leaf = null
    this.#give({ kind: 'heading', source: leaf.lines.join('\n'), level, links: this.#links })
    return true
  }

  #item(depth: number, marker: Marker): string {
    const { item, rest } = itemOf(marker, this.#open[depth])
    this.#push(depth, { ...item, id: this.#nextId++ })
    return rest
  }

  #push(depth: number, open: OpenContainer): void {
    this.#closeTo(depth)
    this.#open.push(open)
  }

  /** Reads the rest of a line: text of a paragraph or a table, or indented code. */
  #text(rest: string, matched: number): void {
    const leaf = this.#leaf
    // A paragraph continues even without the marks of its containers.
    if (leaf?.kind === 'paragraph') {
      this.#grow(leaf, rest.trimStart())
    } else if (leaf?.kind === 'table' && matched === this.#open.length) {
      leaf.rows.push(rest)
    } else {
      this.#closeTo(matched)
      this.#first(rest)
    }
  }

  /** A very long paragraph is emitted up to its last line, which may still turn out to be something else. */
  #grow(leaf: Extract<OpenLeaf, { kind: 'paragraph' }>, line: string): void {
    leaf.lines.push(line)
    leaf.size += line.length
    if (leaf.size <= longestParagraph) return
    const last = leaf.lines.splice(-1)
    this.#give({ kind: 'paragraph', source: leaf.lines.join('\n'), links: this.#links }, leaf.begun)
    this.#leaf = { kind: 'paragraph', lines: last, size: line.length, begun: true }
  }

  #first(rest: string): void {
    const definition = definitionOf(rest)
    if (indentOf(rest) > 3) {
      this.#leaf = { kind: 'indented', language: '', state: null, begun: false, blanks: [] }
      this.#code(this.#leaf, rest.slice(4))
    } else if (definition !== null) {
      this.#links = withDefinition(this.#links, definition)
      this.#give({ kind: 'definition', source: rest.trim() })
    } else {
      this.#leaf = { kind: 'paragraph', lines: [rest.trimStart()], size: rest.length, begun: false }
    }
  }

  /** Closes the open leaf and all but the `depth` outermost containers. */
  #closeTo(depth: number): void {
    this.#closeLeaf()
    while (this.#open.length > depth) {
      const open = this.#open.at(-1)
      // An item without text is still an item.
      if (open?.kind === 'item' && open.unseen) this.#give({ kind: 'paragraph', source: '', links: this.#links })
      this.#open.pop()
    }
  }

  #closeLeaf(): void {
    const leaf = this.#leaf
    this.#leaf = null
    if (leaf?.kind === 'paragraph' && leaf.lines.length > 0) {
      this.#give({ kind: 'paragraph', source: leaf.lines.join('\n'), links: this.#links }, leaf.begun)
    } else if (leaf?.kind === 'table') {
      this.#give({ kind: 'table', rows: leaf.rows, aligns: leaf.aligns, links: this.#links })
    } else if (leaf?.kind === 'findings') {
      this.#findings(leaf)
    } else if (leaf?.kind === 'indented' && leaf.blanks.length > 0) {
      this.#finished.blank()
    }
  }

  #give(leaf: Leaf, goesOn = false): void {
    this.#finished.add(leaf, { open: this.#open, line: this.#line, goesOn })
  }
}
