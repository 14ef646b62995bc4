/** Times as people type them into a search. */

const HOUR = 3_600_000
const units: ReadonlyMap<string, number> = new Map([
  ['h', HOUR],
  ['d', 24 * HOUR],
  ['w', 7 * 24 * HOUR],
  ['m', 30 * 24 * HOUR],
  ['y', 365 * 24 * HOUR],
])

/**
 * The time of `12h`, `3d`, `2w`, `6m` (months) or `1y` ago, or of a date such as `2026-11-05`, in milliseconds since the Unix epoch;
 * null for another text. A date begins in the user's own time zone.
 */
export function timeSince(text: string, now: number): number | null {
  const [, count = '', letter = ''] = /^(\d{1,4})([hdwmy])$/.exec(text) ?? []
  const unit = units.get(letter)
  if (unit !== undefined) return now - Number(count) * unit
  const [, year = '', month = '', day = ''] = /^(\d{4})-(\d{2})-(\d{2})$/.exec(text) ?? []
  if (year === '') return null
  const date = new Date(Number(year), Number(month) - 1, Number(day))
  // The 31st of February is none.
  return date.getMonth() === Number(month) - 1 && date.getDate() === Number(day) ? date.getTime() : null
}
