import process from 'node:process'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { createLineSplitter } from '../../../src/agents/transport/lines.ts'
import { createLastLines } from '../../../src/agents/transport/last-lines.ts'

function split(chunks: readonly Buffer[], maxBytes?: number): { lines: string[]; dropped: number[] } {
  const lines: string[] = []
  const dropped: number[] = []
  const splitter = createLineSplitter({
    onLine: line => lines.push(line),
    onDropped: bytes => dropped.push(bytes),
    ...(maxBytes === undefined ? {} : { maxBytes }),
  })
  for (const chunk of chunks) splitter.push(chunk)
  splitter.end()
  return { lines, dropped }
}

/** Cuts the bytes at these places. */
function cut(bytes: Buffer, places: readonly number[]): Buffer[] {
  const edges = [0, ...places.map(place => place % (bytes.length + 1)).toSorted((a, b) => a - b), bytes.length]
  return edges.slice(1).map((edge, index) => bytes.subarray(edges[index], edge))
}

test.each([
  ['nothing', '', []],
  ['one line', 'a\n', ['a']],
  ['a last line without a newline', 'a\nb', ['a', 'b']],
  ['empty lines', '\n\na\n', ['', '', 'a']],
  ['one CR is taken off, a second is text', 'a\r\nb\r\r\n', ['a', 'b\r']],
  ['a CR within a line is text', 'a\rb\n', ['a\rb']],
  ['line separators of Unicode are text', 'a\u2028b\u2029c\u0085d\n', ['a\u2028b\u2029c\u0085d']],
  ['a last CR without a newline', 'a\r', ['a']],
  ['a NUL is text', 'a\0b\n', ['a\0b']],
])('%s', (_what, text, lines) => {
  expect(split([Buffer.from(text)]).lines).toEqual(lines)
})

test('a character that is split over many chunks is decoded whole', () => {
  const bytes = Buffer.from('é漢🙂\n🙂')
  const chunks = Array.from(bytes, (_byte, index) => bytes.subarray(index, index + 1))
  expect(split(chunks).lines).toEqual(['é漢🙂', '🙂'])
})

test('invalid UTF-8 becomes replacement characters', () => {
  expect(split([Buffer.from([0x61, 0xff, 0x62, 0x0a])]).lines).toEqual(['a\u{fffd}b'])
})

test('any chunking gives the same lines', () => {
  const text = fc.string({ unit: fc.constantFrom('a', '\n', '\r', 'é', '🙂', '\u2028') })
  fc.assert(
    fc.property(text, fc.array(fc.nat()), (text, places) => {
      const bytes = Buffer.from(text)
      expect(split(cut(bytes, places))).toEqual(split([bytes]))
    }),
  )
})

test('no line and no byte is lost', () => {
  fc.assert(
    fc.property(fc.array(fc.string().filter(line => !/[\r\n]/u.test(line))), fc.array(fc.nat()), (lines, places) => {
      const bytes = Buffer.from(lines.map(line => `${line}\n`).join(''))
      expect(split(cut(bytes, places)).lines).toEqual(lines)
    }),
  )
})

test('a line of 50 MB in chunks of 64 KiB takes linear time', () => {
  const chunk = Buffer.alloc(64 * 1024, 'x')
  const chunks = Array.from({ length: 800 }, () => chunk)
  const started = performance.now()
  const { lines } = split([...chunks, Buffer.from('\nend')])
  expect(lines.map(line => line.length)).toEqual([800 * 64 * 1024, 3])
  // Copying what came before with each chunk would move 20 GB.
  expect(performance.now() - started).toBeLessThan(2000)
})

test('a line over the bound is dropped and reported, and the next one is whole', () => {
  const { lines, dropped } = split([Buffer.from('abc'), Buffer.from('def\nok\nabcde\nabcdef')], 5)
  expect(lines).toEqual(['ok', 'abcde'])
  expect(dropped).toEqual([6, 6])
})

test('a line without an end is not kept beyond the bound', () => {
  const splitter = createLineSplitter({ onLine: () => {}, maxBytes: 1_000_000 })
  const size = 4_000_000
  const before = process.memoryUsage().arrayBuffers
  for (let count = 0; count < 250; count += 1) splitter.push(Buffer.alloc(size, 'x'))
  // The collector takes pieces that nobody holds at the latest when as much again has come.
  expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(600_000_000)
  splitter.push(Buffer.from('\n'))
})

test.each([
  ['no words', [], []],
  ['lines', ['a\r\nb\n', 'c'], ['a', 'b', 'c']],
  ['the last lines only', ['1\n2\n3\n4\n5\n'], ['3', '4', '5']],
  ['an empty line in between', ['a\n\nb\n\n'], ['a', '', 'b']],
])('the tail keeps %s', (_what, chunks, lines) => {
  const tail = createLastLines(3, 1000)
  for (const chunk of chunks) tail.push(Buffer.from(chunk))
  expect(tail.lines()).toEqual(lines)
})

test('the tail drops a line whose beginning it lost, unless it is the only one', () => {
  const tail = createLastLines(10, 10)
  for (let count = 0; count < 1000; count += 1) tail.push(Buffer.from('0123456789'))
  expect(tail.lines()).toEqual(['0123456789'])
  tail.push(Buffer.from('\nlast'))
  expect(tail.lines()).toEqual(['last'])
})
