/** Words of the page: times, costs, states. */
import type { PageConversation } from '../page-lines.ts'

export const stateWords: Readonly<Record<PageConversation['state'], string>> = {
  starting: 'starting',
  working: 'working',
  waiting: 'waiting for the model',
  asks: 'asks you',
  done: 'done',
  failed: 'failed',
  idle: 'idle',
  resting: 'resting',
}

const SECOND = 1000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/** For how long something has gone on: `42s`, `3m 05s`, `2h 10m`. */
export function lastingWords(milliseconds: number): string {
  const time = Math.max(0, milliseconds)
  if (time < MINUTE) return `${Math.floor(time / SECOND)}s`
  if (time < HOUR) return `${Math.floor(time / MINUTE)}m ${padded(Math.floor((time % MINUTE) / SECOND))}s`
  return `${Math.floor(time / HOUR)}h ${padded(Math.floor((time % HOUR) / MINUTE))}m`
}

/** How long ago something was, for a list. */
export function agoWords(milliseconds: number): string {
  if (milliseconds < MINUTE) return 'now'
  if (milliseconds < HOUR) return `${Math.floor(milliseconds / MINUTE)} min`
  if (milliseconds < DAY) return `${Math.floor(milliseconds / HOUR)} h`
  return `${Math.floor(milliseconds / DAY)} d`
}

export function countWords(count: number): string {
  if (count < 1000) return String(count)
  if (count < 100_000) return `${(count / 1000).toFixed(1)}k`
  return count < 1_000_000 ? `${Math.round(count / 1000)}k` : `${(count / 1_000_000).toFixed(1)}M`
}

export function costWords(costUsd: number | null): string {
  return costUsd === null ? '' : `$${costUsd < 10 ? costUsd.toFixed(2) : costUsd.toFixed(1)}`
}

const padded = (count: number): string => String(count).padStart(2, '0')
