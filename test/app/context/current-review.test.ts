/** The comments of the session that a conversation is in. */
import { expect, test } from 'vitest'
import { createCurrentReview } from '../../../src/app/context/current-review.ts'
import { openReviewFile } from '../../../src/storage/review/review-file.ts'
import { comment, reviewer, textsOf } from '../../storage/review/stage.ts'
import { makePlace } from '../../storage/sessions/stage.ts'

const onProblem = (words: string): void => expect.unreachable(words)

function stage() {
  const place = makePlace()
  let session: string | null = null
  const opened: (string | null)[] = []
  const timers = { after: () => () => undefined }
  const review = createCurrentReview(
    (sessionId, redact) => {
      opened.push(sessionId)
      return openReviewFile(sessionId === null ? null : { ...place, sessionId }, {
        redact,
        now: Date.now,
        timers,
        onProblem,
      })
    },
    () => session,
    text => text,
  )
  const textsNow = (): string[] => (review.current()?.comments() ?? []).map(({ text }) => text)
  return { place, review, opened, textsNow, become: (id: string | null) => (session = id) }
}

test('each session has its own, which are opened once', () => {
  const { review, opened, textsNow, become } = stage()
  become('one')
  review.current()?.put(comment('a'))
  review.current()
  become('two')
  expect(textsNow()).toEqual([])
  become('one')
  expect(textsNow()).toEqual(['about a'])
  expect(opened).toEqual(['one', 'two', 'one'])
})

test('what was kept before the session was known moves along, and is kept', () => {
  const { place, review, textsNow, become } = stage()
  review.current()?.put(comment('a'))
  review.current()?.mark({ subject: 'session', path: 'a', digest: 'd', changedAt: 1 })
  become('one')
  expect(textsNow()).toEqual(['about a'])
  const { file } = reviewer(place, { session: 'one' })
  expect([textsOf({ file }), file.reads().length]).toEqual([['about a'], 1])
})

test('without a place there are none', () => {
  const none = createCurrentReview(
    undefined,
    () => 'one',
    text => text,
  )
  expect(none.current()).toBeNull()
  none.save()
})
