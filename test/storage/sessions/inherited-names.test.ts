/** A session file may have a name that every object inherits in any of its texts: it is read, listed and exported like any other. */
import { appendFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { agentEventSchema } from '../../../src/agent/event-schema.ts'
import { readSession } from '../../../src/storage/sessions/read-session.ts'
import { expectCarried } from '../../conversation/carried.ts'
import { ended, prompt, started } from '../../conversation/events.ts'
import { fullest } from '../../helpers/fullest.ts'
import { eachWithInheritedName, inheritedNames } from '../../helpers/inherited-names.ts'
import { makePlace, openProgram } from './stage.ts'

const ownLines = [{ type: 'session_titled', at: 1, title: 'x' }]

/** A session with these lines at its end. */
function sessionWith(lines: readonly unknown[]) {
  const place = makePlace()
  const { sessions, tell } = openProgram(place)
  tell(started, prompt('go'), ended)
  sessions.close()
  const root = join(place.stateFolder, 'sessions')
  const name = readdirSync(root, { recursive: true, encoding: 'utf8' }).find(each => /\d-[\da-f]{8}\.jsonl$/.test(each))
  const path = join(root, name ?? '')
  appendFileSync(path, lines.map(line => `${JSON.stringify(line)}\n`).join(''))
  return { place, path }
}

test('in any event and in any other line', async () => {
  const samples = agentEventSchema.options.flatMap(option => fullest(option))
  const { place, path } = sessionWith([...samples, ...ownLines].flatMap(eachWithInheritedName))
  const { events } = readSession(path)
  expect(events.length).toBeGreaterThan(500)
  await expectCarried(events)
  expect(await openProgram(place).sessions.list('folder')).toHaveLength(1)
})

test.each(inheritedNames)('as the title, the agent and the model: %s', async name => {
  const agent = { type: 'agent_started', at: 9, agent: name, version: name, provider: name, model: name }
  const rest = { contextWindow: null, reasoning: name, reasoningLevels: [name] }
  const { place, path } = sessionWith([
    { ...agent, ...rest },
    { type: 'prompt_sent', at: 10, text: name, images: [] },
    { type: 'turn_ended', at: 11, stop: name },
    { type: 'session_titled', at: 12, title: name },
  ])
  await expectCarried(readSession(path).events)
  const [row] = await openProgram(place).sessions.list('folder')
  expect(row).toMatchObject({ title: name })
})
