import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { createLineSplitter } from '../../../src/agents/transport/lines.ts'
import { createLongLine } from '../../../src/agents/transport/long-line.ts'
import { beginningOfCut, MOST_OF_LINE } from '../../../src/text/lines/cut-text.ts'

const KB = 1024
const REACH = 64 * KB

function shortened(line: string, most: number, pieceOf = line.length * 4): string {
  const bytes = Buffer.from(line)
  const long = createLongLine(most)
  for (let at = 0; at < bytes.length; at += pieceOf) long.add(bytes.subarray(at, at + pieceOf))
  return Buffer.concat(long.pieces()).toString()
}

function textOf(line: string): string {
  return (JSON.parse(line) as { text: string }).text
}

test('a line whose texts are short enough stays unchanged', () => {
  const texts = fc.array(fc.string({ unit: 'binary', maxLength: 40 }), { maxLength: 20 })
  fc.assert(
    fc.property(texts, fc.integer({ min: 1, max: 9 }), (texts, pieceOf) => {
      const line = JSON.stringify({ texts, count: texts.length })
      expect(shortened(line, 1, pieceOf)).toBe(Buffer.from(line).toString())
    }),
  )
})

test('a long text keeps its beginning up to a space, and says how much of it was not read', () => {
  const line = JSON.stringify({ text: 'word '.repeat(40_000), after: 'whole' })
  const short = shortened(line, 100_000)
  expect(textOf(short)).toBe(`${'word '.repeat(20_000).trimEnd()}\n[... 100 kB not read ...]`)
  expect(short).toContain('"after":"whole"')
})

test('texts share the bytes, and short ones stay whole', () => {
  const texts = Array.from({ length: 300 }, (_, at) => `${at} ${'x '.repeat(at % 2 === 0 ? 50 : 5000)}`)
  const kept = JSON.parse(shortened(JSON.stringify(texts), 20_000)) as string[]
  expect(kept.filter((text, at) => at % 2 === 0 && text !== texts[at])).toEqual([])
  expect(kept.join('').length).toBeLessThan(100_000)
})

test.each([
  ['blanks', 'a b '],
  ['nothing but letters', 'abcd'],
  ['characters of four bytes', '🙂'],
  ['combining marks', '\u0301'],
  ['quotes', '"'],
  ['backslashes', '\\'],
  ['backslashes and quotes', 'a\\"\\\\"'],
  ['line breaks', '\n'],
  ['escapes of six characters', '\u0001'],
])('a text of %s is still JSON, in whole characters, and the same in pieces of any size', (_what, unit) => {
  const text = unit.repeat(Math.ceil((4 * REACH) / unit.length))
  const line = JSON.stringify({ text })
  const short = shortened(line, KB)
  const kept = textOf(short).replace(/\n\[[^\n]*$/, '')
  expect(text.startsWith(kept)).toBe(true)
  expect(Buffer.byteLength(kept)).toBeLessThan(3 * REACH)
  fc.assert(
    fc.property(fc.integer({ min: 7, max: 100_000 }), pieceOf => {
      expect(shortened(line, KB, pieceOf)).toBe(short)
    }),
    { numRuns: 20 },
  )
})

test('a result of 50 MB is cut to a few MB, and the line after it is whole', () => {
  const lines: string[] = []
  const splitter = createLineSplitter({
    onLine: line => lines.push(line),
    shortens: line => line.startsWith('{"text"'),
  })
  splitter.push(Buffer.from('{"text":"'))
  const chunk = Buffer.from(`${'x'.repeat(98)}\\n`.repeat(655))
  for (let sent = 0; sent < 50 * KB * KB; sent += chunk.length) splitter.push(chunk)
  splitter.push(Buffer.from('"}\n{"text":"next"}\n'))
  expect(lines.map(textOf).at(1)).toBe('next')
  expect(lines[0]?.length).toBeLessThan(MOST_OF_LINE + REACH + KB)
  expect(beginningOfCut(textOf(lines[0] ?? ''))).not.toBeNull()
})

test('only long text is cut', () => {
  expect(beginningOfCut('I see\n[... 100 kB not read ...]')).toBeNull()
})

test('a long line that may not be shortened is whole', () => {
  const lines: string[] = []
  const splitter = createLineSplitter({
    onLine: line => lines.push(line),
    shortens: line => line.startsWith('{"text"'),
  })
  const long = JSON.stringify({ delta: 'x'.repeat(2 * MOST_OF_LINE) })
  for (const piece of [long.slice(0, 3), long.slice(3), '\n']) splitter.push(Buffer.from(piece))
  expect(lines).toEqual([long])
})
