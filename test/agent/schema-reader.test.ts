/** A reader that is derived from a schema must give what the schema gives. */
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { createReader, UNUSUAL, usualReader } from '../../src/agent/schema-reader.ts'
import { count, flag, identifier, list, maybeCount, maybeText, text } from '../../src/agents/transport/lenient.ts'
import { inheritedNames } from '../helpers/inherited-names.ts'
import { isLong } from '../helpers/length.ts'

const NAMES = ['a', 'b', 'type', 'x', ...inheritedNames]
const leaves = [
  () => z.string(),
  () => z.string().min(1),
  () => z.string().min(2).max(3),
  () => z.number(),
  () => z.int(),
  () => z.number().min(1),
  () => z.boolean(),
  () => z.unknown(),
  () => z.literal('a'),
  () => z.literal([1, 'b', null]),
  () => z.enum(['a', 'b']),
  () => z.string().refine(word => word !== 'a'),
  () => z.string().transform(word => word.length),
  () => z.iso.date(),
  () => z.null(),
  () => text,
  () => maybeText,
  () => count,
  () => maybeCount,
  () => flag,
  () => identifier,
] as const satisfies readonly (() => z.ZodType)[]

/** Any schema that is made of what our schemas are made of, and of a few things that they are not. */
const { schema: anySchema } = fc.letrec<{ schema: z.ZodType }>(tie => {
  const leaf = fc.constantFrom(...leaves).map(make => make() as z.ZodType)
  const inner = tie('schema')
  const shape = fc.dictionary(fc.constantFrom(...NAMES), inner, { maxKeys: 4 })
  const member = fc.constantFrom('a', 'b')
  return {
    schema: fc.oneof(
      { maxDepth: 4, withCrossShrink: true },
      leaf,
      inner.map(each => each.optional()),
      inner.map(each => each.nullable()),
      inner.map(each => each.nullish().catch(null)),
      inner.map(each => each.catch('caught')),
      inner.map(each => each.catch({})),
      inner.map(each => each.default('given')),
      inner.map(each => z.array(each)),
      inner.map(each => z.array(each).readonly()),
      inner.map(each => list(each)),
      inner.map(each => z.record(z.string(), each)),
      fc.tuple(inner, inner).map(options => z.union(options)),
      fc.tuple(inner, inner).map(items => z.tuple(items)),
      shape.map(each => z.object(each)),
      shape.map(each => z.looseObject(each)),
      shape.map(each => z.strictObject(each)),
      shape.map(each => z.object(each).refine(value => !('b' in value))),
      fc
        .tuple(shape, shape)
        .map(([one, other]) =>
          z.discriminatedUnion('type', [
            z.object({ ...one, type: z.literal('a') }),
            z.object({ ...other, type: z.literal('b') }),
          ]),
        ),
      fc.tuple(member, inner).map(([name, each]) => z.object({ [name]: each.optional() })),
    ),
  }
})

const word = fc.oneof(fc.constantFrom('a', 'b', 'ab', ''), fc.string())
const scalar = fc.oneof(word, fc.constantFrom(0, 1, 1.5, -1, true, false, null), fc.double())
const { value: anyValue } = fc.letrec<{ value: unknown }>(tie => ({
  value: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    scalar,
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom(...NAMES), tie('value'), { maxKeys: 4 }),
  ),
}))

/** As it comes from a wire. */
const wired = (value: unknown): unknown => JSON.parse(JSON.stringify(value))

/** The same members, in the same order. */
function same(one: unknown, other: unknown): void {
  expect(JSON.stringify(one)).toBe(JSON.stringify(other))
  expect(one).toEqual(other)
}

describe('a derived reader', () => {
  test('gives what its schema gives, or leaves the value to it, for any schema and any value', () => {
    let [read, left] = [0, 0]
    fc.assert(
      fc.property(anySchema, fc.array(anyValue, { minLength: 1, maxLength: 8 }), (schema, values) => {
        const reader = usualReader(schema)
        const whole = createReader(() => schema)
        for (const value of values.map(wired)) {
          const told = schema.safeParse(value)
          same(whole(value), told.data ?? null)
          const found = reader(value)
          if (found === UNUSUAL) {
            left += 1
            continue
          }
          read += 1
          expect(told.success).toBe(true)
          same(found, told.data)
        }
      }),
      { numRuns: isLong ? 5000 : 300 },
    )
    expect(read).toBeGreaterThan(50)
    expect(left).toBeGreaterThan(150)
  })

  test('leaves numbers without a value, members named __proto__ and values of other classes to the schema', () => {
    const schema = z.looseObject({ a: z.number().optional() })
    const read = usualReader(schema)
    expect(read({ a: 1, b: 2 })).toEqual({ a: 1, b: 2 })
    for (const value of [{ a: Infinity }, JSON.parse('{"__proto__":{}}'), new Map(), Object.create({ a: 1 }), [], null])
      expect(read(value)).toBe(UNUSUAL)
  })

  test('makes no schema before the first value', () => {
    let made = 0
    const read = createReader(() => {
      made += 1
      return z.string()
    })
    expect(made).toBe(0)
    expect([read('a'), read(1), made]).toEqual(['a', null, 1])
  })
})
