/** Times of the clock in the words of everyday: the nearer, the shorter. */

const DAY = 86_400_000
const WEEKDAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'] as const

/** `14:30`, in the local time. */
export function clockTime(at: number): string {
  const date = new Date(at)
  return `${String(date.getHours()).padStart(2, '0')}:${String(date.getMinutes()).padStart(2, '0')}`
}

/** A later time, such as `14:30`, `tomorrow 09:00`, `Tuesday 09:00` or `2026-12-24 09:00`. */
export function laterTime(at: number, now: number): string {
  const days = Math.round((midnightOf(at) - midnightOf(now)) / DAY)
  if (days <= 0) return clockTime(at)
  if (days === 1) return `tomorrow ${clockTime(at)}`
  const date = new Date(at)
  if (days < 7) return `${WEEKDAYS[date.getDay()] ?? ''} ${clockTime(at)}`
  const parts = [date.getFullYear(), date.getMonth() + 1, date.getDate()]
  return `${parts.map(part => String(part).padStart(2, '0')).join('-')} ${clockTime(at)}`
}

function midnightOf(at: number): number {
  return new Date(at).setHours(0, 0, 0, 0)
}
