import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { readFrontmatter } from '../../../src/config/prompts/frontmatter.ts'

test.each<[text: string, description: string | null, hint: string | null, body: string]>([
  ['Review it.', null, null, 'Review it.'],
  ['---\ndescription: Reviews\nargument-hint: <path>\n---\nReview it.', 'Reviews', '<path>', 'Review it.'],
  ['---\r\ndescription: Reviews\r\n---\r\nReview it.', 'Reviews', null, 'Review it.'],
  ['\uFEFF---\ndescription: Reviews\n---\nReview it.', 'Reviews', null, 'Review it.'],
  ['---\n---\nReview it.', null, null, 'Review it.'],
  ['---\ndescription: "Reviews: all"\n---\n', 'Reviews: all', null, ''],
  ['---\ndescription: >\n  Reviews\n  all\n---\nx', 'Reviews all', null, 'x'],
  ['---\ndescription: 5\n---\nx', '5', null, 'x'],
  // As people write it, and YAML does not have it.
  ['---\ndescription: Reviews: all\nargument-hint: [path] [depth]\n---\nx', 'Reviews: all', '[path] [depth]', 'x'],
  ['---\nargument-hint: [path]\n---\nx', null, '[path]', 'x'],
  ['---\nargument-hint: [path, depth]\ndescription: @x\n---\nx', '@x', '[path, depth]', 'x'],
  ['---\ndescription: a\ndescription: b\n---\nx', 'a', null, 'x'],
  ['---\n- a\n- b\n---\nx', null, null, 'x'],
  ['---\ndescription:\n---\nx', null, null, 'x'],
  ['---\n__proto__:\n  description: x\n---\nx', null, null, 'x'],
  // No end: it is a line that somebody drew.
  ['---\ndescription: Reviews\n', null, null, '---\ndescription: Reviews\n'],
  ['----\ndescription: a\n---\nx', null, null, '----\ndescription: a\n---\nx'],
  ['text\n---\ndescription: a\n---\nx', null, null, 'text\n---\ndescription: a\n---\nx'],
])('%j', async (text, description, hint, body) => {
  const read = await readFrontmatter(text)
  expect([read.field('description'), read.field('argument-hint'), read.body]).toEqual([description, hint, body])
})

test('any frontmatter can be read, and the text below it is the end of the file', async () => {
  await fc.assert(
    fc.asyncProperty(fc.string(), fc.string(), async (head, body) => {
      const text = `---\n${head}\n---\n${body}`
      const read = await readFrontmatter(text)
      expect(text.endsWith(read.body)).toBe(true)
      expect(read.field('description') ?? '').not.toContain('\n')
    }),
  )
})
