/** What is known of the windows of the user's plan. */
import type { LimitWindow } from '../../agent/session-events.ts'
import { formatPercent } from '../../text/format.ts'
import { lookup } from '../../text/lookup.ts'

/** Names of windows, and short ones for the status line. */
const NAMES: Readonly<Record<string, readonly [name: string, short: string]>> = {
  five_hour: ['5 hours', '5h'],
  seven_day: ['7 days', '7d'],
  seven_day_opus: ['7 days, Opus', '7d Opus'],
  seven_day_sonnet: ['7 days, Sonnet', '7d Sonnet'],
  seven_day_overage_included: ['7 days with extra usage', '7d extra'],
  overage: ['extra usage', 'extra'],
}

/** Characters of a name that only the agent knows. */
const LONGEST_NAME = 30

/** Unsanitised, since the agent may have made the name. */
export function windowName({ id }: Pick<LimitWindow, 'id'>): string {
  return lookup(NAMES, id)?.[0] ?? id.replaceAll('_', ' ').slice(0, LONGEST_NAME)
}

function shortWindowName({ id }: Pick<LimitWindow, 'id'>): string {
  return lookup(NAMES, id)?.[1] ?? windowName({ id })
}

/** A window and what of it is used, in a few columns. Unsanitised. */
export function usedWords(window: LimitWindow): string {
  return `${shortWindowName(window)} ${formatPercent(window.used)}`
}

/** The windows that have not reset since they were reported: what is used of the others is unknown. */
export function currentWindows(windows: readonly LimitWindow[], now: number): readonly LimitWindow[] {
  const isCurrent = ({ resetsAt }: LimitWindow): boolean => resetsAt === null || resetsAt > now
  return windows.every(isCurrent) ? windows : windows.filter(isCurrent)
}

/** True if nothing of a window is left. */
export function isSpent({ used, isReached }: LimitWindow): boolean {
  return isReached === true || used >= 1
}

/** When the agent takes prompts again: the last of the spent windows decides. Null if that is not known. */
export function takesPromptsAt(windows: readonly LimitWindow[], now: number): number | null {
  const spent = currentWindows(windows, now).filter(isSpent)
  const times = spent.map(({ resetsAt }) => resetsAt)
  return times.length === 0 || times.includes(null) ? null : Math.max(...times.map(at => at ?? 0))
}

/** The shares from which on the status line shows a window, and at each of which there is a warning. */
export const thresholds = [0.8, 0.9, 0.95, 1] as const

/** The highest threshold that a window has passed; null for none. */
export function thresholdOf(window: LimitWindow): number | null {
  const share = isSpent(window) ? 1 : window.used
  return thresholds.findLast(each => share >= each) ?? null
}
