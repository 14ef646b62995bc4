/** Frames and arguments that are read without a schema while zot waits: they must give what the schema gives. */
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { readGuardFrame, readUsualGuardFrame } from '../../../../src/agents/zot/guard/link/frames.ts'
import { readArguments, usualReadArguments } from '../../../../src/local-tools/as-zot/read-tool.ts'
import { inheritedNames } from '../../../helpers/inherited-names.ts'

/** Mostly the value that is meant, else anything that JSON can say. */
const mostly = (usual: fc.Arbitrary<unknown>) =>
  fc.oneof({ weight: 8, arbitrary: usual }, { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 2 }) })

const word = fc.oneof(fc.string(), fc.constantFrom(...inheritedNames))
const call = fc.record(
  { tool_id: mostly(word), tool_name: mostly(word), tool_args: fc.jsonValue(), event: word },
  { requiredKeys: ['event'] },
)
const frame = fc.record(
  { type: mostly(fc.constantFrom('own_call', 'unmade')), mark: mostly(word), call: mostly(call), id: word },
  { requiredKeys: ['type', 'mark', 'call'] },
)
const args = fc.record(
  {
    path: mostly(word),
    offset: mostly(fc.oneof(fc.integer(), fc.double(), fc.constant(null))),
    limit: mostly(fc.oneof(fc.integer(), fc.double(), fc.constant(null))),
    x: word,
  },
  { requiredKeys: ['path'] },
)

/** As it comes from the wire. */
const wired = (value: unknown): unknown => JSON.parse(JSON.stringify(value))

test.each([
  ['a call that zot is about to make', frame, readUsualGuardFrame, readGuardFrame],
  ['the arguments of read', args, usualReadArguments, (value: unknown) => readArguments.parse(value)],
] as const)('%s reads the same with and without the schema, and mostly without', (_what, made, usual, schema) => {
  let read = 0
  fc.assert(
    fc.property(made, given => {
      const value = wired(given)
      const found = usual(value)
      if (!found) return
      read += 1
      expect(found).toEqual(schema(value))
    }),
    { numRuns: 1000 },
  )
  expect(read).toBeGreaterThan(150)
})

test.each([
  null,
  7,
  'path',
  [],
  {},
  { path: '' },
  { path: 'a', offset: 1.5 },
  { path: 'a', limit: '3' },
  { path: ['a'] },
])('arguments of read that are %j are left to the schema', value => expect(usualReadArguments(value)).toBeNull())
