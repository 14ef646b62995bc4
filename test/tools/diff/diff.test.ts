import * as fc from 'fast-check'
import { beforeAll, describe, expect, test } from 'vitest'
import { hunksOf, locateHunks } from '../../../src/conversation/queries/edit-result.ts'
import { loadCommonLanguages } from '../../../src/markdown/code/languages.ts'
import { plainStyle } from '../../../src/text/styled.ts'
import { displayWidth } from '../../../src/text/lines/width.ts'
import { diffLines } from '../../../src/tools/diff/lines.ts'
import { changedPlaces } from '../../../src/tools/diff/changed-words.ts'
import { numberOf, unnumbered, type DiffLine } from '../../../src/text/diff-line.ts'
import { compareTexts, readDiff } from '../../../src/tools/diff/diff.ts'
import { colourTheme, plainTheme } from '../samples.ts'

beforeAll(() => loadCommonLanguages())

/** The context difference as zot tells it, from a table of the longest common lines. */
function told(before: string, after: string): string {
  const [a, b] = [before.split('\n'), after.split('\n')]
  const length: number[][] = Array.from({ length: a.length + 1 }, () => Array.from({ length: b.length + 1 }, () => 0))
  const at = (i: number, j: number): number => length[i]?.[j] ?? 0
  for (let i = 1; i <= a.length; i += 1) {
    for (let j = 1; j <= b.length; j += 1) {
      const row = length[i]
      if (row) row[j] = a[i - 1] === b[j - 1] ? at(i - 1, j - 1) + 1 : Math.max(at(i - 1, j), at(i, j - 1))
    }
  }
  const rows: string[] = []
  let [i, j] = [a.length, b.length]
  while (i > 0 || j > 0) {
    if (i > 0 && j > 0 && a[i - 1] === b[j - 1]) [i, j, rows[rows.length]] = [i - 1, j - 1, ` ${a[i - 1]}`]
    else if (j > 0 && (i === 0 || at(i, j - 1) >= at(i - 1, j))) [j, rows[rows.length]] = [j - 1, `+${b[j - 1]}`]
    else [i, rows[rows.length]] = [i - 1, `-${a[i - 1]}`]
  }
  rows.reverse()
  const near = rows.map((_, index) => rows.slice(Math.max(0, index - 3), index + 4).some(row => !row.startsWith(' ')))
  const lines: string[] = []
  for (const [index, row] of rows.entries()) {
    if (near[index]) {
      if (!near[index - 1] && lines.length > 0) lines.push('...')
      lines.push(row)
    } else if (near[index - 1]) lines.push('...')
  }
  return lines.map(line => `${line}\n`).join('')
}

const show = (rows: readonly DiffLine[]): string[] => rows.map(row => `${numberOf(row) ?? ''}${row.sign}${row.text}`)
const shown = (result: string, starts: readonly (number | null)[] = []): string[][] =>
  (readDiff(result, starts)?.hunks ?? []).map(show)

const linesOf = (text: string): string[] => (text === '' ? [] : text.replace(/\n$/, '').split('\n'))

