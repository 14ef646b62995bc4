import { rmSync } from 'node:fs'
import { expect, test } from 'vitest'
import { readStored, readStoredCall } from '../../../src/app/context/stored-session.ts'
import { storedTranscript } from '../../../src/commands/conversation/export/export-conversation.ts'
import type { AgentEvent } from '../../../src/agent/event.ts'
import { ended, fold, prompt, returns, runsTool, says, step } from '../../conversation/events.ts'
import { makePlace, openProgram } from '../../storage/sessions/stage.ts'

const output = 'all of it\n'.repeat(20_000)

async function eventsIn(sessions: Parameters<typeof readStored>[0], id: string): Promise<AgentEvent[] | null> {
  const events: AgentEvent[] = []
  const facts = await readStored(sessions, id, piece => events.push(...piece) >= 0)
  return facts && events
}

test('a session of another folder is read, and the own one goes on', async () => {
  const place = makePlace()
  const other = openProgram({ ...place, projectFolder: place.stateFolder })
  other.tell(prompt('go'), step(1), says('Hello.'), ended)
  other.sessions.rename(other.sessions.current().id, 'the other')
  const id = other.sessions.current().id
  other.sessions.close()
  const { sessions } = openProgram(place)
  const own = sessions.current().id
  expect((await eventsIn(sessions, id))?.map(({ type }) => type)).toContain('text_received')
  expect(storedTranscript({ sessions }, id)).toMatchObject({ id, title: 'the other' })
  expect(sessions.current().id).toBe(own)
})

test('the own session is read with what was said last', async () => {
  const { sessions, tell } = openProgram(makePlace())
  const { id } = sessions.current()
  expect(await eventsIn(sessions, id)).toEqual([])
  tell(prompt('go'), step(1), says('Hello.'))
  expect((await eventsIn(sessions, id))?.at(-1)).toMatchObject({ type: 'text_received', text: 'Hello.' })
})

test('the whole output of a call comes from the file of its session', () => {
  const place = makePlace()
  const other = openProgram(place)
  other.tell(prompt('go'), step(1), ...runsTool('a', 'grep'), returns('a', output), ended)
  const { id } = other.sessions.current()
  const events = other.sessions.read(id)?.events ?? []
  other.sessions.close()
  const { sessions } = openProgram(place)
  const [turn] = fold(sessions.read(id)?.events ?? events).entries
  const call = turn?.kind === 'turn' ? turn.parts.get(0) : undefined
  if (call?.kind !== 'tool') throw new Error('there is no call')
  expect(call.omitted).not.toBeNull()
  const steps = readStoredCall(sessions, id, call)
  let whole = steps.next()
  while (!whole.done) whole = steps.next()
  expect(whole.value?.result).toEqual([{ type: 'text', text: output }])
})

test('a session that is gone gives null', async () => {
  const place = makePlace()
  const { sessions } = openProgram(place)
  expect(await eventsIn(sessions, 'nowhere')).toBeNull()
  expect(await eventsIn(sessions, '../../etc/passwd')).toBeNull()
  expect(storedTranscript({ sessions }, 'nowhere')).toBeNull()
  const other = openProgram(place)
  other.tell(prompt('go'), ended)
  const { id } = other.sessions.current()
  other.sessions.close()
  rmSync(place.stateFolder, { recursive: true })
  expect(await eventsIn(sessions, id)).toBeNull()
})
