/** Everything that comes by thousands is read without its schema where it is usual, and just as the schema reads it. */
import * as fc from 'fast-check'
import { beforeAll, describe, expect, test } from 'vitest'
import type { z } from 'zod'
import { UNUSUAL, usualReader } from '../../src/agent/schema-reader.ts'
import { makeParamsSchema as makeAcpParams } from '../../src/agents/acp/frame.ts'
import { makeParamsSchema as makeMeerkatParams } from '../../src/agents/meerkat/frame.ts'
import { readUsualFrame } from '../../src/agents/zot/decode.ts'
import { readFrame } from '../../src/agents/zot/frame.ts'
import { makeGuardSchema } from '../../src/agents/zot/guard/link/frames.ts'
import { readArguments } from '../../src/local-tools/as-zot/read-tool.ts'
import { makeLineSchema } from '../../src/storage/sessions/session-format.ts'
import { readAcpRecordings, recordedAgents } from '../helpers/acp-recordings.ts'
import { inheritedNames } from '../helpers/inherited-names.ts'
import { isLong } from '../helpers/length.ts'
import { readMeerkatRecordings } from '../helpers/meerkat-recordings.ts'
import type { PackedRecording } from '../helpers/packed-recordings.ts'
import { outputOf, readRecordings } from '../helpers/recording.ts'
import { eventsOf } from '../recordings/playing.ts'

type Wire = {
  name: string
  schema: z.ZodType
  frames: () => Promise<readonly unknown[]> | readonly unknown[]
  /** The least share of the frames that is read without the schema. */
  usual: number
}

const paramsIn = (recordings: readonly PackedRecording[], method: string): unknown[] =>
  recordings.flatMap(({ lines }) =>
    lines.flatMap(({ frame }) => (frame?.['method'] === method ? [frame['params']] : [])),
  )

const call = { tool_id: '1', tool_name: 'bash', tool_args: { command: 'ls', timeout: 3 } }
const guardFrames = [
  { type: 'hello_ack', cwd: '/p', zot_version: '0.3.36', protocol: 1 },
  { type: 'ready', pid: 7, zot: 8 },
  { type: 'pong' },
  { type: 'event_intercept', id: 'a', event: 'tool_call', tool_id: '1', tool_name: 'read', tool_args: null, step: 0 },
  { type: 'own_call', mark: 'm', call },
  { type: 'own_call', mark: 7, call: { ...call, tool_args: undefined } },
  { type: 'unmade' },
  { type: 'tool_call', id: 'b', name: 'bash', args: { command: 'ls' } },
  { type: 'tool_cancel', id: 3 },
]
const readCalls = [{ path: 'a.txt' }, { path: 'b', offset: 3, limit: null }, { path: 'c', limit: 10, more: true }]

const wires: Wire[] = [
  {
    name: 'updates of real agents of the Agent Client Protocol',
    schema: makeAcpParams(),
    frames: () => paramsIn(recordedAgents.flatMap(readAcpRecordings), 'session/update'),
    usual: 0.85,
  },
  {
    name: 'events of a real Meerkat',
    schema: makeMeerkatParams(),
    frames: () => paramsIn(readMeerkatRecordings(), 'session/event'),
    usual: 0.5,
  },
  {
    name: 'lines of a session',
    schema: makeLineSchema(),
    frames: async () => (await Promise.all(readRecordings().map(recording => eventsOf(recording)))).flat(),
    usual: 0.99,
  },
  { name: "frames of zot's guard", schema: makeGuardSchema(), frames: () => guardFrames, usual: 0.6 },
  { name: 'the arguments of a read', schema: readArguments, frames: () => readCalls, usual: 1 },
]

const oddity = fc.oneof(
  fc.constantFrom<unknown>(null, '', 'x', 0, 1.5, true, [], {}, [null], { text: 'a' }),
  fc.jsonValue({ maxDepth: 2 }),
)
/** A change of one member, as deep in a frame as the numbers lead. */
const change = fc.record({
  path: fc.array(fc.nat(1000), { minLength: 1, maxLength: 5 }),
  how: fc.constantFrom('replace', 'remove', 'add'),
  name: fc.constantFrom('x', 'type', 'text', 'id', ...inheritedNames),
  value: oddity,
})
type Change = typeof change extends fc.Arbitrary<infer Value> ? Value : never

/** A copy of a frame with the changes, as it comes through JSON. */
function changed(frame: unknown, changes: readonly Change[]): unknown {
  const copy: unknown = JSON.parse(JSON.stringify(frame))
  for (const { path, how, name, value: odd } of changes) {
    const value: unknown = structuredClone(odd)
    let at = copy
    for (const [depth, number] of path.entries()) {
      if (typeof at !== 'object' || at === null) break
      const members = Object.keys(at)
      const member = members[number % Math.max(1, members.length)]
      const next: unknown = member === undefined ? undefined : Reflect.get(at, member)
      if (depth < path.length - 1 && typeof next === 'object' && next !== null) {
        at = next
        continue
      }
      if (how === 'add')
        Object.defineProperty(at, name, { value, enumerable: true, configurable: true, writable: true })
      else if (member !== undefined && how === 'remove') Reflect.deleteProperty(at, member)
      else if (member !== undefined) Reflect.set(at, member, value)
      break
    }
  }
  return JSON.parse(JSON.stringify(copy))
}

describe.each(wires)('$name', ({ schema, frames: recorded, usual }) => {
  const read = usualReader(schema)
  let frames: readonly unknown[] = []
  beforeAll(async () => {
    frames = await recorded()
  })

  test('are read as their schema reads them, and mostly without it', () => {
    let known = 0
    for (const frame of frames) {
      const found = read(frame)
      if (found === UNUSUAL) continue
      known += 1
      expect(found).toEqual(schema.parse(frame))
    }
    expect(known / frames.length).toBeGreaterThanOrEqual(usual)
  })

  test('are accepted and read alike when something in them is odd', () => {
    let known = 0
    fc.assert(
      fc.property(fc.nat(), fc.array(change, { minLength: 1, maxLength: 3 }), (number, changes) => {
        const frame = changed(frames[number % frames.length], changes)
        const found = read(frame)
        if (found === UNUSUAL) return
        known += 1
        const told = schema.safeParse(frame)
        expect(told.success).toBe(true)
        expect(found).toEqual(told.data)
      }),
      { numRuns: isLong ? 20_000 : 700 },
    )
    expect(known).toBeGreaterThan(50)
  })
})

test('frames of a real zot are accepted and read alike by the decoder and the schema when something in them is odd', () => {
  const frames = readRecordings().flatMap(recording => outputOf(recording).map((line): unknown => JSON.parse(line)))
  let known = 0
  fc.assert(
    fc.property(fc.nat(), fc.array(change, { maxLength: 3 }), (number, changes) => {
      const frame = changed(frames[number % frames.length], changes)
      const found = readUsualFrame(frame)
      if (!found) return
      known += 1
      expect(found).toEqual(readFrame(frame))
    }),
    { numRuns: isLong ? 20_000 : 700 },
  )
  expect(known).toBeGreaterThan(50)
})
