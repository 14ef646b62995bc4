/** /serve as rows of the screen: the QR code, beside or above the list. */
import { factsLine, GAP, type Fact } from '../../../src/style/facts-line.ts'
import { drawn, empty, filled, indented, spread, type Styled } from '../../../src/style/styled.ts'
import { counted } from '../../../src/text/counted.ts'
import { keyed, keyedLine } from '../../../src/text/key-hints.ts'
import { inStyle, textStyle } from '../../../src/text/styled.ts'
import { oneLine, sanitize } from '../../../src/text/sanitize.ts'
import { keyListPage } from '../key-list.ts'
import { bodyRows, EDGE, fittedRow, questionFact, statusLine, type PageRows } from '../page-rows.ts'
import { viewOf } from './items.ts'
import { listRows, type ServeRow } from './list-rows.ts'
import { AROUND_CODE, codeWidth, type ServeReading } from './reading.ts'

export function serveRows(reading: ServeReading): PageRows {
  return { title: serveTitle(reading), body: serveBody(reading), bottom: serveBottom(reading) }
}

export function serveTitle(reading: ServeReading): Styled {
  const { view, context } = reading
  const { theme, size } = context
  const title = theme.accent(sanitize(view.help === null ? 'from the phone and the browser' : 'keys'))
  const devices = viewOf(view.server)?.devices ?? []
  const watching = devices.filter(({ isWatching }) => isWatching).length
  const facts: Fact[] = [
    { text: sanitize(devices.length === 0 ? '' : counted(devices.length, 'device')), rank: 1 },
    { text: theme.ok(sanitize(watching === 0 ? '' : `${watching} watching`)), rank: 0 },
  ]
  const room = size.columns - EDGE - title.width - GAP.length - 1
  return fittedRow(indented(EDGE, spread(title, factsLine(facts, room), size.columns - EDGE - 1)), context)
}

export function serveBody(reading: ServeReading): Styled[] {
  const { view, body, code, width, area, context } = reading
  if (view.help !== null) return bodyRows(keyListPage(context, view.help, body), body, context)
  const rows = listRows(reading)
  const top = topOf(rows, reading)
  const shown = Array.from({ length: area }, (_, at) => listRow(rows[top + at], rows[top + at - 1], reading))
  const list = bodyRows(shown, area, { ...context, size: { ...context.size, columns: width } })
  if (code === null) return list
  const drawnCode = code.rows.map(row => indented(AROUND_CODE, scanned(row, reading)))
  if (!code.isBeside) return bodyRows([...drawnCode, empty, ...list], body, context)
  const edge = codeWidth(code.rows) + 2 * AROUND_CODE
  return bodyRows(
    list.map((row, at) => drawn`${filled(drawnCode[at] ?? empty, edge)}${row}`),
    body,
    context,
  )
}

export function serveBottom(reading: ServeReading): Styled {
  const { app, view, context } = reading
  const { theme } = context
  const dim = (text: string, rank: number, shorter?: Fact): Fact => ({
    text: theme.dim(oneLine(sanitize(text))),
    rank,
    ...(shorter && { shorter }),
  })
  const always = ['{serve.help} keys', '{serve.leave} closes']
  const own = ['{serve.link} link', '{serve.change_role} role', '{serve.remove} forget', '{serve.off} end']
  const facts = (): Fact[] => {
    if (view.help !== null) return [dim(keyed(app.keyNames, '{serve.leave escape} closes'), 0)]
    const line = view.server.phase === 'running' ? [...own, ...always] : always
    return [
      ...(app.question === null ? [] : [questionFact(theme)]),
      dim(keyedLine(app.keyNames, line), 3, dim(keyedLine(app.keyNames, always), 2)),
    ]
  }
  return statusLine(app, facts, context)
}

/** Dark on light, whatever the colours of the screen are. */
function scanned(row: string, { context: { theme } }: ServeReading): Styled {
  const text = sanitize(row)
  if (theme.level === 0) return theme.selection(text)
  // The first sixteen colours are as the user set them up: the bright one may be dark. The others are not.
  const [dark, light] = theme.level === 1 ? [0, 15] : [16, 231]
  const style = { color: { kind: 'palette', index: dark }, background: { kind: 'palette', index: light } } as const
  return inStyle(textStyle(style), text)
}

/** The first row that is shown: the selected one stands in the middle, as far as there are rows around it. */
function topOf(rows: readonly ServeRow[], { items, selected, area }: ServeReading): number {
  const key = items[selected]?.key
  const at = rows.findIndex(row => row.key !== null && row.key === key)
  if (selected <= 0 || at < 0) return 0
  return Math.max(0, Math.min(rows.length - area, at - Math.floor(area / 2)))
}

/** The mark of the selected item stands before its first row. */
function listRow(row: ServeRow | undefined, before: ServeRow | undefined, reading: ServeReading): Styled {
  const { items, selected, context } = reading
  if (row === undefined) return empty
  const isFirst = row.key !== null && row.key === items[selected]?.key && before?.key !== row.key
  const mark = isFirst ? context.theme.accent(sanitize(context.theme.signs.chosen)) : drawn` `
  return drawn`${mark} ${row.text}`
}

/** The key of the item in a row of the screen; null if there is none. */
export function itemAtRow(reading: ServeReading, x: number, y: number): string | null {
  const { code, area, body, context, width } = reading
  const at = y - 1 - (body - area)
  if (at < 0 || at >= area || (code?.isBeside === true && x < context.size.columns - width)) return null
  const rows = listRows(reading)
  return rows[topOf(rows, reading) + at]?.key ?? null
}
