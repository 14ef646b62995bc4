/** Findings as SARIF, against the parts of its schema that they use. */
import { Ajv } from 'ajv'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { ReviewFinding } from '../../src/review/findings/finding.ts'
import { sarifOf } from '../../src/review/sarif.ts'

const text = { type: 'string' }
const object = (properties: object, required: readonly string[]): object => ({
  type: 'object',
  properties,
  required,
  additionalProperties: false,
})
const level = { enum: ['none', 'note', 'warning', 'error'] }
const list = (items: object): object => ({ type: 'array', items, uniqueItems: false })

/**
 * What SARIF 2.1.0 says about the properties that are written, in the words of its schema (sections 3.13 to 3.30 of the standard). The
 * whole schema of OASIS allows more; what is valid here is valid there.
 */
const schema = object(
  {
    $schema: { ...text, format: 'uri' },
    version: { enum: ['2.1.0'] },
    runs: list(
      object(
        {
          tool: object(
            {
              driver: object(
                {
                  name: text,
                  version: text,
                  rules: {
                    ...list(
                      object(
                        {
                          id: text,
                          name: text,
                          shortDescription: object({ text }, ['text']),
                          defaultConfiguration: object({ level }, []),
                        },
                        ['id'],
                      ),
                    ),
                    uniqueItems: true,
                  },
                },
                ['name'],
              ),
            },
            ['driver'],
          ),
          columnKind: { enum: ['utf16CodeUnits', 'unicodeCodePoints'] },
          results: list(
            object(
              {
                ruleId: text,
                ruleIndex: { type: 'integer', minimum: -1 },
                level,
                message: object({ text, markdown: text }, ['text']),
                locations: list(
                  object(
                    {
                      physicalLocation: object(
                        {
                          artifactLocation: object({ uri: { ...text, format: 'uri-reference' }, uriBaseId: text }, []),
                          region: object(
                            { startLine: { type: 'integer', minimum: 1 }, endLine: { type: 'integer', minimum: 1 } },
                            [],
                          ),
                        },
                        [],
                      ),
                    },
                    [],
                  ),
                ),
              },
              ['message'],
            ),
          ),
        },
        ['tool'],
      ),
    ),
  },
  ['version', 'runs'],
)

/** A reference as RFC 3986 has it, as far as a path needs it: no character that must be encoded. */
const uri = /^(?:[a-z][a-z\d+.-]*:)?[\w~!$&'()*+,;=:@%/.-]*$/i
const isValid = new Ajv({ strict: false, formats: { uri, 'uri-reference': uri } }).compile(schema)

const uriOf = (path: string): unknown => {
  const log = sarifOf([{ level: 'note', path, lines: null, title: 'x', text: '' }], { version: '1.2.3' })
  return JSON.parse(JSON.stringify(log)).runs[0].results[0].locations[0].physicalLocation.artifactLocation
}

describe('a SARIF log', () => {
  test('is valid, whatever is found', () => {
    const words = fc.string({ unit: 'binary', minLength: 1 })
    const finding: fc.Arbitrary<ReviewFinding> = fc.record({
      level: fc.constantFrom('error', 'warning', 'note'),
      path: words,
      lines: fc.option(fc.record({ from: fc.integer({ min: 1, max: 99 }), to: fc.integer({ min: 99, max: 200 }) })),
      title: words,
      text: fc.string(),
    })
    fc.assert(
      fc.property(fc.array(finding, { maxLength: 5 }), findings => {
        const log: unknown = JSON.parse(JSON.stringify(sarifOf(findings, { version: '1.2.3' })))
        expect(isValid(log) ? [] : isValid.errors).toEqual([])
      }),
      { numRuns: 1_000 },
    )
  })

  test.each([
    ['src/a b.ts', { uri: 'src/a%20b.ts', uriBaseId: '%SRCROOT%' }],
    ['ä/#?.ts', { uri: '%C3%A4/%23%3F.ts', uriBaseId: '%SRCROOT%' }],
    ['a:b.ts', { uri: 'a%3Ab.ts', uriBaseId: '%SRCROOT%' }],
    ['/etc/x y', { uri: 'file:///etc/x%20y' }],
    ['C:\\work\\a.ts', { uri: 'file:///C:/work/a.ts' }],
    ['src\\a.ts', { uri: 'src/a.ts', uriBaseId: '%SRCROOT%' }],
  ])('names the file %s', (path, artifact) => {
    expect(uriOf(path)).toEqual(artifact)
  })
})
