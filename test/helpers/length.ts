/** `npm run test:long` takes the long way where `npm test` takes a part: more cases, more turns, every combination. */
import process from 'node:process'

export const isLong = process.env['ZOTUI_TEST_LONG'] === '1'

/** The number of cases with which a property is tried. */
export const runs = (short: number): { numRuns: number } => ({ numRuns: isLong ? Math.max(short, 10_000) : short })

/** The same for a property whose cases take long: each run of `npm test` tries others, and many runs try all. */
export const aPartOf = (cases: number): { numRuns: number } => ({ numRuns: isLong ? cases : Math.ceil(cases / 10) })
