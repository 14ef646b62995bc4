import { describe, expect, test } from 'vitest'
import { readOutputSchema, type OutputSchema } from '../../src/print/output-schema.ts'

async function read(schema: unknown): Promise<OutputSchema> {
  const result = await readOutputSchema(JSON.stringify(schema))
  if (!result.ok) throw new Error(result.problem)
  return result.schema
}

const person = {
  type: 'object',
  properties: { name: { type: 'string' }, born: { type: 'integer' } },
  required: ['name'],
  additionalProperties: false,
}

describe('an answer', () => {
  test.each([
    ['JSON alone', '{"name":"Ada"}', '{"name":"Ada"}'],
    ['JSON between empty lines', '\n\n{ "name": "Ada" }\n', '{ "name": "Ada" }'],
    ['JSON in a code fence', '```json\n{"name":"Ada"}\n```', '{"name":"Ada"}'],
    [
      'the last of several fences',
      'A draft:\n```\n{"a":1}\n```\nBetter:\n```json\n{"name":"Ada"}\n```\nDone.',
      '{"name":"Ada"}',
    ],
    [
      'large numbers as they were written',
      '{"name":"Ada","born":9007199254740993}',
      '{"name":"Ada","born":9007199254740993}',
    ],
  ])('is taken as %s', async (_, answer, json) => {
    expect((await read(person)).check(answer)).toEqual({ ok: true, json })
  })

  test.each([
    ['no JSON', 'Ada, of course.', ['The answer is not JSON.']],
    ['JSON between words without a fence', 'Here: {"name":"Ada"}', ['The answer is not JSON.']],
    ['a missing property', '{"born":1815}', ["The answer must have required property 'name'."]],
    ['a wrong type', '{"name":1}', ['/name must be string.']],
    ['an unknown property', '{"name":"Ada","x":1}', ['The answer must NOT have additional properties: "x".']],
    ['nothing', '', ['The answer is not JSON.']],
  ])('with %s is refused with the reason', async (_, answer, problems) => {
    expect((await read(person)).check(answer)).toEqual({ ok: false, problems })
  })

  test('with many problems names ten lines of them at most', async () => {
    const checked = (await read({ type: 'array', items: { type: 'string' } })).check(
      JSON.stringify(Array(5000).fill(1)),
    )
    const problems = checked.ok ? [] : checked.problems
    expect(problems).toHaveLength(10)
    expect(problems.at(-1)).toBe('There are 4991 more problems.')
  })
})

describe('a schema', () => {
  test.each([
    ['{', /^is not JSON: /],
    ['[]', /^is not a JSON Schema: it must be an object$/],
    ['{"type":"text"}', /^is not a JSON Schema that can be used: /],
    ['{"$ref":"https://example.com/other.json"}', /can't resolve reference/],
    ['{"$schema":"http://json-schema.org/draft-04/schema#"}', /draft-04/],
  ])('%s is refused in one line', async (text, words) => {
    const result = await readOutputSchema(text)
    expect(result).toMatchObject({ ok: false, problem: expect.stringMatching(words) })
    expect(result.ok ? '' : result.problem).not.toContain('\n')
  })

  test.each([
    ['https://json-schema.org/draft/2020-12/schema', { prefixItems: [{ type: 'string' }] }],
    ['http://json-schema.org/draft-07/schema#', { items: [{ type: 'string' }] }],
  ])('of %s checks by its own keywords', async (draft, keywords) => {
    const schema = await read({ $schema: draft, type: 'array', ...keywords })
    expect(schema.check('["a"]').ok).toBe(true)
    expect(schema.check('[1]').ok).toBe(false)
  })

  test('may have keywords and formats that are unknown', async () => {
    const schema = await read({ type: 'string', format: 'house-number', 'x-order': 3 })
    expect(schema.check('"12a"').ok).toBe(true)
  })
})
