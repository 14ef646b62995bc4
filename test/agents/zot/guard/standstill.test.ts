import { describe } from 'vitest'
import { makeStandIn } from './stand-in.ts'
import { holdsAtStandstill } from './standstill.ts'

describe('a zot that gives up waiting for answers', () => {
  holdsAtStandstill(
    async (script, options) => makeStandIn(script, { ...options, env: { ZOT_INTERCEPT_LIMIT: '500' } }),
    {
      still: 700,
      after: 1000,
    },
  )
})