describe('the result of an edit', () => {
  test.each<[what: string, result: string, hunks: string[][]]>([
    ['nothing', '', []],
    ['an error', 'edit 1: oldText not found', []],
    ['words', 'applied 1 edit(s)\n-a\n+b', []],
    ['as recorded', ' alpha\n-beta\n+BETA\n gamma\n \n', [['1 alpha', '2-beta', '2+BETA', '3 gamma']]],
    ['a gap', ' a\n b\n c\n-d\n...\n', [[' a', ' b', ' c', '-d']]],
    ['two gaps', '-a\n...\n...\n c\n d\n e\n+f\n', [['1-a'], [' c', ' d', ' e', '+f']]],
    ['a line of three dots is none', ' ...\n-a\n+...\n', [['1 ...', '2-a', '2+...']]],
  ])('%s', (_what, result, hunks) => {
    expect(shown(result)).toEqual(hunks)
  })

  test('counts the lines of both sides separately', () => {
    const result = ' a\n b\n c\n+d\n+e\n f\n...\n...\n x\n y\n z\n-1\n+2\n'
    expect(shown(result, [10, 50])).toEqual([
      ['10 a', '11 b', '12 c', '13+d', '14+e', '15 f'],
      ['50 x', '51 y', '52 z', '51-1', '53+2'],
    ])
  })

  test('shows only the changes of a CRLF file', () => {
    const lines = Array.from({ length: 40 }, (_, index) => `line ${index}`)
    const result = [
      ...lines.map(line => `-${line}\r`),
      ...lines.map(line => (line.endsWith(' 20') ? '+twenty' : `+${line}`)),
      ' ',
      '',
    ].join('\n')
    expect(shown(result)).toEqual([
      ['18 line 17', '19 line 18', '20 line 19', '21-line 20', '21+twenty', '22 line 21', '23 line 22', '24 line 23'],
    ])
    expect(readDiff(result, [])).toMatchObject({ added: 1, removed: 1 })
  })

  const line = fc.constantFrom('a', 'b', 'c', '', 'const x = 1', '...', '- d', '+ e')
  const file = fc.array(line, { maxLength: 30 }).map(lines => lines.join('\n'))

  test('gives the new file when applied to the old one', () => {
    fc.assert(
      fc.property(file, file, fc.boolean(), (before, after, crlf) => {
        fc.pre(before !== after)
        const old = crlf ? before.replaceAll('\n', '\r\n') : before
        const diff = readDiff(told(old, after), locateHunks(after, hunksOf(told(old, after)) ?? []))
        if (!diff || diff.hunks.flat().some(row => numberOf(row) === null)) return
        const lines = before.split('\n')
        for (const row of diff.hunks.flat().toReversed()) {
          const [gone] = row.sign === '-' ? lines.splice((numberOf(row) ?? 0) - 1, 1) : [row.text]
          expect(gone).toBe(row.text)
        }
        for (const row of diff.hunks.flat()) {
          const place = (numberOf(row) ?? 0) - 1
          if (row.sign === '+') lines.splice(place, 0, row.text)
          expect(row.sign === '-' ? row.text : lines[place]).toBe(row.text)
        }
        expect(lines).toEqual(after.split('\n'))
      }),
      { numRuns: 500 },
    )
  })

  test('gives both texts back', () => {
    fc.assert(
      fc.property(file, file, (before, after) => {
        const rows = compareTexts(before, after)
        const side = (gone: string): string[] => rows.filter(row => row.sign !== gone).map(row => row.text)
        expect(side('+')).toEqual(linesOf(before))
        expect(side('-')).toEqual(linesOf(after))
      }),
    )
  })
})

describe('the line numbers of hunks', () => {
  const lines = Array.from({ length: 50 }, (_, index) => `line ${index + 1}`)
  const changed = lines.with(9, 'TEN').with(39, 'FORTY').join('\n')
  const hunks = hunksOf(told(lines.join('\n'), changed)) ?? []

  test.each<[what: string, file: string, found: (number | null)[]]>([
    ['as it is', changed, [7, 37]],
    ['with CRLF', changed.replaceAll('\n', '\r\n'), [7, 37]],
    ['with a byte order mark', `\uFEFF${changed}`, [7, 37]],
    ['moved since', `new\n${changed}`, [8, 38]],
    ['one of them changed since', changed.replace('FORTY', 'forty'), [7, null]],
    ['another file', 'something else', [null, null]],
    ['nothing', '', [null, null]],
    ['twice', `${changed}\n${changed}`, [null, null]],
  ])('%s', (_what, file, found) => {
    expect(locateHunks(file, hunks)).toEqual(found)
  })

  test('are of the beginning, even if the text is repeated below', () => {
    const file = 'x\na\nb\nc\nx\na\nb\nc'
    expect(locateHunks(file, hunksOf('-y\n+x\n a\n b\n c\n...\n') ?? [])).toEqual([1])
  })

  test('are found anywhere if the text is unique', () => {
    const word = fc.constantFrom('a', 'b', 'c')
    fc.assert(
      fc.property(fc.array(word, { maxLength: 40 }), fc.array(word, { minLength: 1, maxLength: 5 }), (file, part) => {
        const hunk = [...part.map(text => unnumbered(' ', text)), unnumbered('-', 'gone')]
        const found = file.flatMap((_, at) => (part.every((text, index) => file[at + index] === text) ? [at + 1] : []))
        const begins = part.length < 3 && found[0] === 1
        expect(locateHunks(file.join('\n'), [hunk])).toEqual([begins || found.length === 1 ? found[0] : null])
      }),
    )
  })
})

const marks = (before: string, after: string): [string, string] => {
  const rows: DiffLine[] = [unnumbered('-', before), unnumbered('+', after)]
  const places = changedPlaces(rows, [before, after])
  const mark = (text: string, index: number): string =>
    (places[index] ?? [])
      .toReversed()
      .reduce((line, [from, to]) => `${line.slice(0, from)}[${line.slice(from, to)}]${line.slice(to)}`, text)
  return [mark(before, 0), mark(after, 1)]
}

