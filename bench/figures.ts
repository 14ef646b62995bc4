/** Measured numbers and their statistics. */

export type Unit = 'ratio' | 'ms' | 's' | 'MB' | 'bytes' | 'count'

export type Figure = {
  name: string
  unit: Unit
  value: number
  /** The same for a program that does only the minimum: the raw writer, or a bare Node. */
  floor?: number | undefined
}

/** The value that this share of the values does not exceed: 0.5 for the median. NaN if there are none. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? Number.NaN
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = sorted.length / 2
  const upper = sorted[Math.floor(middle)] ?? Number.NaN
  return Number.isInteger(middle) ? ((sorted[middle - 1] ?? Number.NaN) + upper) / 2 : upper
}

export function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0)
}

/** The growth of memory from the first third to the end, in bytes: medians, since it goes up and down. */
export function growth(samples: readonly number[]): number {
  const part = (from: number, to: number): number =>
    median(samples.slice(Math.floor(samples.length * from), Math.ceil(samples.length * to)))
  return part(0.85, 1) - part(0.25, 0.4)
}

/** The ratio to its floor; null if it has no meaning. */
export function ratioOf({ value, floor }: Figure): number | null {
  return floor === undefined || floor === 0 ? null : value / floor
}

/** One figure out of those of several runs: the median of each number. */
export function medianFigures(runs: readonly (readonly Figure[])[]): Figure[] {
  const [first = []] = runs
  return first.map(({ name, unit }) => {
    const same = runs.flatMap(figures => figures.filter(figure => figure.name === name))
    const floors = same.map(({ floor }) => floor).filter(floor => floor !== undefined)
    const value = median(same.map(figure => figure.value))
    return { name, unit, value, floor: floors.length > 0 ? median(floors) : undefined }
  })
}

/** The 50th and the 95th percentile of times in milliseconds. */
export function timeFigures(name: string, times: readonly number[], floors?: readonly number[]): Figure[] {
  return [
    { share: 0.5, label: 'p50' },
    { share: 0.95, label: 'p95' },
  ].map(({ share, label }) => ({
    name: `${name} ${label}`,
    unit: 'ms',
    value: percentile(times, share),
    floor: floors && percentile(floors, share),
  }))
}

export const MEGABYTE = 1024 * 1024
