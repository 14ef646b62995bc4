/** A real zot while zotui asks before its calls run. */
import { describe } from 'vitest'
import { holdsForEveryZot } from '../agents/zot/guard/suite.ts'
import { makeRealZot } from './guarded-zot.ts'
import { zot } from './talk.ts'

describe.skipIf(!zot)('a real zot that asks before its calls run', () => {
  holdsForEveryZot(makeRealZot)
})
