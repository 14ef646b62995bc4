import { expect, test } from 'vitest'
import { createTimeline } from '../../src/transcript/timeline.ts'
import { createScreen } from '../../components/screen/screen.ts'
import { textsOf } from '../helpers/lines.ts'
import {
  accepted,
  answered,
  answering,
  chatAfter,
  ended,
  prompt,
  says,
  started,
  stops,
  text,
  type Told,
} from '../conversation/events.ts'
import { commands, theme, withChat } from '../components/stage.ts'

const remark = (text: string): Told => ({ type: 'remark_made', level: 'info', text, hint: null, markdown: false })
const preview: Told = {
  type: 'remark_made',
  level: 'info',
  text: 'Restoring would change:\n\n```text\nrestores a.txt\n```',
  hint: null,
  markdown: true,
  isPreview: true,
}
const cancelled: Told = {
  type: 'remark_made',
  level: 'info',
  text: 'Cancelled: restoring 1 file.',
  hint: null,
  markdown: false,
  cancels: true,
  aside: true,
  details: preview.text,
}

const texts = (...events: readonly Told[]): string[] =>
  createTimeline()
    .advance(chatAfter(started, ...events))
    .flatMap(item => (item.kind === 'notice' ? [item.notice.text] : []))

test('What cancels a preview stands for it, and for no other', () => {
  expect(texts(preview, cancelled)).toEqual([cancelled.text])
  expect(texts(preview, remark('Restored 1 file.'))).toEqual([preview.text, 'Restored 1 file.'])
  expect(texts(remark('one'), cancelled)).toEqual(['one', cancelled.text])
})

/** A step of an answer that ends. */
const answersWith = (words: string): Told[] => [answering, says(words), answered(text(words)), stops('tool_use')]

test.each([
  ['in the same turn', [prompt('go'), accepted, ...answersWith('One.'), preview, ...answersWith('Two.'), cancelled]],
  ['before the turn in which it is cancelled', [preview, prompt('go'), accepted, ...answersWith('Two.'), cancelled]],
  [
    'in a turn that has ended since',
    [prompt('go'), accepted, preview, ...answersWith('Two.'), ended, remark('more'), cancelled],
  ],
] as const)('What cancels a preview stands for it below other text, too: %s', (_, events) => {
  const shown = texts(...events)
  expect(shown).toContain(cancelled.text)
  expect(shown).not.toContain(preview.text)
  const size = { columns: 80, rows: 40 }
  const screen = createScreen(theme, () => commands)
  const printed: string[] = []
  for (const count of events.keys()) {
    const { committed } = screen.draw(withChat(chatAfter(started, ...events.slice(0, count + 1))), size)
    screen.printed(committed.length)
    printed.push(...textsOf(committed.flatMap(({ lines }) => lines)))
  }
  expect(printed).toContain('  Restoring would change:')
  const again = textsOf(screen.lastScreenful(size, true, 'wraps')).join('\n')
  expect(again).toContain('Two.')
  expect(again).toContain('Cancelled: restoring 1 file.')
  expect(again).not.toContain('Restoring would change:')
})

test('A preview that was printed folds when it is cancelled and the screen is redrawn', () => {
  const size = { columns: 80, rows: 24 }
  const screen = createScreen(theme, () => commands)
  const draw = (...events: readonly Told[]): string[] => {
    const frame = screen.draw(withChat(chatAfter(started, ...events)), size)
    screen.printed(frame.committed.length)
    return textsOf(frame.committed.flatMap(({ lines }) => lines))
  }
  expect(draw(preview)).toContain('  Restoring would change:')
  expect(draw(preview, cancelled)).toEqual(['  Cancelled: restoring 1 file.'])
  const again = (): string[] => textsOf(screen.lastScreenful(size, true, 'wraps'))
  expect(again()).toContain('  Cancelled: restoring 1 file.')
  expect(again().join('\n')).not.toContain('Restoring would change:')
})
