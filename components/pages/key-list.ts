/** The list of a page's keys, which `?` shows in place of its content. */
import { drawn, indented, type Styled } from '../../src/style/styled.ts'
import { displayWidth, padTo } from '../../src/text/lines/width.ts'
import { wrap } from '../../src/text/lines/wrap.ts'
import { lookup } from '../../src/text/lookup.ts'
import { sanitize } from '../../src/text/sanitize.ts'
import type { PageContext } from './page-rows.ts'
import { scrollSteps } from './scroll.ts'

/** The rows of the key list from `from` on, at most to the last page. */
export function keyListPage(context: PageContext, from: number, body: number): Styled[] {
  const first = Math.min(from, lastRow(context, body))
  return keyRows(context).slice(first, first + body)
}

/** The first row of the key list after a move; null if the move closes it. */
export function keyListAfter(
  { context, body }: { context: PageContext; body: number },
  from: number,
  move: string,
): number | null {
  const steps: Partial<Record<string, number>> = scrollSteps(body)
  const by = lookup(steps, move)
  return by === undefined ? null : Math.max(0, Math.min(from + by, lastRow(context, body)))
}

/** The row at which the last page of the key list begins. */
function lastRow(context: PageContext, body: number): number {
  return Math.max(0, keyRows(context).length - body)
}

/** With less room than this beside the keys, their actions go below them. */
const LEAST_BESIDE = 16

/** A line for each key, wrapped on a narrow screen. */
export function keyRows({ keys, theme, size }: PageContext): Styled[] {
  const widest = Math.max(0, ...keys.map(([name]) => displayWidth(name)))
  const beside = size.columns - widest - 4
  const isBelow = beside < LEAST_BESIDE
  const room = isBelow ? size.columns - 4 : beside
  return keys.flatMap(([named, does]) => {
    const [first = sanitize(''), ...rest] = wrap(sanitize(does), Math.max(2, room))
    const indent = isBelow ? 4 : widest + 4
    const name = theme.accent(padTo(sanitize(named), widest))
    if (isBelow) return [drawn`  ${name}`, ...[first, ...rest].map(line => indented(indent, line))]
    return [drawn`  ${name}  ${first}`, ...rest.map(line => indented(indent, line))]
  })
}