describe('changed words', () => {
  test.each<[before: string, after: string, markedBefore: string, markedAfter: string]>([
    ['const a = 1', 'const a = 2', 'const a = [1]', 'const a = [2]'],
    ['return rest.length', 'return rest.size', 'return rest.[length]', 'return rest.[size]'],
    ['call(a)', 'call(a, b)', 'call(a)', 'call(a[, b])'],
    ['  a = b', '    a = b', '[  ]a = b', '[    ]a = b'],
    ['nothing alike', 'const x: number = 5', 'nothing alike', 'const x: number = 5'],
    ['a 👩‍👩‍👧‍👦 b c d', 'a 👩🏽‍🚀 b c d', 'a [👩‍👩‍👧‍👦] b c d', 'a [👩🏽‍🚀] b c d'],
    ['the same', 'the same', 'the same', 'the same'],
  ])('%s -> %s', (before, after, markedBefore, markedAfter) => {
    expect(marks(before, after)).toEqual([markedBefore, markedAfter])
  })

  test('are found by pairing lines across inserted ones', () => {
    const rows: DiffLine[] = [
      unnumbered('-', 'const most = 64'),
      unnumbered('+', '// why it is so'),
      unnumbered('+', 'const most = 256'),
    ]
    expect(
      changedPlaces(
        rows,
        rows.map(row => row.text),
      ),
    ).toEqual([[[13, 15]], [], [[13, 16]]])
  })

  test('are found quickly in hundreds of unrelated lines', () => {
    const rows = (['-', '+'] as const).flatMap(sign =>
      Array.from({ length: 200 }, (_, index) => unnumbered(sign, `${sign} ${index} `.repeat(40))),
    )
    const start = performance.now()
    changedPlaces(
      rows,
      rows.map(row => row.text),
    )
    expect(performance.now() - start).toBeLessThan(5000)
  })
})

const rows = (text: string): readonly (readonly DiffLine[])[] => readDiff(text, [9])?.hunks ?? []

const long = (end: string): string => `${'x = 1; '.repeat(30)}${end}`

describe('a diff as lines', () => {
  const style = { theme: plainTheme, width: 60, indent: 4, language: 'typescript', rows: 24, wrapped: false }

  test('shows a long line from near its change on', () => {
    const { lines } = diffLines(rows(` a\n b\n c\n-${long('old')}\n+${long('new')}\n`), style)
    expect(lines[3]?.text).toMatch(/^ {4}12 {2}- ….*old$/)
    expect(lines[4]?.text).toMatch(/^ {4}12 {2}\+ ….*new$/)
  })
  test('wraps a long line if asked', () => {
    const text = 'x = 1; '.repeat(30).trim()
    const { lines } = diffLines(rows(`+${text}\n`), { ...style, wrapped: true })
    expect(lines.map(line => line.text.slice(9)).join('')).toBe(text)
  })
  test('counts lines that do not fit', () => {
    const text = Array.from({ length: 40 }, (_, index) => `+${index}\n`).join('')
    expect(diffLines(rows(text), style)).toMatchObject({ hidden: 16, lines: { length: 24 } })
  })
  test('does not let a removed line open a comment in the new one', () => {
    const { lines } = diffLines(rows('-/* old\n+const a = 1\n b()\n'), { ...style, theme: colourTheme })
    const looks = lines[1]?.spans.map(span => span.style)
    const keyword = diffLines(rows('+const a = 1\n'), { ...style, theme: colourTheme }).lines[0]?.spans ?? []
    expect(looks).toEqual(expect.arrayContaining(keyword.map(span => span.style).filter(look => look !== plainStyle)))
  })
  test('has the same text with marks and colours, within the width', () => {
    const text = fc.array(
      fc.tuple(
        fc.constantFrom(' ', '-', '+'),
        fc.string({ unit: fc.constantFrom('a', 'b ', '日', '👩‍👩‍👧‍👦', '\t', '"', '(', '\u001b[31m', '=') }),
      ),
      { minLength: 1, maxLength: 12 },
    )
    fc.assert(
      fc.property(text, fc.integer({ min: 8, max: 90 }), (lines, width) => {
        const hunks = rows(lines.map(([sign, words]) => `${sign}${words}\n`).join(''))
        const colours = diffLines(hunks, { ...style, width, theme: colourTheme }).lines
        expect(colours.map(line => line.text.trimEnd())).toEqual(
          diffLines(hunks, { ...style, width }).lines.map(line => line.text.trimEnd()),
        )
        for (const line of colours) expect(displayWidth(line)).toBeLessThanOrEqual(width)
      }),
    )
  })
})
