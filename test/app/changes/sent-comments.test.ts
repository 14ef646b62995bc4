/** Comments count as sent while the agent has them. */
import { expect, test, vi } from 'vitest'
import { createSentComments } from '../../../src/app/changes/sent-comments.ts'
import { promptOfComments } from '../../../src/review/comment-prompt.ts'
import { ended, prompt, timed, type Told } from '../../conversation/events.ts'
import { comment, reviewer } from '../../storage/review/stage.ts'
import { makePlace } from '../../storage/sessions/stage.ts'

const refused: Told = { type: 'prompt_refused', message: 'no' }

function stage() {
  const { file } = reviewer(makePlace())
  file.put(comment('a'))
  file.put(comment('b', { madeAt: 2000 }))
  const take = createSentComments({ review: () => file, now: () => 5000 })
  const tell = (...events: readonly Told[]): void => timed(events).forEach(take)
  const states = () => file.comments().map(({ state, sentAt }) => [state, sentAt])
  return { file, tell, states, ask: prompt(promptOfComments([comment('a')])) }
}

test('those of a prompt are sent, and those of a refused one open again', async () => {
  const { tell, states, ask } = stage()
  tell(ask)
  await vi.waitFor(() =>
    expect(states()).toEqual([
      ['sent', 5000],
      ['open', undefined],
    ]),
  )
  tell(refused)
  await vi.waitFor(() =>
    expect(states()).toEqual([
      ['open', undefined],
      ['open', undefined],
    ]),
  )
})

test('a later prompt that is refused takes nothing back from an earlier one', async () => {
  const { file, tell, states, ask } = stage()
  tell(ask, ended, prompt('more'), refused)
  await vi.waitFor(() => expect(states()[0]).toEqual(['sent', 5000]))
  expect(file.comments().map(({ state }) => state)).toEqual(['sent', 'open'])
})

test('one that the user changed meanwhile stays as it is', async () => {
  const { file, tell, states, ask } = stage()
  tell(ask)
  await vi.waitFor(() => expect(states()[0]).toEqual(['sent', 5000]))
  file.change('a', { state: 'dropped' })
  tell(refused)
  await vi.waitFor(() => expect(file.comments().map(({ id }) => id)).toEqual(['b']))
})
