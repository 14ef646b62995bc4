/** The context and the formats that the lines of all entries share. */
import type { MarkdownStyle } from '../markdown/style.ts'
import { drawn, empty, indented, type Paint, type Styled } from '../style/styled.ts'
import type { Theme } from '../style/theme.ts'
import type { KeyNames } from '../text/key-hints.ts'
import { sanitize, type SafeText } from '../text/sanitize.ts'
import { wrap } from '../text/lines/wrap.ts'
import type { Detail } from '../tools/panel/tool-context.ts'
import type { ToolContext } from '../tools/panel/tool-context.ts'

export type ItemContext = {
  theme: Theme
  markdown: MarkdownStyle
  width: number
  detail?: Detail
  /** Shows thinking in full. */
  thoughts?: boolean
  /** Rows of the screen. */
  rows?: number
  /** Shows everything, however long. */
  whole?: boolean
  /** The state of tool output that is not in memory. */
  rest?: ToolContext['rest'] | undefined
  /** Shows the raw source, with lines broken by the `terminal` or at the `width`. */
  raw?: 'terminal' | 'width' | null
  /** Whether the reader can type commands. */
  takesCommands?: boolean
  /** The absolute path of the agent's folder: paths in it are shown without it. */
  folder?: string | undefined
  /** The keys that hints name. Without them, these hints are left out. */
  keyNames?: KeyNames
}

/** A sign and what happened; the hint below says what to do. */
export function signed(
  paint: Paint,
  sign: string,
  text: SafeText,
  hint: string,
  { theme, width }: ItemContext,
): Styled[] {
  const isFailure = sign === theme.signs.failed
  const [first = empty, ...rest] = wrap(text, Math.max(2, width - 2)).map(line => (isFailure ? paint(line) : line))
  return [
    drawn`${paint(sanitize(sign))} ${first}`,
    ...rest.map(line => indented(2, line)),
    ...body(sanitize(hint), width, theme.dim),
  ]
}

/** Text indented by the two-column gutter; no rows for no text. */
export function body(text: SafeText, width: number, paint: Paint = line => drawn`${line}`): Styled[] {
  return text === '' ? [] : wrap(text, Math.max(2, width - 2)).map(line => indented(2, paint(line)))
}
