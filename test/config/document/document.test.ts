/** The settings in a file, and its faults. */
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readSettingsDocument } from '../../../src/config/document/document.ts'
import { defaultSettings, settingNames } from '../../../src/config/schema.ts'

const noticesOf = (text: string): string[] =>
  readSettingsDocument(text).notices.map(({ line, text: words }) => `${line}: ${words}`)

describe('a settings file', () => {
  test.each(['', ' \n', '{}', '\uFEFF{}', '// later\n{}', '{ "$schema": "https://example.org/s.json" }'])(
    'may say nothing: %j',
    text => expect(readSettingsDocument(text)).toEqual({ values: {}, lines: new Map(), rules: [], notices: [] }),
  )

  test('gives values with their lines, and allows comments and trailing commas', () => {
    const text =
      '{\n  // mine\n  "theme": "dark",\n  "compactAt": 70,\n  "favouriteModels": ["a", "b",],\n  "maxCostUsd": null,\n}\n'
    const { values, lines, notices } = readSettingsDocument(text)
    expect(values).toEqual({ theme: 'dark', compactAt: 70, favouriteModels: ['a', 'b'], maxCostUsd: null })
    expect([...lines]).toEqual([
      ['theme', 3],
      ['compactAt', 4],
      ['favouriteModels', 5],
      ['maxCostUsd', 6],
    ])
    expect(notices).toEqual([])
  })

  test.each([
    ['{\n "themee": "dark"\n}', '2: there is no setting themee; did you mean theme?'],
    ['{ "compact_at": 3 }', '1: there is no setting compact_at; did you mean compactAt?'],
    ['{ "statusLineComand": "x" }', '1: there is no setting statusLineComand; did you mean statusLine?'],
    ['{ "everything": 3 }', '1: there is no setting everything'],
    ['{ "detail": "shrot" }', '1: detail must be one of names, short, full; did you mean short?'],
    ['{ "ascii": "yes" }', '1: ascii must be true or false'],
    ['{ "compactAt": 101 }', '1: compactAt must be a whole number from 0 to 100'],
    ['{ "compactAt": 1.5 }', '1: compactAt must be a whole number from 0 to 100'],
    ['{ "maxCostUsd": 0 }', '1: maxCostUsd must be more than 0, or null for no limit'],
    ['{ "theme": "" }', '1: theme must not be empty'],
    ['{ "favouriteModels": "a" }', '1: favouriteModels must be a list of model names'],
    ['{ "ascii": true,\n"ascii": false }', '2: ascii is set a second time here; this value is used'],
    ['{ "ascii": tru }', '1: not valid JSON near column 12; the file is ignored'],
    ['[]', '1: must be an object of settings'],
  ])('with %j gives a warning', (text, notice) => expect(noticesOf(text)).toEqual([notice]))

  test('keeps its valid settings if others have mistakes', () => {
    expect(readSettingsDocument('{ "themee": 1, "ascii": true, "detail": 3 }').values).toEqual({ ascii: true })
  })

  test('never throws, and never gives a value that the schema does not allow', () => {
    const value = fc.oneof(fc.jsonValue(), fc.string(), fc.integer(), fc.boolean())
    const written = fc.dictionary(fc.oneof(fc.constantFrom(...settingNames), fc.string()), value)
    fc.assert(
      fc.property(
        fc.oneof(
          written.map(each => JSON.stringify(each)),
          fc.string(),
        ),
        text => {
          const { values } = readSettingsDocument(text)
          for (const name of Object.keys(values)) expect(Object.keys(defaultSettings)).toContain(name)
        },
      ),
    )
  })
})
