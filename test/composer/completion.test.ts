import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { completionAt } from '../../src/composer/completion.ts'
import { match, rank } from '../../src/composer/ranking.ts'
import { pieces } from './samples.ts'

/** `|` is the caret; the range is told as the text in it. */
function at(marked: string): unknown {
  const text = marked.replace('|', '')
  const found = completionAt(text, marked.indexOf('|'))
  return found && { ...found, range: text.slice(found.range.start, found.range.end) }
}

describe('the text that is completed', () => {
  test.each<[marked: string, completion: object]>([
    ['/|', { kind: 'slash', query: '', range: '/' }],
    ['/mo|', { kind: 'slash', query: 'mo', range: '/mo' }],
    ['/mo|del', { kind: 'slash', query: 'mo', range: '/model' }],
    ['/mo| x', { kind: 'slash', query: 'mo', range: '/mo' }],
    ['/skill:re|', { kind: 'slash', query: 'skill:re', range: '/skill:re' }],
    ['/model |', { kind: 'slash-argument', command: 'model', query: '', range: '' }],
    ['/model son| 4', { kind: 'slash-argument', command: 'model', query: 'son', range: 'son 4' }],
    ['/model  | x', { kind: 'slash-argument', command: 'model', query: '', range: ' x' }],
    ['/model son|\nmore', { kind: 'slash-argument', command: 'model', query: 'son', range: 'son' }],
    ['@|', { kind: 'file', query: '', range: '@' }],
    ['see @src/ma| there', { kind: 'file', query: 'src/ma', range: '@src/ma' }],
    ['see @sr|c/main', { kind: 'file', query: 'sr', range: '@src/main' }],
    ['see\n(@汉|', { kind: 'file', query: '汉', range: '@汉' }],
    ['@"my do|c.txt" x', { kind: 'file', query: 'my do', range: '@"my doc.txt"' }],
    ['@"my do| and more', { kind: 'file', query: 'my do', range: '@"my do' }],
    ['/study @s|', { kind: 'file', query: 's', range: '@s' }],
  ])('%j', (marked, completion) => {
    expect(at(marked)).toEqual(completion)
  })

  test.each([
    '|',
    'hello|',
    '|/model',
    ' /mo|',
    'a /mo|',
    '/usr/bi|n',
    '/usr|/bin',
    'x\n/mo|',
    '/model\nx|',
    'me@home|',
    '@src |',
    '|@src',
    '@"my" |',
    `@${'x'.repeat(2000)}|`,
  ])('is empty at %j', marked => {
    expect(at(marked)).toBeNull()
  })

  test('contains the caret in any text', () => {
    const sign = fc.constantFrom('/', '@', '@"', '', ' ')
    fc.assert(
      fc.property(fc.tuple(sign, pieces(4), sign, pieces(4)), fc.nat(), (parts, place) => {
        const text = parts.join('')
        const caret = place % (text.length + 1)
        const range = completionAt(text, caret)?.range ?? { start: caret, end: caret }
        expect(range.start).toBeLessThanOrEqual(caret)
        expect(range.end).toBeGreaterThanOrEqual(caret)
        expect(range.end).toBeLessThanOrEqual(text.length)
      }),
    )
  })
})

describe('ranking', () => {
  test.each<[why: string, query: string, names: string[], order: string[]]>([
    ['the start counts most', 'mod', ['reload-mod', 'model'], ['model', 'reload-mod']],
    ['word starts before middles', 'ed', ['needed', 'the-editor'], ['the-editor', 'needed']],
    ["a path's name before its middle", 'main', ['src/domain.ts', 'src/main.ts'], ['src/main.ts', 'src/domain.ts']],
    ['together before apart', 'son', ['s-o-n-x', 'sonnet'], ['sonnet', 's-o-n-x']],
    ['humps are word starts', 'us', ['fusible', 'someUserStory'], ['someUserStory', 'fusible']],
    ['of equals the shorter', 're', ['resume', 'retry'], ['retry', 'resume']],
    ['and then the earlier', 're', ['retry', 'reset'], ['retry', 'reset']],
    ['any case matches, in the given order', 'README', ['readme', 'README'], ['readme', 'README']],
    ['parts on their own', 'son anth', ['anthropic/sonnet', 'sonata'], ['anthropic/sonnet']],
    ['what does not match is left out', 'xyz', ['model'], []],
    ['letters must be in order', 'ledom', ['model'], []],
    ['an empty query keeps all as they were', ' ', ['b', 'a'], ['b', 'a']],
  ])('%s', (_, query, names, order) => {
    expect(ranked(query, names)).toEqual(order)
  })

  test.each<[query: string, name: string, positions: number[]]>([
    ['', 'model', []],
    ['mdl', 'model', [0, 2, 4]],
    ['cl', 'clear-all-cl', [0, 1]],
    ['fb', 'foo-bar', [0, 4]],
    ['xab', 'ax-xab', [3, 4, 5]],
    ['bar foo', 'foo-bar', [0, 1, 2, 4, 5, 6]],
  ])('finds %j in %j at %j', (query, name, positions) => {
    expect(match(query, name)?.positions).toEqual(positions)
  })

  test('gives positions that spell the query', () => {
    const letters = fc.string({ unit: fc.constantFrom('a', 'A', 'b', 'B', '-', '/', '.', '汉'), maxLength: 12 })
    fc.assert(
      fc.property(letters, letters, (query, name) => {
        const found = match(query, name)
        const spelt = found?.positions.map(position => name[position]).join('') ?? query
        expect(spelt.toLowerCase()).toBe(query.toLowerCase())
        expect(found !== null).toBe(isSubsequence(query.toLowerCase(), name.toLowerCase()))
      }),
    )
  })
})

function isSubsequence(query: string, name: string): boolean {
  let at = 0
  for (const letter of name) if (letter === query[at]) at += 1
  return at >= query.length
}

test('Ranking drops no name that matches', () => {
  const letters = fc.string({ unit: fc.constantFrom('a', 'b', 'A', '/', '-', ' ', 'é', 'e', '界'), maxLength: 6 })
  fc.assert(
    fc.property(letters, fc.array(letters, { maxLength: 8 }), (query, names) => {
      expect(ranked(query, names).toSorted()).toEqual(names.filter(name => match(query, name)).toSorted())
    }),
  )
})

test('A list of 100,000 names is compared in part, first names first', () => {
  const names = Array.from({ length: 100_000 }, (_, at) => `provider/model-${at}`)
  expect(ranked('model-99999', names)).toEqual(['provider/model-99999'])
  expect(ranked('model', names)).toHaveLength(1000)
})

function ranked(query: string, names: readonly string[]): string[] {
  return rank(query, names, name => name).map(each => each.item)
}
