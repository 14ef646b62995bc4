/** Days in the local time zone, such as `2026-11-22`. */

/** In milliseconds. */
const DAY = 24 * 3600 * 1000

export function dayOf(at: number): string {
  const date = new Date(at)
  const parts = [date.getFullYear(), date.getMonth() + 1, date.getDate()]
  return parts.map(part => String(part).padStart(2, '0')).join('-')
}

/** The last days, oldest first. Counted from noon to noon, since a day may have 23 hours. */
export function lastDays(now: number, count: number): string[] {
  const noon = new Date(now).setHours(12, 0, 0, 0)
  return Array.from({ length: count }, (_, index) => dayOf(noon - (count - 1 - index) * DAY))
}

/** The number of days from `first` to now, both included. */
export function daysSince(first: string, now: number): number {
  const began = new Date(`${first}T12:00:00`).getTime()
  const noon = new Date(now).setHours(12, 0, 0, 0)
  return Number.isNaN(began) ? 1 : Math.max(1, Math.round((noon - began) / DAY) + 1)
}

/** The day after one. */
export function nextDay(day: string): string {
  return dayOf(new Date(`${day}T12:00:00`).getTime() + DAY)
}
