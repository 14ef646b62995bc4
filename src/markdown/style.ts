import type { Syntax } from './block.ts'

/** Gives a text its look. The text is safe and never empty; what comes back has the same columns. */
export type MarkdownPaint = (text: string) => string

/** The look of Markdown: paints by meaning, and the terminal's abilities. Paints nest, the outer one last. */
export type MarkdownStyle = {
  readonly heading: (text: string, level: number) => string
  /** Whether `#` stays before a heading: where nothing is painted, nothing else tells it from a paragraph. */
  readonly headingMarks?: boolean
  readonly strong: MarkdownPaint
  readonly emphasis: MarkdownPaint
  readonly strike: MarkdownPaint
  /** Code inside a line. */
  readonly code: MarkdownPaint
  /** Code in a block without a syntax colour. */
  readonly codeBlock?: MarkdownPaint
  readonly link: MarkdownPaint
  /** The text of a quote and the bar beside it. */
  readonly quote: MarkdownPaint
  readonly rule: MarkdownPaint
  readonly listMark: MarkdownPaint
  readonly tableHeader: MarkdownPaint
  readonly tableRule: MarkdownPaint
  /** Facts about the text: link targets, HTML, definitions. */
  readonly dim: MarkdownPaint
  /** A missing one looks like `codeBlock`. */
  readonly syntax: Readonly<Partial<Record<Syntax, MarkdownPaint>>>
  /** Whether the terminal opens OSC 8 links. */
  readonly hyperlinks: boolean
  /** Whether signs beyond ASCII may be used. */
  readonly unicode: boolean
  /** Whether colours tell the kinds of a grid apart: then it has solid cells, else letters. */
  readonly cells?: boolean
  /** Whether each row of a table is a list of `header: value`: for people who use a screen reader. */
  readonly tablesByRow?: boolean
}

/** The style and width of a drawing. */
export type MarkdownDrawing = {
  /** Columns; no line is wider. Fewer than 2 count as 2. */
  readonly width: number
  readonly style: MarkdownStyle
  /** Columns before everything, within `width`. */
  readonly indent?: number
  /** The number of the first code block in it, counted from 1; without it, code has no line above that names it. */
  readonly code?: number
  /** Whether the line above code shows the command that copies it. */
  readonly copies?: boolean
}
