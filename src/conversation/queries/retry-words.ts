import type { EventOf } from '../../agent/event.ts'
import { formatDuration } from '../../text/format.ts'
import { withoutEnd } from '../../text/without-end.ts'

/** A sentence about a model call that failed and is repeated. The agent's message in it is unsanitised. */
export function retryWords({ attempt, of, delayMs, message }: EventOf<'retry_announced'>): string {
  const why = message.trim() === '' ? 'The model call failed' : withoutEnd(message.trim(), /[.:]/)
  const count = attempt === null ? '' : of === null ? ` (attempt ${attempt})` : ` (attempt ${attempt} of ${of})`
  const when = delayMs === null ? '' : ` in ${formatDuration(delayMs)}`
  return `${why}. Trying again${count}${when}.`
}
