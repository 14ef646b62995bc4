/** /serve for a state and a size: what it lists, and where the QR code has room. */
import type { AppState } from '../../../src/state/state.ts'
import type { PageContext, PageReader } from '../page-rows.ts'
import { askToAnswer, selectedItem, serveItems, type AskItem, type ServeItem } from './items.ts'
import type { ServeState } from './state.ts'

export type ServeReading = {
  app: AppState
  view: ServeState
  context: PageContext
  items: readonly ServeItem[]
  /** The index of the selected row; -1 if there is none. */
  selected: number
  /** What a yes or no answers. */
  ask: AskItem | null
  /** The QR code, and whether it stands beside the list or above it; null if there is none, or no room for it. */
  code: { rows: readonly string[]; isBeside: boolean } | null
  /** Rows between the title and the line at the bottom. */
  body: number
  /** The columns and rows of the list. */
  width: number
  area: number
}

/** The columns that a list beside the code needs, and the rows of one below it. */
const LEAST_BESIDE = 32
const LEAST_BELOW = 8
/** Blanks around the code. */
export const AROUND_CODE = 2

export function createServeReader(): PageReader<ServeState, ServeReading> {
  return (view, app, context) => {
    const { rows, columns } = context.size
    const body = Math.max(1, rows - 2)
    const items = serveItems(view, app.serveAsks)
    const ask = askToAnswer(items, view.selected)
    const code = codePlace(view, { columns, body, isHidden: ask !== null || !context.theme.markdown.unicode })
    const beside = code?.isBeside === true ? codeWidth(code.rows) + 2 * AROUND_CODE : 0
    const above = code && !code.isBeside ? code.rows.length + 1 : 0
    return {
      app,
      view,
      context,
      items,
      selected: selectedItem(items, view.selected),
      ask,
      code,
      body,
      width: columns - beside,
      area: body - above,
    }
  }
}

function codePlace(
  { server }: ServeState,
  { columns, body, isHidden }: { columns: number; body: number; isHidden: boolean },
): ServeReading['code'] {
  const rows = server.phase === 'running' ? server.qr : null
  if (rows === null || isHidden || body < rows.length) return null
  const width = codeWidth(rows) + 2 * AROUND_CODE
  if (columns >= width + LEAST_BESIDE) return { rows, isBeside: true }
  return columns >= width && body >= rows.length + 1 + LEAST_BELOW ? { rows, isBeside: false } : null
}

/** The columns of a code. */
export function codeWidth(rows: readonly string[]): number {
  return rows[0]?.length ?? 0
}
