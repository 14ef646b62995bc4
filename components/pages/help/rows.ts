/** The help as rows: the keys and commands, or a text, and the keys for scrolling at the bottom. */
import { empty, indented, type Styled } from '../../../src/style/styled.ts'
import { factsLine, type Fact } from '../../../src/style/facts-line.ts'
import { keyFact } from '../../../src/style/list-window.ts'
import type { AppState } from '../../../src/state/state.ts'
import type { Theme } from '../../../src/style/theme.ts'
import { keyed } from '../../../src/text/key-hints.ts'
import { wrap } from '../../../src/text/lines/wrap.ts'
import { oneLine, sanitize } from '../../../src/text/sanitize.ts'
import { keyRows } from '../key-list.ts'
import {
  BACK,
  bodyRows,
  EDGE,
  fittedRow,
  statusLine,
  type PageContext,
  type PageRows,
  type PageReader,
} from '../page-rows.ts'
import type { HelpContent, HelpState } from './state.ts'

export type HelpReading = {
  app: AppState
  context: PageContext
  /** All rows, and the first visible one. */
  rows: readonly Styled[]
  from: number
  /** Rows above the line at the bottom. */
  body: number
}

/** Rows are drawn again only for another theme or width. */
export function createHelpReader(content: HelpContent): PageReader<HelpState, HelpReading> {
  let last: { theme: Theme; columns: number; rows: readonly Styled[] } | null = null
  return ({ from }, app, context) => {
    const { theme, size } = context
    if (last?.theme !== theme || last.columns !== size.columns)
      last = { theme, columns: size.columns, rows: rowsOf(content, context) }
    const { rows } = last
    const body = Math.max(1, size.rows - 1)
    return { app, context, rows, from: Math.min(from, lastTop(rows, body)), body }
  }
}

/** The row at which the last page begins. */
export function lastTop(rows: readonly Styled[], body: number): number {
  return Math.max(0, rows.length - body)
}

export function helpRows(reading: HelpReading): PageRows {
  return { body: helpBody(reading), bottom: helpBottom(reading) }
}

export function helpBody({ rows, from, body, context }: HelpReading): Styled[] {
  return bodyRows(rows.slice(from, from + body), body, context)
}

export function helpBottom({ app, rows, from, body, context }: HelpReading): Styled {
  const { theme, size } = context
  if (app.hint !== null) return statusLine(app, () => [], context)
  const place = keyFact(`line ${Math.min(rows.length, from + body)} of ${rows.length}`, 2)
  const key = (hint: string, rank: number): Fact => keyFact(keyed(app.keyNames, hint), rank)
  const keys = [...(rows.length > body ? [key('{viewer.up}, {viewer.down} scroll', 1), place] : []), key(BACK, 0)]
  return fittedRow(indented(EDGE, theme.dim(factsLine(keys, size.columns - EDGE))), context)
}

function rowsOf(content: HelpContent, context: PageContext): Styled[] {
  const { theme, size } = context
  if (content.kind === 'text')
    return [
      indented(EDGE, theme.strong(oneLine(sanitize(content.title)))),
      empty,
      ...wrap(sanitize(content.text), Math.max(2, size.columns - EDGE)).map(line => indented(EDGE, line)),
    ]
  const all = content.sections.flatMap(section => section.rows)
  return content.sections.flatMap(({ title, rows: keys }, index) => [
    ...(index === 0 ? [] : [empty]),
    indented(EDGE, theme.strong(sanitize(title))),
    ...keyRows({ ...context, keys }, all),
  ])
}
