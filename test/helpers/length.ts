/** `npm run test:long` takes the long way where `npm test` takes a part: more cases, more turns, every combination. */
import process from 'node:process'

export const isLong = process.env['ZOTUI_TEST_LONG'] === '1'

/** How many cases a property is tried with. */
export const runs = (short: number): { numRuns: number } => ({ numRuns: isLong ? Math.max(short, 10_000) : short })
