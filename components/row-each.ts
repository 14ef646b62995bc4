/** A region whose panels have a row each, or none. */
import type { Styled } from '../src/style/styled.ts'
import { type DrawnPanel, type Panel, type PanelFrame, pieceOf, rowsOnly, type ScreenLayout } from './regions.ts'

export type RowPanel<Frame = PanelFrame> = Panel<Frame> & {
  /** Whether it gets its row before the others. */
  isUrgent?: boolean
}

/** A panel of one row, or none. */
export function rowOnly(row: Styled | null): DrawnPanel | null {
  return row && rowsOnly([row])
}

/** A row for each panel, as long as there is room. A blank row stands above them. */
export function rowEach<Frame extends PanelFrame>(panels: readonly RowPanel<Frame>[]): ScreenLayout<Frame>['progress'] {
  const ranked = [...panels.filter(({ isUrgent }) => isUrgent), ...panels.filter(({ isUrgent }) => !isUrgent)]
  return (frame, room) => {
    let left = room
    const taken = new Map<string, readonly Styled[]>()
    for (const { name, draw } of ranked) {
      const rows = draw(frame, room, left)?.pieces[0]?.rows.slice(0, 1) ?? []
      if (rows.length === 0) continue
      // The blank row is counted first, and stays even if nothing else has room.
      const isFirst = left === room
      left -= isFirst ? 2 : 1
      if (left >= 0 || isFirst) taken.set(name, left < 0 ? [] : rows)
    }
    const shown = panels.filter(({ name }) => taken.has(name))
    return shown.map(({ name }, at) => pieceOf(name, { gap: at === 0 && room > 0, rows: taken.get(name) ?? [] }, frame))
  }
}
