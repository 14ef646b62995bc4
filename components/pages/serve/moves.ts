/** What keys and the mouse do in /serve. */
import { lookup } from '../../../src/text/lookup.ts'
import { keyListAfter } from '../key-list.ts'
import type { PageInput } from '../page-input.ts'
import { scrollSteps } from '../scroll.ts'
import type { ServeReading } from './reading.ts'
import { itemAtRow } from './rows.ts'
import type { ServeDoubt, ServeMove, ServeState } from './state.ts'

/** The next state; null closes the page. */
export function serveAfter(reading: ServeReading, input: PageInput<ServeMove>): ServeState | null {
  const { view } = reading
  switch (input.kind) {
    case 'move':
      return afterMove(reading, input.move)
    case 'wheel':
      return afterMove(reading, input.by > 0 ? 'down' : 'up')
    case 'click': {
      const key = view.help === null ? itemAtRow(reading, input.x, input.y) : null
      return key === null ? view : { ...view, selected: key, doubt: null }
    }
    case 'text':
      return view
  }
}

function afterMove(reading: ServeReading, move: ServeMove): ServeState | null {
  const { view, area, items, selected } = reading
  if (move === 'leave') return left(view)
  if (view.help !== null) return { ...view, help: keyListAfter(reading, view.help, move) }
  if (move === 'help') return { ...view, help: 0, doubt: null }
  if (move === 'remove') return { ...view, doubt: removing(reading) }
  if (move === 'off') return { ...view, doubt: isOn(view) ? { kind: 'off' } : null }
  const steps: Partial<Record<string, number>> = scrollSteps(Math.max(2, Math.floor(area / 2)))
  const target = Math.max(0, Math.min(items.length - 1, selected + (lookup(steps, move) ?? 0)))
  return { ...view, selected: items[target]?.key ?? null, doubt: null }
}

/** Esc: out of the list of keys, then out of a question of this page, then out of the page. */
function left(view: ServeState): ServeState | null {
  if (view.help !== null) return { ...view, help: null }
  return view.doubt === null ? null : { ...view, doubt: null }
}

function removing({ items, selected }: ServeReading): ServeDoubt | null {
  const item = items[selected]
  if (item?.kind === 'device') return { kind: 'revoke', id: item.device.id }
  return item?.kind === 'share' ? { kind: 'end_share', id: item.share.id } : null
}

function isOn({ server }: ServeState): boolean {
  return server.phase === 'running' || server.phase === 'starting'
}
