/** What was begun beside a conversation is noted in its session. */
import { expect, test } from 'vitest'
import { makePlace, openProgram } from './stage.ts'

test('a session knows its side questions and the conversations that were begun from it, and they are no events of the conversation', async () => {
  const place = makePlace()
  const { sessions, tell } = openProgram(place)
  tell({ type: 'prompt_sent', text: 'hello', images: [] })
  const { id } = sessions.current()
  sessions.note({ type: 'side_ended', at: 10, question: 'why?', outcome: 'stopped', answer: ' because ' })
  sessions.note({ type: 'session_spawned', at: 20, id: 'other' })
  sessions.close()
  const later = openProgram(place).sessions
  const [summary] = await later.list('folder')
  expect(summary?.sides).toEqual([{ at: 10, question: 'why?', outcome: 'stopped', answer: 'because' }])
  expect(summary?.spawned).toEqual([{ at: 20, id: 'other' }])
  expect(later.read(id)?.events.map(({ type }) => type)).toEqual(['prompt_sent'])
})

test('of very many side questions the last fifty are listed, shortened; the file keeps all of each', async () => {
  const place = makePlace()
  const { sessions, tell } = openProgram(place)
  tell({ type: 'prompt_sent', text: 'hello', images: [] })
  for (let at = 1; at <= 60; at += 1)
    sessions.note({ type: 'side_ended', at, question: `q${at}`, outcome: 'done', answer: 'a'.repeat(5000) })
  const [summary] = await sessions.list('folder')
  expect(summary?.sides?.map(({ question }) => question)).toEqual(Array.from({ length: 50 }, (_, at) => `q${at + 11}`))
  expect(summary?.sides?.every(({ answer }) => answer.length === 300)).toBe(true)
})

test('before the first prompt a note waits, and leaves no file of its own', async () => {
  const place = makePlace()
  const { sessions } = openProgram(place)
  sessions.note({ type: 'side_ended', at: 1, question: 'early', outcome: 'done', answer: '' })
  expect(sessions.current().isStored()).toBe(false)
  expect(await sessions.list('folder')).toEqual([])
})
