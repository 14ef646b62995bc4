import { expect, test } from 'vitest'
import { sentence } from '../../src/text/sentence.ts'

test.each([
  ['', ''],
  ['nothing to compact', 'Nothing to compact.'],
  ['the key is wrong: bad', 'The key is wrong: bad.'],
  ['error: it fell', 'Error: it fell.'],
  ['is it?', 'Is it?'],
  ['cut in the middle…', 'Cut in the middle…'],
  ['zot ended', 'zot ended.'],
  ['zot', 'zot.'],
  ['src/a.ts: no such file', 'src/a.ts: no such file.'],
  ['snake_case is a name', 'snake_case is a name.'],
  ['npm-run failed', 'Npm-run failed.'],
  ['éclair', 'éclair.'],
])('%j is %j', (text, shown) => {
  expect(sentence(text)).toBe(shown)
})
