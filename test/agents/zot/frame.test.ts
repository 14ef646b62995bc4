import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { runs } from '../../helpers/length.ts'
import { agentEventSchema } from '../../../src/agent/event-schema.ts'
import { createMemoryPair } from '../../../src/agents/transport/memory-pair.ts'
import { createZotClient } from '../../../src/agents/zot/client.ts'
import { decode } from '../../../src/agents/zot/decode.ts'
import { translate } from '../../../src/agents/zot/translate.ts'
import { readRecordings, outputOf } from '../../helpers/recording.ts'

test.each([
  ['', 'not JSON'],
  ['{"type":"done"', 'not JSON'],
  ['null', 'not a frame'],
  ['[]', 'not a frame'],
  ['"done"', 'not a frame'],
  ['{}', 'not a frame'],
  ['{"type":1}', 'not a frame'],
  ['{"type":"ext_status","key":"k"}', 'unknown event "ext_status"'],
  ['{"type":"__proto__"}', 'unknown event "__proto__"'],
])('%s is not a frame: %s', (line, reason) => {
  expect(decode(line)).toEqual({ kind: 'unknown', reason })
})

test.each([
  ['a missing field', { type: 'text_delta' }, { type: 'text_delta', delta: '' }],
  ['null for a number', { type: 'turn_start', step: null }, { type: 'turn_start', step: 0 }],
  ['a number for an id', { type: 'tool_use_end', id: 7 }, { type: 'tool_use_end', id: '7' }],
  ['an id with a slash', { type: 'tool_use_end', id: 'a/1/2' }, { type: 'tool_use_end', id: 'a/1/2' }],
  ['no list', { type: 'assistant_message', content: null }, { type: 'assistant_message', content: [] }],
  [
    'a block of an unknown kind',
    { type: 'assistant_message', content: [{ type: 'thinking', text: 'hm' }, 7, { type: 'text', text: 'a' }] },
    { type: 'assistant_message', content: [{ type: 'text', text: 'a' }] },
  ],
  ['an unknown field', { type: 'done', strategy: 'x' }, { type: 'done' }],
])('%s loses nothing else', (_what, frame, event) => {
  expect(decode(JSON.stringify(frame))).toEqual({ kind: 'event', event })
})

test('a reply is read with and without data, id and error', () => {
  expect(decode('{"type":"response","command":"abort","success":true}')).toEqual({
    kind: 'response',
    response: { type: 'response', command: 'abort', success: true },
  })
  expect(decode('{"type":"response","command":"","success":false,"error":"malformed json: x"}')).toEqual({
    kind: 'response',
    response: { type: 'response', command: '', success: false, error: 'malformed json: x' },
  })
})

const kinds = ['response', 'event', 'unknown']

test('decoding never throws', () => {
  const lines = fc.oneof(fc.string({ unit: 'binary' }), fc.json())
  fc.assert(
    fc.property(lines, line => {
      expect(kinds).toContain(decode(line).kind)
    }),
  )
})

test('a wrong value in any field except the type loses no frame', () => {
  const lines = readRecordings().flatMap(outputOf)
  const values = fc.oneof(fc.jsonValue(), fc.constant(undefined))
  fc.assert(
    fc.property(fc.constantFrom(...lines), fc.nat(), values, (line, place, value) => {
      const frame: object = JSON.parse(line)
      const keys = Object.keys(frame).filter(key => key !== 'type')
      const key = keys[place % keys.length]
      const decoded = decode(JSON.stringify(key === undefined ? frame : { ...frame, [key]: value }))
      expect(decoded.kind).not.toBe('unknown')
      const event = decoded.kind === 'event' ? translate(decoded.event, 0) : null
      if (event) agentEventSchema.parse(event)
    }),
    runs(2000),
  )
})

test('a client settles every request when its zot ends, later ones included', async () => {
  const { near, far } = createMemoryPair()
  const client = createZotClient(near, { onEvent: () => {} })
  const requests = [client.request({ type: 'ping' }), client.request({ type: 'get_state' })]
  far.writeError('zot: gone')
  far.end({ code: 9 })
  for (const request of requests) {
    expect(await request).toMatchObject({ ok: false, message: 'zot: gone', ending: { code: 9 } })
  }
  expect(await client.request({ type: 'ping' })).toMatchObject({ ok: false, ending: { code: 9 } })
})

test('a client matches replies to requests by id, in any order', async () => {
  const { near, far } = createMemoryPair()
  const client = createZotClient(near, { onEvent: () => {} })
  const ids: string[] = []
  far.receive(line => {
    ids.push(JSON.parse(line).id)
    if (ids.length < 2) return
    far.write(JSON.stringify({ type: 'response', id: ids[1], command: 'set_model', success: false, error: 'no' }))
    far.write(
      JSON.stringify({ type: 'response', id: ids[0], command: 'get_state', success: true, data: { model: 'm' } }),
    )
  })
  const state = client.request({ type: 'get_state' })
  const change = client.request({ type: 'set_model', model: 'x' })
  expect(await change).toEqual({ ok: false, message: 'no', ending: null })
  expect(await state).toEqual({ ok: true, data: { provider: '', model: 'm' } })
})
