/** However a text is cut into deltas, and however often it is drawn meanwhile, the screen ends up the same. */
import * as fc from 'fast-check'
import { beforeAll, describe, expect, test } from 'vitest'
import { slashCommands } from '../../../src/commands/table.ts'
import { zotReducer } from '../../conversation/events.ts'
import type { ChatState } from '../../../src/conversation/state.ts'
import { loadCommonLanguages } from '../../../src/markdown/code/languages.ts'
import { builtinTheme } from '../../../src/style/builtin.ts'
import type { LiveZone } from '../../../components/regions.ts'
import { createScreen } from '../../../components/screen/screen.ts'
import { createTheme } from '../../../src/style/theme.ts'
import { cuts, inPieces } from '../../conversation/arbitrary-events.ts'
import {
  accepted,
  answered,
  answering,
  chatAfter,
  ended,
  prompt,
  says,
  started,
  step,
  stops,
  text,
} from '../../conversation/events.ts'
import type { Told } from '../../conversation/events.ts'
import { corpus } from '../../markdown/corpus.ts'
import { stateWith } from '../stage.ts'
import type { Size } from '../../../src/text/lines/width.ts'
import { textsOf } from '../../helpers/lines.ts'
import { aPartOf } from '../../helpers/length.ts'

beforeAll(() => loadCommonLanguages())

/** With colours: those of code, too, may depend only on what stands before. */
const theme = createTheme(3, { definition: builtinTheme('dark'), hyperlinks: true })

const begun: readonly Told[] = [started, prompt('write'), accepted, step(1), answering]

type Shown = {
  /** The pieces that are finished while it is still being written, each with its number, and the live zone then. */
  committed: string[]
  live: LiveZone
  /** The pieces when the turn is over. */
  all: string[]
}

/** The bytes for the terminal of a text that comes in these deltas; drawn after each, or after every so many. */
function shownOf(deltas: readonly string[], size: Size, every = 1): Shown {
  const screen = createScreen(theme, () => slashCommands)
  const pieces: string[] = []
  let chat = chatAfter(...begun)
  const draw = (chat: ChatState): LiveZone => {
    const { committed, live, more } = screen.draw(stateWith({ chat, now: 60_000 }), size)
    for (const piece of committed) pieces.push(textsOf(piece.lines).join('\n'))
    // As the program does once the terminal has them.
    screen.printed(committed.length)
    return more ? draw(chat) : live
  }
  const reduce = zotReducer()
  const tell = (event: Told): void => {
    chat = reduce(chat, { ...event, at: 10_000 })
  }
  for (const [index, delta] of deltas.entries()) {
    tell(says(delta))
    if ((index + 1) % every === 0) draw(chat)
  }
  const live = draw(chat)
  const committed = pieces.slice()
  tell(answered(text(deltas.join(''))))
  tell(stops('end'))
  tell(ended)
  draw(chat)
  return { committed, live, all: pieces }
}

const words = (pieces: readonly string[]): string =>
  pieces.join('\n').replaceAll(/\u001b(?:\[[\d;]*m|\]8;[^\u0007\u001b]*(?:\u0007|\u001b\\))/g, '')

function expectSame(document: string, deltas: readonly string[], size: Size, every = 1): void {
  const whole = shownOf([document], size)
  const cut = shownOf(deltas, size, every)
  expect(cut.committed.join('\n')).toBe(whole.committed.join('\n'))
  expect(cut.live).toEqual(whole.live)
  expect(cut.all.join('\n')).toBe(whole.all.join('\n'))
}

const size = fc.record({ columns: fc.integer({ min: 12, max: 120 }), rows: fc.integer({ min: 8, max: 50 }) })
const names = Object.keys(corpus)

/** Some of the documents, each behind a heading that stands nowhere else. */
const documents = fc
  .shuffledSubarray(names, { minLength: 1, maxLength: 4 })
  .map(chosen => chosen.map(name => `# The part ${name}\n\n${corpus[name] ?? ''}\n\n`))
  .chain(parts =>
    // Broken off anywhere: the live zone holds something half written.
    fc.nat(40).map(left => {
      const document = parts.join('')
      return document.slice(0, Math.max(1, document.length - left))
    }),
  )

