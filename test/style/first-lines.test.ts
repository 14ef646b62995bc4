import { expect, test } from 'vitest'
import { firstNotes } from '../../src/style/first-lines.ts'
import { linesFrom } from '../helpers/lines.ts'

const notes = [
  linesFrom('  ! deletes folders: rm -r', '    -f dist'),
  linesFrom('  May change something.'),
  linesFrom('  then: b'),
]
const texts = (most: number, width = 80): string[] => firstNotes(notes, most, width, '…').map(({ text }) => text)

test('Notes that share the last line stand apart, and the lines of one note do not', () => {
  expect(texts(4)).toEqual(['  ! deletes folders: rm -r', '    -f dist', '  May change something.', '  then: b'])
  expect(texts(3)).toEqual(['  ! deletes folders: rm -r', '    -f dist', '  May change something.   then: b'])
  expect(texts(1)).toEqual(['  ! deletes folders: rm -r -f dist   May change something.   then: b'])
  expect(texts(1, 40)).toEqual(['  ! deletes folders: rm -r -f dist   Ma…'])
})
