import process from 'node:process'

/** Milliseconds of a monotonic clock. `performance` has the same, but loading it takes a tenth of a start. */
export function clock(): number {
  const [seconds, nanoseconds] = process.hrtime()
  return seconds * 1000 + nanoseconds / 1_000_000
}
