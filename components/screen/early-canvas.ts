import type { Styled } from '../../src/style/styled.ts'
import type { Canvas } from './canvas.tsx'

export type EarlyCanvas<View> = Canvas<View> & {
  /** Leaves the drawing to another canvas, which must draw the same rows. It is unmounted if this one is. */
  handOver: (to: Canvas<View>) => void
}

/**
 * A canvas for the first frames. Loading React, Ink and yoga takes longer than everything else that these need. Until
 * then the rows are written directly; the components lay out the same rows, so that nothing on the screen changes.
 */
export function createEarlyCanvas<View>(rowsOf: (view: View) => readonly Styled[]): EarlyCanvas<View> {
  let view: View | null = null
  let successor: Canvas<View> | null = null
  let isOver = false
  const canvas: EarlyCanvas<View> = {
    show(next) {
      view = next
      if (successor) successor.show(next)
      else canvas.onDrawn?.(next, rowsOf(next))
    },
    draw(next) {
      view = next
      return successor ? successor.draw(next) : rowsOf(next)
    },
    onDrawn: null,
    handOver(to) {
      if (isOver) return void to.unmount()
      to.onDrawn = (drawn, rows) => canvas.onDrawn?.(drawn, rows)
      if (view !== null) to.draw(view)
      successor = to
    },
    async unmount() {
      isOver = true
      await successor?.unmount()
    },
  }
  return canvas
}
