/** The notes of extensions, and the texts that they show. */
import { expect, test } from 'vitest'
import { noticeLines } from '../../src/transcript/entries.ts'
import { accepted, notes, prompt, step, turnOf, type Told } from '../conversation/events.ts'
import { textsOf } from '../helpers/lines.ts'
import { plainTheme as theme } from '../tools/samples.ts'

const shows = (extension: string, text: string): Told => ({ type: 'extension_displayed', extension, text })

/** The rows of all notes of a turn. */
function rows(...told: readonly Told[]): string[] {
  const { parts } = turnOf(prompt('go'), accepted, step(1), ...told)
  const context = { theme, markdown: theme.markdown, width: 40 }
  return [...parts].flatMap(part =>
    part.kind === 'notice' && !part.withdrawn ? textsOf(noticeLines(part, context)) : [],
  )
}

test('Notes of one extension stand below its name, and another one has a name of its own', () => {
  expect(rows(notes('lint', 'one'), notes('lint', 'two'), notes('git', 'three'), notes('lint', 'four'))).toEqual([
    '  lint: one',
    '  two',
    '  git: three',
    '  lint: four',
  ])
})

test('The name comes back after the notes were taken back', () => {
  const clears: Told = { type: 'extension_notes_cleared', extension: 'lint' }
  expect(rows(notes('lint', 'one'), clears, notes('lint', 'two'))).toEqual(['  lint: two'])
})

test('A shown text is Markdown below the name of its extension', () => {
  const [name, ...text] = rows(shows('todo', '## Today\n\n- **one**\n- two'), shows('todo', '`three`'))
  expect(name).toBe('  todo:')
  expect(text.map(line => line.trim()).filter(Boolean)).toEqual(['## Today', '• one', '• two', 'three'])
})

test('Nothing of it reaches the terminal as it is', () => {
  const lines = rows(shows('to\u001b]0;x\u0007do', '\u001b[2J\u001b[31mred\u001b[0m \u202e'), shows('a\nb', 'c'))
  expect(lines.join('\n')).not.toMatch(/(?!\n)[\p{Cc}\p{Cf}]/u)
})
