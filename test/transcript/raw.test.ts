/** Raw mode: what stands in the terminal is what was said, to the letter. */
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { slashCommands } from '../../src/commands/table.ts'
import type { ChatState } from '../../src/conversation/state.ts'
import { sanitize } from '../../src/text/sanitize.ts'
import { linesOfLive } from '../../components/regions.ts'
import { createScreen } from '../../components/screen/screen.ts'
import { createTheme } from '../../src/style/theme.ts'
import { cuts, inPieces } from '../conversation/arbitrary-events.ts'
import {
  accepted,
  answered,
  answering,
  chatAfter,
  ended,
  prompt,
  returns,
  runsTool,
  says,
  started,
  step,
  stops,
  text,
  type Told,
} from '../conversation/events.ts'
import { corpus } from '../markdown/corpus.ts'
import { stateWith } from '../components/stage.ts'
import { textsOf } from '../helpers/lines.ts'

const size = { columns: 30, rows: 20 }
const theme = createTheme(0)

const before: readonly Told[] = [started, prompt('write\n  this'), accepted, step(1), answering]
const after = (words: string): readonly Told[] => [answered(text(words)), stops('end'), ended]

/** The printed conversation as it grows, below the header, and the screen for more. */
function printed(chats: readonly ChatState[], raw: (index: number) => boolean) {
  const screen = createScreen(theme, () => slashCommands)
  const lines: string[] = []
  for (const [index, chat] of chats.entries()) {
    for (let more = true; more;) {
      const frame = screen.draw(stateWith({ chat, raw: raw(index) }), size)
      for (const piece of frame.committed) lines.push(...textsOf(piece.lines))
      screen.printed(frame.committed.length)
      more = frame.more
    }
  }
  return { screen, text: lines.slice(2).join('\n') }
}

const shownAs = (words: string): string => sanitize(words.trim().replaceAll(/\r\n?/g, '\n'))

describe('text in raw mode', () => {
  test.each(Object.entries(corpus))('%s stands there as it was written', (_, words) => {
    const { text } = printed([chatAfter(...before, says(words), ...after(words))], () => true)
    expect(text).toContain(`write\n  this\n\n${shownAs(words)}`)
  })

  test('is the same in any pieces', () => {
    const bits = fc.constantFrom(
      '# T\n',
      '\n\n',
      '- a\n',
      '```\ncode\n',
      '```\n',
      '| a |\n|--|\n',
      'words ',
      '> q\n',
      '1. x\n',
    )
    const property = fc.property(fc.array(bits, { minLength: 1, maxLength: 12 }), cuts, (parts, lengths) => {
      const words = `begins ${parts.join('')}`
      const deltas = inPieces(Array.from(words), lengths).map(piece => says(piece.join('')))
      const chats = deltas.map((_, index) => chatAfter(...before, ...deltas.slice(0, index + 1)))
      const { text } = printed([...chats, chatAfter(...before, ...deltas, ...after(words))], () => true)
      expect(text).toContain(`write\n  this\n\n${words.trim()}`)
    })
    fc.assert(property, { numRuns: 60 })
  })

  test('loses and duplicates nothing when raw mode is switched', () => {
    const words = ['one *two*', '', '```ts', 'const three = 3', '```', '', '- four', '- five', '', 'six'].join('\n')
    for (let at = 1; at < words.length; at += 3) {
      const chats = [
        chatAfter(...before, says(words.slice(0, at))),
        chatAfter(...before, says(words.slice(0, at)), says(words.slice(at)), ...after(words)),
      ]
      for (const isRawFirst of [true, false]) {
        const { text } = printed(chats, index => (index === 0) === isRawFirst)
        for (const word of ['one', 'two', 'const three = 3', 'four', 'five', 'six']) {
          expect(text.split(word), `${word} at ${at} in\n${text}`).toHaveLength(2)
        }
      }
    }
  })

  test('is not wrapped, and its open end is in the live zone', () => {
    const words = `${'long '.repeat(40)}end`
    const { screen } = printed([chatAfter(...before)], () => true)
    const { live } = screen.draw(stateWith({ chat: chatAfter(...before, says(`${words}\n\n**op`)), raw: true }), size)
    expect(textsOf(linesOfLive(live)).join('\n')).toContain('**op')
    const { text } = printed([chatAfter(...before, says(words), ...after(words))], () => true)
    expect(text.split('\n')).toContain(words)
  })
})

test('a tool in raw mode is its command and its output from the first column on', () => {
  const chat = chatAfter(
    ...before,
    ...runsTool('a', 'bash', { command: 'ls' }),
    returns('a', '$ ls\n\none\n\ttwo\n\n[exit 0]  Took 0.1s'),
    ended,
  )
  expect(printed([chat], () => true).text).toContain('\n$ ls\none\n\ttwo\n')
})

test('switching raw mode redraws the screen, with rows counted as the terminal wraps them', () => {
  const words = `# Title\n\n${'x'.repeat(58)}`
  const chat = chatAfter(...before, says(words), ...after(words))
  const { screen } = printed([chat], () => false)
  const { live } = screen.draw(stateWith({ chat, raw: true }), size)
  const drawn = screen.rowsAboveCaret(live, size, 'wraps')
  expect(textsOf(screen.lastScreenful(size, true, 'wraps')).join('\n')).toContain(words)
  const raw = screen.rowsAboveCaret(live, size, 'wraps')
  expect(raw).not.toBeNull()
  // 58 letters are two rows of the terminal, and three with an indent.
  expect(drawn).toBe((raw ?? 0) + 1)
})
