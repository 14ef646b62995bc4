/** What other programs get of the current session: all of it so far, and then what is added. */
import { mkdirSync, symlinkSync } from 'node:fs'
import { dirname } from 'node:path'
import process from 'node:process'
import { expect, test } from 'vitest'
import type { AgentEvent } from '../../../src/agent/event.ts'
import { storedFolderName } from '../../../src/storage/folder-name.ts'
import { eventsOf, readSessionInPieces } from '../../../src/storage/sessions/read-session.ts'
import { sessionPath } from '../../../src/storage/sessions/session-path.ts'
import { ended, prompt, says, started, stops } from '../../conversation/events.ts'
import { makePlace, openProgram, promptsOf, type Place, type Program } from './stage.ts'

/** All events so far, as another program reads them. */
async function pastOf({ sessions }: Program): Promise<AgentEvent[]> {
  const { file, events } = sessions.past()
  const read: AgentEvent[] = []
  if (file) {
    const take = (lines: Parameters<typeof eventsOf>[0]): boolean => {
      read.push(...eventsOf(lines))
      return true
    }
    await readSessionInPieces(file.path, take, file.bytes)
  }
  return [...read, ...events]
}

/** What a program hears that follows the session. */
function follow({ sessions }: Program): string[] {
  const heard: string[] = []
  sessions.follow({
    added: events => heard.push(...events.map(({ type }) => type)),
    replaced: () => heard.push('replaced'),
  })
  return heard
}

const typesOf = (events: readonly AgentEvent[]): string[] => events.map(({ type }) => type)

test('a session that is not stored yet gives its events itself', async () => {
  const program = openProgram(makePlace())
  program.tell(started)
  expect(program.sessions.past().file).toBeNull()
  expect(typesOf(await pastOf(program))).toEqual(['agent_started'])
})

test('a stored session is read up to where it was, with the text that was still waiting to be written', async () => {
  const program = openProgram(makePlace())
  program.tell(started, prompt('one'), says('Half an'))
  const before = program.sessions.past()
  expect(typesOf(await pastOf(program))).toEqual(['agent_started', 'prompt_sent', 'text_received'])
  program.tell(says(' answer'), stops('end'), ended, prompt('two'))
  const read: AgentEvent[] = []
  await readSessionInPieces(
    before.file?.path ?? '',
    lines => {
      read.push(...eventsOf(lines))
      return true
    },
    before.file?.bytes,
  )
  expect(promptsOf(read)).toEqual(['one'])
  expect(promptsOf(await pastOf(program))).toEqual(['one', 'two'])
})

test('a resumed session also gives what its agent has said since, before it is written', async () => {
  const place = makePlace()
  const first = openProgram(place)
  first.tell(started, prompt('one'), stops('end'), ended)
  first.sessions.close()
  const program = openProgram(place)
  const heard = follow(program)
  await program.sessions.resume(first.sessions.current().id, () => true)
  program.tell(started)
  expect(heard).toEqual(['replaced', 'agent_started'])
  const past = typesOf(await pastOf(program))
  expect(past.filter(type => type === 'agent_started')).toHaveLength(2)
  expect(past.at(-1)).toBe('agent_started')
})

test('a session of another folder that is resumed, and one that begins anew, are heard of once each', async () => {
  const place = makePlace()
  const first = openProgram(place)
  first.tell(started, prompt('one'), stops('end'), ended)
  const program = openProgram(place)
  const heard = follow(program)
  await program.sessions.resume(first.sessions.current().id, () => true)
  expect(promptsOf(await pastOf(program))).toEqual(['one'])
  program.sessions.begin()
  expect(await pastOf(program)).toEqual([])
  expect(heard).toEqual(['replaced', 'replaced'])
})

test.runIf(process.platform === 'linux')('what a full disk refuses is not missing', async () => {
  const place = makePlace()
  const program = openProgram(place)
  fillDisk(place, program)
  program.tell(started, prompt('one'), stops('end'), ended)
  expect(program.problems).toHaveLength(1)
  expect(promptsOf(await pastOf(program))).toEqual(['one'])
})

test('nobody hears anything after the end', () => {
  const program = openProgram(makePlace())
  let heard = 0
  const end = program.sessions.follow({ added: () => (heard += 1), replaced: () => (heard += 1) })
  program.tell(started)
  end()
  program.tell(prompt('one'))
  program.sessions.begin()
  expect(heard).toBe(1)
})

function fillDisk({ stateFolder, projectFolder }: Place, { sessions }: Program): void {
  const path = sessionPath(`${stateFolder}/sessions/${storedFolderName(projectFolder)}`, sessions.current().id)
  mkdirSync(dirname(path), { recursive: true })
  symlinkSync('/dev/full', path)
}
