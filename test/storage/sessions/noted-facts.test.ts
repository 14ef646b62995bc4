/** The agent of a session to resume, out of the index or out of the session itself. */
import { appendFileSync, readFileSync, rmSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { openSessionFiles } from '../../../src/storage/sessions/session-files.ts'
import { notedFacts } from '../../../src/storage/sessions/noted-facts.ts'
import { ended, prompt, started, stops, type Told } from '../../conversation/events.ts'
import { makePlace, openProgram, type Place } from './stage.ts'

const starting = (agent: string): Told => ({ type: 'agent_starting', agent })

/** A session that began with zot and went on with another agent. */
function withTwoAgents(place: Place): string {
  const { sessions, tell } = openProgram(place)
  tell(starting('zot'), started, prompt('one'), stops('end'), ended, starting('gemini'), started, prompt('two'), ended)
  sessions.close()
  return sessions.current().id
}

const filesOf = ({ stateFolder, projectFolder }: Place) => openSessionFiles(stateFolder, projectFolder)
const recordOf = (place: Place): string => readFileSync(indexOf(place), 'utf8').trim().split('\n').at(-1) ?? ''

/** A record of the right size that names no agent. */
function wrongAgent(index: string, id: string): string {
  const { size } = statSync(join(dirname(index), `${id}.jsonl`))
  return `${JSON.stringify({ size, summary: { id, agent: 5, turns: 1 } })}\n`
}

const indexOf = (place: Place): string => join(filesOf(place).own, 'index.jsonl')

test('the index names the agent that a session was with last', async () => {
  const place = makePlace()
  const id = withTwoAgents(place)
  expect(notedFacts(filesOf(place).own)(id)).toEqual({ agent: 'gemini', turns: 2 })
  expect(await filesOf(place).agentOf(id)).toBe('gemini')
})

test('of several records of a session the last one counts, and no record of its fork', () => {
  const place = makePlace()
  const id = withTwoAgents(place)
  const { size } = JSON.parse(recordOf(place)) as { size: number }
  const fork = { id: 'fork', agent: 'roz', parent: { id, at: 0 } }
  appendFileSync(indexOf(place), `${JSON.stringify({ size, summary: { id, agent: 'kimi', turns: 1 } })}\n`)
  appendFileSync(indexOf(place), `${JSON.stringify({ size, summary: fork })}\n`)
  expect(notedFacts(filesOf(place).own)(id)).toMatchObject({ agent: 'kimi' })
})

test.each([
  ['is missing', (index: string) => rmSync(index)],
  ['ends in half a record', (index: string, id: string) => appendFileSync(index, `{"size":1,"summary":{"id":"${id}"`)],
  ['has an agent that is no name', (index: string, id: string) => appendFileSync(index, wrongAgent(index, id))],
])('the session itself names its agent where the index %s', async (_, spoil) => {
  const place = makePlace()
  const id = withTwoAgents(place)
  spoil(indexOf(place), id)
  expect(await filesOf(place).agentOf(id)).toBe('gemini')
})

test('the session itself names its agent where it has grown since its record', async () => {
  const place = makePlace()
  const id = withTwoAgents(place)
  appendFileSync(join(filesOf(place).own, `${id}.jsonl`), `${JSON.stringify({ ...starting('kimi'), at: 1 })}\n`)
  expect(notedFacts(filesOf(place).own)(id)).toBeNull()
  expect(await filesOf(place).agentOf(id)).toBe('kimi')
})

test('a session that nobody has written has no agent', async () => {
  const place = makePlace()
  expect(await filesOf(place).agentOf('nothing')).toBeUndefined()
  expect(await filesOf(place).agentOf('../nothing')).toBeUndefined()
})
