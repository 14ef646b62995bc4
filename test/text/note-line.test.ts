import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { noteToAppend } from '../../src/text/note-line.ts'

describe('a note at the end of a file', () => {
  test.each([
    ['', '- x\n'],
    ['# Rules\n', '# Rules\n\n- x\n'],
    ['# Rules\n\n', '# Rules\n\n- x\n'],
    ['- a\n', '- a\n- x\n'],
    ['* a\n', '* a\n* x\n'],
    ['- a\n\n', '- a\n\n- x\n'],
    ['- a', '- a\n- x'],
    ['text', 'text\n\n- x'],
    ['- a\r\n', '- a\r\n- x\r\n'],
    ['text\r\n', 'text\r\n\r\n- x\r\n'],
  ])('%j', (before, after) => expect(before + noteToAppend(before, 'x')).toBe(after))

  test('keeps line endings and the final newline of any file, and is one item', () => {
    const line = fc.constantFrom('', 'text', '- item', '* item', '# head', '  ', '```')
    fc.assert(
      fc.property(
        fc.array(line, { minLength: 1, maxLength: 8 }),
        fc.constantFrom('\n', '\r\n'),
        fc.boolean(),
        (lines, newline, ends) => {
          const before = lines.join(newline) + (ends ? newline : '')
          fc.pre(before !== '')
          const after = before + noteToAppend(before, 'the note')
          expect(after.endsWith('\n')).toBe(before.endsWith('\n'))
          const isMixed = before.includes('\n') && /(?<!\r)\n/.test(after) !== /(?<!\r)\n/.test(before)
          expect(isMixed).toBe(false)
          expect(after.split(/\r?\n/).filter(each => /^[-*] the note$/.test(each))).toHaveLength(1)
        },
      ),
    )
  })
})
