import { expect, test } from 'vitest'
import { readSettingsDocument } from '../../src/config/document/document.ts'
import { defaultSettings } from '../../src/config/schema.ts'
import { allowedUntrusted } from '../../src/config/trust/untrusted.ts'
import { readTyped, shownValue } from '../../src/config/typed.ts'

const prices = { 'gpt-5*': { input: 1.25, output: 10, cacheRead: 0.125 }, local: { input: 0, output: 0 } }

test('prices are read from a file and from a variable, and are shown as they are written', () => {
  const text = JSON.stringify({ prices })
  expect(readSettingsDocument(text)).toMatchObject({ values: { prices }, notices: [] })
  expect(readTyped('prices', JSON.stringify(prices))).toEqual({ ok: true, value: { prices } })
  expect(readTyped('prices', shownValue(prices))).toEqual({ ok: true, value: { prices } })
  expect(shownValue({})).toBe('none')
})

test.each([
  ['a number', 5, 'must be an object of model names, each with its prices'],
  [
    'a price that is no object',
    { m: 3 },
    'must have the prices input and output, and may have cacheRead and cacheWrite',
  ],
  ['a negative price', { m: { input: -1, output: 0 } }, 'must not be negative'],
  ['a missing price', { m: { input: 1 } }, 'must be a number'],
])('%s is a mistake that names its line', (_name, wrong, reason) => {
  const { values, notices } = readSettingsDocument(JSON.stringify({ prices: wrong }))
  expect(values).toEqual({})
  expect(notices).toEqual([{ line: 1, text: `prices ${reason}` }])
})

test('a price of another word is a mistake', () => {
  const { notices } = readSettingsDocument(JSON.stringify({ prices: { m: { input: 1, output: 1, each: 1 } } }))
  expect(notices).toHaveLength(1)
})

test('a project that is not trusted sets no prices', () => {
  expect(allowedUntrusted('prices', prices, defaultSettings.prices)).toBe(false)
})