describe('any chunks give the same screen for', () => {
  test.each(names)('%s in single letters', name => {
    const document = corpus[name] ?? ''
    for (const columns of [40, 100]) expectSame(document, Array.from(document), { columns, rows: 30 })
  })

  test.each(names)('%s cut within characters', name => {
    const document = corpus[name] ?? ''
    expectSame(document, document.split(''), { columns: 80, rows: 24 })
  })

  test('any documents, drawn any number of times', () => {
    fc.assert(
      fc.property(documents, cuts, size, fc.integer({ min: 1, max: 9 }), (document, lengths, size, every) => {
        const deltas = inPieces(Array.from(document), lengths).map(piece => piece.join(''))
        expectSame(document, deltas, size, every)
      }),
      aPartOf(150),
    )
  })

  test('line ends of Windows', () => {
    const document = `${corpus['lists'] ?? ''}\n${corpus['fences'] ?? ''}`.replaceAll('\n', '\r\n')
    for (const length of [1, 2, 3, 5]) {
      expectSame(
        document,
        inPieces(document.split(''), [length]).map(piece => piece.join('')),
        { columns: 60, rows: 24 },
      )
    }
  })
})

const numbered = (count: number, line: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => line(index + 1)).join('')

/** The numbers that stand behind this word, in their order. */
const numbersBehind = (word: string, shown: string): number[] =>
  [...shown.matchAll(new RegExp(`${word}(\\d+)\\b`, 'g'))].map(match => Number(match[1]))

const upTo = (count: number): number[] => Array.from({ length: count }, (_, index) => index + 1)

describe('a long document', () => {
  const big: readonly [name: string, document: string, word: string, count: number, length: number][] = [
    [
      'a fence of 10,000 lines',
      `\`\`\`ts\n${numbered(10_000, at => `const line${at} = ${at} // so\n`)}\`\`\`\n\nDone.`,
      'line',
      10_000,
      700,
    ],
    ['a list of 3,000 entries', numbered(3000, at => `- entry${at} of it\n`), 'entry', 3000, 190],
    ['a paragraph of 3,000 lines', numbered(3000, at => `the row${at} of it\n`), 'row', 3000, 190],
    ['a table of 1,000 rows', `| a | b |\n|---|---|\n${numbered(1000, at => `| row${at} | x |\n`)}`, 'row', 1000, 190],
    [
      'a line of 100,000 characters',
      `Begin ${numbered(9000, at => `word${at} `).slice(0, 100_000)}`,
      'word',
      9000,
      1900,
    ],
    ['a line of 100,000 wide characters', `開始${'世界'.repeat(50_000)}`, 'nothing', 0, 4900],
    ['a line of 100,000 characters in a fence', `\`\`\`\n${'x'.repeat(100_000)}\nend1 of it\n\`\`\`\n`, 'end', 1, 4900],
  ]

  test.each(big)('of %s gives the same screen, and each line once', (_name, document, word, count, length) => {
    const size = { columns: 100, rows: 30 }
    const deltas = inPieces(Array.from(document), [length, Math.ceil(length / 3)]).map(piece => piece.join(''))
    const whole = shownOf([document], size)
    const cut = shownOf(deltas, size)
    expect(cut.committed.join('\n') === whole.committed.join('\n')).toBe(true)
    expect(cut.live).toEqual(whole.live)
    expect(cut.all.join('\n') === whole.all.join('\n')).toBe(true)
    expect(numbersBehind(`\\b${word}`, words(cut.all))).toEqual(upTo(count))
  })
})

test('each finished line is printed once', () => {
  fc.assert(
    fc.property(fc.shuffledSubarray(names, { minLength: 2 }), cuts, size, (chosen, lengths, size) => {
      const document = chosen.map((name, index) => `\n\nMark${index + 1}\n\n${corpus[name] ?? ''}`).join('')
      const deltas = inPieces(Array.from(document), lengths).map(piece => piece.join(''))
      const { all } = shownOf(deltas, size, 7)
      expect(numbersBehind('Mark', words(all))).toEqual(upTo(chosen.length))
    }),
    aPartOf(15),
  )
})
