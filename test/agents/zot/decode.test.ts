/** Frames that are read without a schema: they must give what the schema gives. */
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { replyData, type CommandType } from '../../../src/agents/zot/command.ts'
import { readFrame } from '../../../src/agents/zot/frame.ts'
import { readUsualData, readUsualFrame } from '../../../src/agents/zot/decode.ts'
import { parseJson } from '../../../src/text/json.ts'
import { inheritedNames } from '../../helpers/inherited-names.ts'
import { outputOf, readRecordings } from '../../helpers/recording.ts'

const types = [
  'user_message',
  'turn_start',
  'assistant_start',
  'text_delta',
  'tool_use_start',
  'tool_use_args',
  'tool_use_end',
  'tool_progress',
  'tool_result',
  'turn_end',
  'done',
  'usage',
  'response',
  ...inheritedNames,
]
const commands: CommandType[] = ['hello', 'prompt', 'abort', 'clear', 'get_state', 'get_models', 'set_model']

/** Mostly the value that is meant, else anything that JSON can say. */
const mostly = (usual: fc.Arbitrary<unknown>) =>
  fc.oneof({ weight: 8, arbitrary: usual }, { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 1 }) })

const named = {
  ...Object.fromEntries(
    ['id', 'name', 'delta', 'text', 'stop', 'command', 'error', 'version', 'provider', 'model', 'reasoning', 'x'].map(
      name => [name, mostly(fc.string())],
    ),
  ),
  ...Object.fromEntries(
    ['step', 'protocol_version', 'context_window', 'max_output'].map(name => [name, mostly(fc.double())]),
  ),
  success: mostly(fc.boolean()),
  is_error: mostly(fc.boolean()),
  content: mostly(
    fc.array(mostly(fc.record({ type: mostly(fc.constant('text')), text: mostly(fc.string()), x: fc.string() }))),
  ),
}
const often = fc.oneof(
  { weight: 3, arbitrary: fc.record(named) },
  { weight: 1, arbitrary: fc.record(named, { requiredKeys: [] }) },
)
const models = fc.array(
  fc.tuple(often, mostly(fc.boolean())).map(([fields, reasoning]) => Object.assign({}, fields, { reasoning })),
)

/** As it comes from the wire. */
const wired = (value: unknown): unknown => JSON.parse(JSON.stringify(value))

test('a frame reads the same with and without the schema', () => {
  let read = 0
  fc.assert(
    fc.property(often, fc.constantFrom(...types), mostly(fc.jsonValue()), (fields, type, data) => {
      const frame = wired({ ...fields, type, data })
      const usual = readUsualFrame(frame)
      if (!usual) return
      read += 1
      expect(usual).toEqual(readFrame(frame))
    }),
    { numRuns: 1000 },
  )
  expect(read).toBeGreaterThan(100)
})

test('the data of a reply read the same with and without the schema', () => {
  let read = 0
  fc.assert(
    fc.property(often, fc.constantFrom(...commands), mostly(models), (fields, type, some) => {
      const data = wired({ ...fields, models: some })
      const usual = readUsualData(type, data)
      if (!usual) return
      read += 1
      expect(usual.data).toEqual(replyData[type].parse(data))
    }),
    { numRuns: 1000 },
  )
  expect(read).toBeGreaterThan(100)
})

test.each([null, 7, 'text', [], {}, { type: 1 }, { type: '__proto__' }, { type: 'turn_start', step: Infinity }])(
  '%j is left to the schema',
  value => expect(readUsualFrame(value)).toBeNull(),
)

test('a frame of a real zot is read the same with and without the schema, and most frames without', () => {
  const frames = readRecordings().flatMap(recording => outputOf(recording).map(line => parseJson(line)))
  let usual = 0
  for (const frame of frames) {
    const read = readUsualFrame(frame)
    if (!read) continue
    usual += 1
    expect(read).toEqual(readFrame(frame))
  }
  expect(usual).toBeGreaterThan(frames.length * 0.6)
})
