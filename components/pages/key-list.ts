/** The list of a page's keys, which `?` shows in place of its content. */
import { indented, joinStyled, type Styled } from '../../src/style/styled.ts'
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
/** The share of the screen that keys have beside their actions: what wider ones do stands below them, in its column. */
const KEYS_SHARE = 0.35

/** A line for each key, wrapped on a narrow screen; the actions begin in the same column for `all` keys of a page. */
export function keyRows({ keys, theme, size }: PageContext, all = keys): Styled[] {
  const widest = Math.max(0, ...all.map(([name]) => displayWidth(name)))
  const isNarrow = size.columns - widest - 4 < LEAST_BESIDE
  const column = isNarrow ? 0 : Math.min(widest, Math.floor(size.columns * KEYS_SHARE))
  return keys.flatMap(([named, does]) => {
    const name = padTo(sanitize(named), column)
    const lines = wrap(sanitize(does), Math.max(2, size.columns - column - 4))
    const [beside, below] = displayWidth(name) > column ? [[], lines] : [lines.slice(0, 1), lines.slice(1)]
    const first = joinStyled([theme.accent(name), ...beside], '  ')
    return [indented(2, first), ...below.map(line => indented(column + 4, line))]
  })
}
