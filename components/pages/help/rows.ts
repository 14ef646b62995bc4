/** The help screen: keys and commands as rows, or the rows of a text. */
import type { HelpContent, HelpMove } from '../../../src/state/screens/help-screen.ts'
import { keyed, type KeyNames } from '../../../src/text/key-hints.ts'
import { oneLine, sanitize } from '../../../src/text/sanitize.ts'
import { factsLine, type Fact } from '../../../src/style/facts-line.ts'
import { drawn, empty, fitted, type Styled } from '../../../src/style/styled.ts'
import { keyFact } from '../../../src/style/list-window.ts'
import type { Theme } from '../../../src/style/theme.ts'
import { wrap } from '../../../src/text/lines/wrap.ts'
import { BACK, helpRows, scrollSteps } from '../transcript/rows.ts'
import type { PageContext } from '../page.ts'
import type { ViewerPage } from '../page.ts'

/** The scroll position of the help screen. */
export class HelpReader {
  readonly content: HelpContent
  /** The first visible row. */
  from = 0
  #body = 1
  #last = 0

  #drawn: { theme: Theme; columns: number; rows: readonly Styled[] } | null = null

  constructor(content: HelpContent) {
    this.content = content
  }

  /** All rows, which are drawn again only for another theme or width. */
  rows(context: Omit<PageContext, 'keys'>): readonly Styled[] {
    const { theme, size } = context
    if (this.#drawn?.theme !== theme || this.#drawn.columns !== size.columns)
      this.#drawn = { theme, columns: size.columns, rows: rowsOf(this.content, context) }
    return this.#drawn.rows
  }

  /** Takes the number of all rows, and of those visible at once. */
  fit(rows: number, body: number): void {
    this.#body = body
    this.#last = Math.max(0, rows - body)
    this.from = Math.min(this.from, this.#last)
  }

  scroll(move: HelpMove): void {
    this.from = Math.max(0, Math.min(this.#last, this.from + scrollSteps(this.#body)[move]))
  }
}

export function helpScreenPage(reader: HelpReader, names: KeyNames, context: Omit<PageContext, 'keys'>): ViewerPage {
  const { theme, size } = context
  const body = Math.max(1, size.rows - 1)
  const all = reader.rows(context)
  reader.fit(all.length, body)
  const shown = Array.from({ length: body }, (_, row) => all[reader.from + row] ?? empty)
  const place = keyFact(`line ${Math.min(all.length, reader.from + body)} of ${all.length}`, 2)
  const key = (hint: string, rank: number): Fact => keyFact(keyed(names, hint), rank)
  const keys = [...(all.length > body ? [key('{viewer.up}, {viewer.down} scroll', 1), place] : []), key(BACK, 0)]
  const fit = (lines: readonly Styled[]): Styled[] => fitted(lines, size.columns, theme.signs.ellipsis)
  const [bottom = empty] = fit([theme.dim(factsLine(keys, size.columns))])
  return { body: fit(shown), bottom, caret: null }
}

function rowsOf(content: HelpContent, context: Omit<PageContext, 'keys'>): Styled[] {
  const { theme, size } = context
  if (content.kind === 'text')
    return [
      theme.strong(oneLine(sanitize(content.title))),
      empty,
      ...wrap(sanitize(content.text), size.columns).map(line => drawn`${line}`),
    ]
  return content.sections.flatMap(({ title, rows: keys }, index) => [
    ...(index === 0 ? [] : [empty]),
    theme.strong(sanitize(title)),
    ...helpRows({ ...context, keys }),
  ])
}
