import { expect, test } from 'vitest'
import { continueFrom } from '../../../src/app/find/continue-from.ts'
import type { Question } from '../../../src/app/context/choice-prompt.ts'
import { ended, prompt, says, step } from '../../conversation/events.ts'
import { makePlace, openProgram, type Program } from '../../storage/sessions/stage.ts'
import { initialState } from '../../../src/state/state.ts'
import { startup } from '../../components/stage.ts'

const turn = (words: string) => [prompt(words), step(1), says('Hello.'), ended]

/** A session of three turns that has ended, and a program in another one. */
function stage() {
  const place = makePlace()
  const past = openProgram(place)
  past.tell(...turn('one'), ...turn('two'), ...turn('three'))
  const { id } = past.sessions.current()
  const times = (past.sessions.read(id)?.events ?? []).map(({ at }) => at)
  past.sessions.close()
  return { id, times, now: openProgram(place) }
}

/** What is asked, and what is done in the end. `resumes` is whether a session can be resumed. */
async function continued({ sessions }: Program, session: string, at: number, { resumes = true, takes = 0 } = {}) {
  const done: string[] = []
  let question: Question | null = null
  await continueFrom(
    {
      context: { sessions, state: () => initialState(startup, 0), hint: words => done.push(words) },
      choicePrompt: { ask: asked => (question = asked) },
      resuming: {
        async resume(id) {
          done.push(`resume ${id === session ? 'it' : id}`)
          if (resumes) await sessions.resume(id, () => true)
        },
      },
      branching: { forkAfter: async turns => void done.push(`fork after ${turns}`) },
    },
    { session, at, call: null },
  )
  const asked = question as Question | null
  asked?.answers[takes]?.run()
  for (let turns = 0; turns < 20; turns += 1) await new Promise<void>(resolve => setImmediate(resolve))
  return { done, title: asked?.title ?? null, answers: asked?.answers.map(({ label }) => label) ?? [] }
}

test('a place in the last turn is the end: the session is resumed', async () => {
  const { id, times, now } = stage()
  expect(await continued(now, id, times.at(-2) ?? 0)).toEqual({ done: ['resume it'], title: null, answers: [] })
})

test('any other place asks, and a fork after that turn begins once the session is resumed', async () => {
  const { id, times, now } = stage()
  expect(await continued(now, id, times[6] ?? 0)).toEqual({
    done: ['resume it', 'fork after 2'],
    title: 'go on from turn 2 of 3',
    answers: ['in a fork after this turn', 'at the end of the session', 'not now'],
  })
})

test('the end of the session may be chosen instead', async () => {
  const { id, times, now } = stage()
  expect((await continued(now, id, times[1] ?? 0, { takes: 1 })).done).toEqual(['resume it'])
})

test('nothing is forked if the session was not resumed', async () => {
  const { id, times, now } = stage()
  expect((await continued(now, id, times[1] ?? 0, { resumes: false })).done).toEqual(['resume it'])
})

test('the own session is forked where it is', async () => {
  const now = openProgram(makePlace())
  now.tell(...turn('one'), ...turn('two'))
  const { id } = now.sessions.current()
  const { done, answers } = await continued(now, id, now.sessions.read(id)?.events[1]?.at ?? 0)
  expect(done).toEqual(['fork after 1'])
  expect(answers).toEqual(['in a fork after this turn', 'not now'])
})

test('a session that is gone is said', async () => {
  const { now } = stage()
  expect((await continued(now, 'nowhere', 0)).done).toEqual(['That session is gone, or cannot be read.'])
})
