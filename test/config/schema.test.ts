/** The checks of settings, of themes and their JSON Schemas say the same. */
import { describeSetting } from '../../src/config/descriptions.ts'
import { Ajv2020, type AnySchema } from 'ajv/dist/2020.js'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { checkSetting, defaultSettings, settingNames, settingsFile } from '../../src/config/schema.ts'
import { themeKind } from '../../src/style/definition.ts'

const ajv = new Ajv2020()
const valid = (schema: object) => ajv.compile(schema as AnySchema)

/** Every word that a schema mentions, so that chance finds the values that are near to right ones. */
function wordsIn(schema: unknown): string[] {
  if (typeof schema === 'string') return [schema]
  if (typeof schema !== 'object' || schema === null) return []
  return Object.entries(schema).flatMap(([name, value]) => [[name], wordsIn(value)].flat())
}

function valuesNear(schema: unknown): fc.Arbitrary<unknown> {
  const words = fc.constantFrom('', ...wordsIn(schema))
  const numbers = fc.constantFrom(-1, 0, 0.5, 1, 9, 10, 100, 101, 86_400, 1_000_001, 1e300)
  const { value } = fc.letrec(tie => ({
    value: fc.oneof(
      { maxDepth: 3, depthSize: 'small' },
      words,
      numbers,
      fc.boolean(),
      fc.constant(null),
      fc.array(tie('value'), { maxLength: 3 }),
      fc.dictionary(words, tie('value'), { maxKeys: 4 }),
    ),
  }))
  return value
}

describe('a setting', () => {
  const properties = settingsFile(describeSetting).schema['properties'] as Readonly<Record<string, object>>

  test.each(settingNames)('%s takes the values that its JSON Schema allows, and its default', name => {
    const schema = properties[name] ?? {}
    const isValid = valid(schema)
    fc.assert(
      fc.property(fc.oneof(valuesNear(schema), fc.jsonValue()), value => {
        expect(checkSetting(name, value).ok).toBe(isValid(value))
      }),
      { numRuns: 500 },
    )
    expect(checkSetting(name, defaultSettings[name]).ok).toBe(true)
  })
})

test.each([
  ['a settings file', settingsFile(describeSetting)],
  ['a theme', themeKind],
])('%s has no mistakes exactly where its JSON Schema allows it', (_name, kind) => {
  const isValid = valid(kind.schema)
  const members = Object.entries(kind.schema['properties'] as Readonly<Record<string, object>>)
  const near = fc.record(Object.fromEntries(members.map(([name, schema]) => [name, valuesNear(schema)])), {
    requiredKeys: [],
  })
  fc.assert(
    fc.property(fc.oneof(near, valuesNear(kind.schema), fc.jsonValue()), value => {
      expect(kind.accepts(value)).toBe(isValid(value))
    }),
    { numRuns: 2000 },
  )
})

test('a price that a __proto__ in the file would bring in is a mistake', () => {
  const prices = Object.create({ m: { input: -1, output: 0 } }) as unknown
  expect(checkSetting('prices', prices).ok).toBe(false)
})
