/** What keys and the mouse do in the help. It has the keys of the transcript; most have no effect here. */
import { lookup } from '../../../src/text/lookup.ts'
import type { PageInput } from '../page-input.ts'
import { scrollSteps } from '../scroll.ts'
import type { TranscriptMove, TranscriptWork } from '../transcript/state.ts'
import { lastTop, type HelpReading } from './rows.ts'
import type { HelpState } from './state.ts'

export type HelpMove = TranscriptMove | TranscriptWork

/** The next state; null closes the page. */
export function helpAfter(reading: HelpReading, input: PageInput<HelpMove>): HelpState | null {
  if (input.kind === 'wheel') return scrolled(reading, input.by > 0 ? 'down' : 'up')
  if (input.kind !== 'move') return { from: reading.from }
  if (input.move === 'leave' || input.move === 'close' || input.move === 'help') return null
  return scrolled(reading, input.move)
}

function scrolled({ rows, from, body }: HelpReading, move: HelpMove): HelpState {
  const steps: Partial<Record<string, number>> = scrollSteps(body)
  const by = lookup(steps, move) ?? 0
  return { from: Math.max(0, Math.min(lastTop(rows, body), from + by)) }
}
