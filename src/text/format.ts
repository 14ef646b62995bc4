/** Formats numbers so that they can be read at a glance. */
import { literal, sanitize, type SafeText } from './sanitize.ts'

/** 840, 12.3k, 123k, 1.2M, 3.4G. */
export function formatTokens(count: number): SafeText {
  return scaled(count, ['', 'k', 'M', 'G'])
}

/** 840 B, 12.3 kB, 1.2 MB. A kilobyte is 1000 bytes. */
export function formatBytes(count: number): SafeText {
  return scaled(count, [' B', ' kB', ' MB', ' GB', ' TB'])
}

/** 0.4s, 12s, 1m05s, 2h03m, 3d04h from milliseconds. Never rounded up: 59.9 seconds are not yet a minute. */
export function formatDuration(milliseconds: number): SafeText {
  const seconds = Math.max(0, Math.floor(finite(milliseconds) / 1000))
  if (seconds < 10) return sanitize(`${(Math.floor(Math.max(0, finite(milliseconds)) / 100) / 10).toFixed(1)}s`)
  if (seconds < 60) return literal`${seconds}s`
  if (seconds < 3600) return literal`${Math.floor(seconds / 60)}m${twoDigits(seconds % 60)}s`
  const minutes = Math.floor(seconds / 60)
  if (minutes < 24 * 60) return literal`${Math.floor(minutes / 60)}h${twoDigits(minutes % 60)}m`
  const hours = Math.floor(minutes / 60)
  return literal`${Math.floor(hours / 24)}d${twoDigits(hours % 24)}h`
}

/** now, 5m, 3h, 2d, 6w, 3y ago from milliseconds. */
export function formatAge(milliseconds: number): SafeText {
  const minutes = Math.floor(Math.max(0, finite(milliseconds)) / 60_000)
  if (minutes < 1) return literal`now`
  const hours = Math.floor(minutes / 60)
  if (hours < 1) return literal`${minutes}m ago`
  const days = Math.floor(hours / 24)
  if (days < 1) return literal`${hours}h ago`
  if (days < 14) return literal`${days}d ago`
  return days < 365 ? literal`${Math.floor(days / 7)}w ago` : literal`${Math.floor(days / 365)}y ago`
}

/** $0.004, $0.021, $0.21, $12.40 from dollars; less than a tenth of a cent is `<$0.001`. */
export function formatCost(dollars: number | null): SafeText {
  if (dollars === null) return literal`unknown`
  const amount = Math.max(0, finite(dollars))
  if (amount === 0) return literal`$0.00`
  if (amount < 0.0005) return literal`<$0.001`
  return sanitize(`$${amount.toFixed(amount < 0.0995 ? 3 : 2)}`)
}

/** The same without `<`, for a limit and what is compared with it: $0.0002. */
export function formatExactCost(dollars: number): SafeText {
  const amount = Math.max(0, finite(dollars))
  if (amount === 0 || amount >= 0.0005) return formatCost(amount)
  return sanitize(`$${amount.toFixed(Math.min(20, Math.ceil(-Math.log10(amount))))}`)
}

/** `34 %` from 0.34. Only 0 is 0 %, and only 1 is 100 %. */
export function formatPercent(share: number): SafeText {
  const percent = Math.max(0, finite(share)) * 100
  if (percent > 0 && percent < 1) return literal`<1 %`
  if (percent > 99 && percent < 100) return literal`99 %`
  return literal`${Math.round(percent)} %`
}

/** Three digits and a unit. The unit goes up where rounding would make four: 999,950 is 1M. */
function scaled(count: number, units: readonly string[]): SafeText {
  let value = Math.max(0, Math.round(finite(count)))
  let unit = 0
  while (value >= (unit === 0 ? 1000 : 999.5) && unit < units.length - 1) {
    value /= 1000
    unit++
  }
  const digits = unit > 0 && value < 99.95 ? value.toFixed(1).replace(/\.0$/, '') : String(Math.round(value))
  return sanitize(digits + (units[unit] ?? ''))
}

function twoDigits(value: number): SafeText {
  return sanitize(String(value).padStart(2, '0'))
}

function finite(value: number): number {
  return Number.isFinite(value) ? value : 0
}

/** Formats a duration as zot does: 0.3s, 1m5s, 2h3m. */
export function took(milliseconds: number): string {
  // The clock may have gone back.
  const ms = Math.max(0, milliseconds)
  const seconds = Math.floor(ms / 1000)
  if (seconds < 60) return `${(ms / 1000).toFixed(1)}s`
  if (seconds < 3600) return `${Math.floor(seconds / 60)}m${seconds % 60}s`
  return `${Math.floor(seconds / 3600)}h${Math.floor((seconds % 3600) / 60)}m`
}
