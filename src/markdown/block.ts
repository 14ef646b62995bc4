/** The blocks that growing text is cut into. A finished block never changes, and its look depends only on itself. */
import type { Span } from '../text/styled.ts'

/** A finished piece of a message. Its texts have passed the sanitiser line by line; tabs in them are spaces. */
export type MarkdownBlock = Leaf & {
  /** Its containers, the outermost first. */
  readonly within: readonly Container[]
  /**
   * The number of outer containers that the blank line before it stands in, since quote bars continue beside it; null
   * without a blank line.
   */
  readonly above: number | null
  /** The line of the text after its last one, counted from 0. Lines between two blocks belong to the second one. */
  readonly to: number
}

export type Leaf =
  | { readonly kind: 'paragraph'; readonly source: string; readonly links: Links }
  | { readonly kind: 'heading'; readonly source: string; readonly level: number; readonly links: Links }
  | CodeLine
  | {
      readonly kind: 'table'
      readonly rows: readonly string[]
      readonly aligns: readonly Align[]
      readonly links: Links
    }
  | { readonly kind: 'rule' }
  | { readonly kind: 'html'; readonly source: string }
  | { readonly kind: 'definition'; readonly source: string }

/**
 * One line of code: fences are committed line by line. `language` is the fence's first word ('' for none), even if it
 * cannot be coloured. `spans` are the parts of the line, in order.
 */
export type CodeLine = {
  readonly kind: 'code'
  readonly language: string
  /** Whether it is the first line of its code block. */
  readonly begins: boolean
  readonly spans: readonly CodeSpan[]
  readonly source: CodePlace
}

/**
 * The place of a line of code in the text: its line, counted from 0, and the columns before it that are not code. `made` is the line
 * itself where the text has it in another form, as in the JSON of findings.
 */
export type CodePlace = {
  readonly line: number
  readonly column: number
  readonly fenced: boolean
  readonly made?: string
}

/** A part of a line of code and its kind, null for plain code. */
export type CodeSpan = Span<Syntax | null, string>

/** The kinds of code that a theme can colour. */
export type Syntax =
  | 'keyword'
  | 'string'
  | 'number'
  | 'literal'
  | 'comment'
  | 'title'
  | 'type'
  | 'variable'
  | 'attribute'
  | 'tag'
  | 'meta'
  | 'added'
  | 'removed'

/** The alignment of a table's column. */
export type Align = 'left' | 'right' | 'center'

export type Container =
  | { readonly kind: 'quote' }
  | {
      readonly kind: 'item'
      /** Its number, counted as Markdown does; null in a bullet list. */
      readonly ordinal: number | null
      readonly delimiter: '.' | ')'
      /** Whether the task is done; null if it is not a task. */
      readonly task: boolean | null
      /** Whether the block is the first in the item, so that it gets the item's mark. */
      readonly opens: boolean
    }

/** The link targets defined so far, by normalised label. A later definition does not change a finished block. */
export type Links = ReadonlyMap<string, string>
