import type { TextStyle } from '../text/styled.ts'
import type { Syntax } from './block.ts'

/** The look of Markdown: looks by meaning, and the terminal's abilities. */
export type MarkdownStyle = {
  readonly heading: (level: number) => TextStyle
  /** Whether `#` stays before a heading: without colours and bold text, only that distinguishes it from a paragraph. */
  readonly headingMarks?: boolean
  readonly strong: TextStyle
  readonly emphasis: TextStyle
  readonly strike: TextStyle
  /** Code inside a line. */
  readonly code: TextStyle
  /** Code in a block without a syntax colour. */
  readonly codeBlock?: TextStyle
  readonly link: TextStyle
  /** The text of a quote and the bar beside it. */
  readonly quote: TextStyle
  readonly rule: TextStyle
  readonly listMark: TextStyle
  readonly tableHeader: TextStyle
  readonly tableRule: TextStyle
  /** Facts about the text: link targets, HTML, definitions. */
  readonly dim: TextStyle
  /** A missing one looks like `codeBlock`. */
  readonly syntax: Readonly<Partial<Record<Syntax, TextStyle>>>
  /** Whether the terminal opens OSC 8 links. */
  readonly hyperlinks: boolean
  /** Whether signs beyond ASCII may be used. */
  readonly unicode: boolean
  /** Whether a grid has solid cells, whose kinds differ by colour, instead of letters. */
  readonly cells?: boolean
  /** Whether each row of a table is a list of `header: value`: for people who use a screen reader. */
  readonly tablesByRow?: boolean
}

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
