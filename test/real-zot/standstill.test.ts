/** A real zot, which runs a call that nobody answered for 5 s. */
import { describe } from 'vitest'
import { holdsAtStandstill } from '../agents/zot/guard/standstill.ts'
import { makeRealZot } from './guarded-zot.ts'
import { zot } from './talk.ts'

describe.skipIf(!zot)('a real zot that gives up waiting for answers', () => {
  holdsAtStandstill(makeRealZot, { still: 5500, after: 1000 })
})
