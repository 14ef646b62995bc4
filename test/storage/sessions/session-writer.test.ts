/** A written session is read back as it was, wherever the file ends. */
import { mkdirSync, readFileSync, readdirSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import process from 'node:process'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { List } from '../../../src/conversation/list.ts'
import type { AgentEvent } from '../../../src/agent/event.ts'
import { openSessions } from '../../../src/storage/sessions/sessions.ts'
import { readSession } from '../../../src/storage/sessions/read-session.ts'
import { anyEvents, conversation } from '../../conversation/arbitrary-events.ts'
import {
  accepted,
  answered,
  answering,
  calls,
  chatOf,
  ended,
  prompt,
  says,
  started,
  step,
  stops,
  text,
  timed,
} from '../../conversation/events.ts'
import { runs } from '../../helpers/length.ts'
import { readRecordings } from '../../helpers/recording.ts'
import { eventsOf } from '../../recordings/playing.ts'
import { makePlace, openProgram, type Place } from './stage.ts'

const reply = [accepted, step(1), answering, says('Hel'), says('lo'), answered(text('Hello')), stops('end'), ended]

/** The one file in a place. */
function fileIn({ stateFolder }: Place): string {
  const root = join(stateFolder, 'sessions')
  const names = readdirSync(root, { recursive: true, encoding: 'utf8' })
  return join(root, names.find(each => /\d{8}-\d{6}-[\da-f]{8}\.jsonl$/.test(each)) ?? '')
}

/** Writes events as a program would that is told them one by one, and returns the file. */
function written(place: Place, events: readonly AgentEvent[]): string {
  const options = { now: () => 1, timers: { after: () => () => undefined }, onProblem: () => undefined }
  const sessions = openSessions({ ...place, ...options })
  for (const event of events) sessions.add([event])
  sessions.flush()
  return fileIn(place)
}

const begun = timed([started, prompt('go')])

test('no timer is left when the last text is complete: it would hold up the end of the program', () => {
  const running = new Set<symbol>()
  const after = () => {
    const timer = Symbol('timer')
    running.add(timer)
    return () => void running.delete(timer)
  }
  const sessions = openSessions({ ...makePlace(), now: () => 1, timers: { after }, onProblem: () => undefined })
  sessions.add(timed([...begun, accepted, step(1), answering, says('Hel')]))
  expect(running.size).toBe(1)
  sessions.add(timed([says('lo'), answered(text('Hello')), stops('end'), ended]))
  expect(running.size).toBe(0)
})

describe('reading a session', () => {
  test.each(readRecordings())('$zot $name: the conversation as it was', async recording => {
    const events = [...begun, ...(await eventsOf(recording))]
    const { events: read, skipped } = readSession(written(makePlace(), events))
    expect(skipped).toBe(0)
    expect(chatOf(read)).toEqual(chatOf(events))
  })

  test('cut at any byte gives a prefix of its events, without an error', () => {
    const root = makePlace()
    let number = 0
    fc.assert(
      fc.property(fc.oneof(anyEvents, conversation), fc.nat(), (told, where) => {
        const place = { ...root, stateFolder: join(root.stateFolder, String((number += 1))) }
        const events = [...begun, ...timed(told)]
        const path = written(place, events)
        const whole = readSession(path)
        expect(chatOf(whole.events)).toEqual(chatOf(events))
        truncateSync(path, where % (statSync(path).size + 1))
        const { events: left, skipped } = readSession(path)
        expect(left).toEqual(whole.events.slice(0, left.length))
        expect(skipped).toBeLessThanOrEqual(1)
      }),
      runs(200),
    )
  })

  test('with a damaged line or an unknown event loses only these', () => {
    const path = written(makePlace(), timed([started, prompt('one'), ...reply]))
    const lines = readFileSync(path, 'utf8').trimEnd().split('\n')
    const odd = ['{"type":"text_rec', '{"type":"dream_received","at":1,"text":"hm"}', 'null', '[1]']
    writeFileSync(path, [...lines.slice(0, 3), ...odd, ...lines.slice(3), ''].join('\n'))
    const { events, skipped } = readSession(path)
    expect(skipped).toBe(4)
    expect(chatOf(events).entries).toMatchObject([
      { prompt: 'one', outcome: 'done', parts: List.of([{ text: 'Hello' }]) },
    ])
  })
})

test('with a line that is nested too deep shortens that line', () => {
  const path = written(makePlace(), timed([started, prompt('one'), ...reply]))
  const args = `${'{"a":'.repeat(4000)}1${'}'.repeat(4000)}`
  const call = `{"type":"tool_called","at":1,"id":"a","name":"bash","arguments":{"command":"ls","more":${args}}}`
  const lines = readFileSync(path, 'utf8').trimEnd().split('\n')
  writeFileSync(path, [...lines.toSpliced(-1, 0, call), ''].join('\n'))
  const { events, skipped } = readSession(path)
  expect(skipped).toBe(0)
  expect(chatOf(events).entries).toMatchObject([
    { outcome: 'done', parts: List.of([{ text: 'Hello' }, { arguments: { command: 'ls' } }]) },
  ])
})

describe('the session file', () => {
  test('exists from the first prompt on, readable by its owner only', () => {
    const place = makePlace()
    const { sessions, tell } = openProgram(place)
    tell(started)
    expect(readdirSync(dirname(place.stateFolder))).toEqual(['project'])
    tell(prompt('go'))
    const path = fileIn(place)
    expect(path).toContain(sessions.current().id)
    // Windows knows no such modes.
    const modes = process.platform === 'win32' ? [] : [path, dirname(path)].map(each => statSync(each).mode & 0o777)
    expect(modes).toEqual(process.platform === 'win32' ? [] : [0o600, 0o700])
    const { header, events } = readSession(path)
    expect(header).toMatchObject({ format: 1, folder: place.projectFolder, agent: 'zot', parent: null })
    expect(events.map(event => event.type)).toEqual(['agent_started', 'prompt_sent'])
  })

  test('has each event at once, and growing text as one line', () => {
    const place = makePlace()
    const { tell, wait } = openProgram(place)
    const onDisk = (): string[] =>
      readSession(fileIn(place)).events.map(event => ('text' in event ? event.text : event.type))
    tell(started, prompt('go'), answering, says('Hel'), says('lo'))
    expect(onDisk()).toEqual(['agent_started', 'go', 'answer_started'])
    wait()
    expect(onDisk().slice(3)).toEqual(['Hello'])
    tell(says(', '), says('you'), stops('end'))
    expect(onDisk().slice(3)).toEqual(['Hello', ', you', 'step_ended'])
  })

  test('that was deleted is restored in full, which is reported once', () => {
    const place = makePlace()
    const { tell, problems } = openProgram(place)
    tell(started, prompt('one'))
    rmSync(place.stateFolder, { recursive: true })
    tell(...reply)
    rmSync(place.stateFolder, { recursive: true })
    tell(prompt('two'))
    expect(problems).toEqual(['The file of this session was removed while it was open. It has been restored.'])
    expect(chatOf(readSession(fileIn(place)).events)).toMatchObject({
      entries: [{ prompt: 'one', outcome: 'done' }],
      open: { prompt: 'two' },
    })
  })

  test('loses only what cannot be written as JSON, which is reported once', () => {
    const place = makePlace()
    const { tell, problems } = openProgram(place)
    const round: unknown[] = []
    round.push(round)
    tell(started, prompt('one'), calls('a', 'bash', round), calls('b', 'bash', round), ...reply)
    expect(problems).toEqual([expect.stringMatching(/^A part of what the agent sent cannot be saved in the session/)])
    const { events, skipped } = readSession(fileIn(place))
    expect(skipped).toBe(0)
    expect(chatOf(events).entries).toMatchObject([{ prompt: 'one', outcome: 'done' }])
  })

  test('that cannot be written is written as soon as possible, which is reported once', () => {
    const place = makePlace()
    const { tell, problems } = openProgram(place)
    // A file where the folder should be: no system, and no user, writes below that.
    writeFileSync(place.stateFolder, '')
    tell(started, prompt('one'), ...reply)
    expect(problems).toHaveLength(1)
    expect(problems[0]).toMatch(/^The session cannot be saved right now\. You can continue, .*: E/)
    rmSync(place.stateFolder)
    mkdirSync(place.stateFolder)
    tell(prompt('two'))
    const { events, header } = readSession(fileIn(place))
    expect(header?.id).toBeDefined()
    expect(chatOf(events)).toMatchObject({ entries: [{ prompt: 'one', outcome: 'done' }], open: { prompt: 'two' } })
    expect(problems).toHaveLength(1)
  })
})
