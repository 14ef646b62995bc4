/** Rules that are made to take long, and what a project's rules may have. */
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { decide } from '../../src/permissions/decide.ts'
import { matchWords, parsePattern, type PatternMatch } from '../../src/permissions/rules/command-pattern.ts'
import { parseRule } from '../../src/permissions/rules/rule.ts'
import type { RuleEffect } from '../../src/permissions/rules/written-rule.ts'
import type { CommandWord } from '../../src/permissions/shell/line.ts'
import { bash, call, edit, place, policy, read } from './policy.ts'

const ofProject = (effect: RuleEffect, text: unknown) =>
  parseRule({ effect, text, source: 'project', place: '.zotui/config.json line 2' })

/** Words that count how often they are looked at; null for a value that is not known. */
function counted(values: readonly (string | null)[]): { words: CommandWord[]; steps: () => number } {
  let steps = 0
  const words = values.map(value => ({
    text: value ?? '$x',
    get value() {
      steps++
      return value
    },
  }))
  return { words, steps: () => steps }
}

describe('a rule with fourteen stars', () => {
  test.each<[pattern: string, values: (string | null)[]]>([
    [`${'* '.repeat(14)}b`, Array.from({ length: 1500 }, () => 'a')],
    [`${'* a '.repeat(14)}b:*`, Array.from({ length: 1500 }, () => 'a')],
    [`${'* a '.repeat(14)}b`, [...Array.from({ length: 1500 }, () => 'a'), null]],
  ])('%s looks at no word of a long command more often than it has words', (pattern, values) => {
    const { words, steps } = counted(values)
    const read = parsePattern(pattern)
    matchWords(read, words)
    // Once to match, and once where a word is not known.
    expect(steps()).toBeLessThanOrEqual(2 * (read.words.length + 2) * words.length)
  })

  test.each([
    `Bash(${'* '.repeat(14)}b)`,
    `Bash(echo ${'*a'.repeat(14)}*b)`,
    `Read(${'*a'.repeat(14)}*b)`,
    `Read(${'**/'.repeat(14)}b)`,
    `${'*a'.repeat(14)}*b`,
  ])('%s decides about any call', text => {
    const long = 'a'.repeat(40_000)
    const rules = [parseRule({ effect: 'deny', text, source: 'user', place: '' })]
    const calls = [
      bash(`echo ${long}`),
      bash(`echo ${'a '.repeat(1900)}`),
      bash(`cat ${long.slice(0, 4000)}`),
      call(long),
      read(`/${long.slice(0, 4000)}`),
      read(`/${'aaaa/'.repeat(800)}`),
    ]
    expect(calls.map(request => decide({ mode: 'allow', rules, place }, request).verdict)).not.toContain('refuse')
  })
})

/** The meaning of a pattern, tried out. */
function naive(
  pattern: readonly (string | null)[],
  words: readonly (string | null)[],
  isPrefix: boolean,
): PatternMatch {
  const [part, ...parts] = pattern
  const [word, ...others] = words
  if (part === undefined)
    return isPrefix || word === undefined ? 'yes' : words.every(each => each === null) ? 'maybe' : 'no'
  if (part === null) {
    const both = new Set([naive(parts, words, isPrefix), word === undefined ? 'no' : naive(pattern, others, isPrefix)])
    return both.has('yes') ? 'yes' : both.has('maybe') ? 'maybe' : 'no'
  }
  if (word === undefined) return 'no'
  if (word === null) return 'maybe'
  return part === word ? naive(parts, others, isPrefix) : 'no'
}

test('the words of a pattern mean what trying all ways says', () => {
  const word = fc.constantFrom('a', 'b', null)
  fc.assert(
    fc.property(
      fc.array(word, { minLength: 1, maxLength: 6 }),
      fc.array(word, { maxLength: 7 }),
      fc.boolean(),
      (parts, values, isPrefix) => {
        const written = parts.map(part => part ?? '*').join(' ')
        // A star at the end is the prefix.
        fc.pre(parts.at(-1) !== null)
        const words = values.map(value => ({ text: value ?? '$x', value }))
        const pattern = parsePattern(isPrefix ? `${written}:*` : written)
        expect(matchWords(pattern, words)).toBe(naive(parts, values, isPrefix))
      },
    ),
    { numRuns: 2000 },
  )
})

describe('a rule of a project asks where it has too much of something', () => {
  test.each<[text: string, because: RegExp]>([
    [`Bash(rm ${'*a'.repeat(13)})`, /at most 12 stars, not 13/],
    [`Bash(${'rm '.repeat(100)})`, /at most 200 characters/],
  ])('%s', (text, because) => {
    for (const effect of ['ask', 'deny'] as const) {
      const rules = [ofProject(effect, text)]
      const verdict = decide({ mode: 'allow', rules, place }, bash('ls'))
      expect(verdict).toMatchObject({ verdict: 'ask', because: expect.stringMatching(because) })
      expect(decide({ mode: 'allow', rules, place }, edit(`${place.folder}/a`)).verdict).toBe('allow')
    }
  })

  test('and so does one for files, at commands, which can name files', () => {
    const rules = [ofProject('deny', `Read(${'*a'.repeat(13)})`)]
    const verdicts = [read(`${place.folder}/a`), bash('cat a')].map(
      request => decide({ mode: 'allow', rules, place }, request).verdict,
    )
    expect(verdicts).toEqual(['ask', 'ask'])
  })

  test('while the same rule of the user is read', () => {
    const text = `Bash(rm ${'*a'.repeat(13)})`
    expect(parseRule({ effect: 'deny', text, source: 'user', place: '' }).broken).toBeNull()
  })
})

describe('a call that names too much to be compared asks where a rule may apply', () => {
  test.each([
    ['words', bash(`cat ${'a '.repeat(3000)}`), 'Read(.env)'],
    ['folders', bash(`${Array.from({ length: 20 }, (_, at) => `cd d${at}`).join('; ')}; cat x`), 'Read(.env)'],
    ['paths', bash(`cat ${'abcdefghi/'.repeat(300)}x ${'b '.repeat(1900)}`), `Read(/srv/${'x'.repeat(180)})`],
    ['files', read(...Array.from({ length: 2000 }, (_, at) => `${place.folder}/${at}`)), 'Read(.env)'],
    ['letters of a path', read(`/${'a/'.repeat(3000)}b`), 'Read(.env)'],
  ])('%s', (_name, request, text) => {
    expect(decide(policy('allow', { deny: [text] }), request).verdict).toBe('ask')
    expect(decide(policy('allow'), request).verdict).toBe('allow')
  })
})

test('a pattern that can match no file asks, rather than deny nothing', () => {
  for (const text of ['Read(secret[)', 'Read(a\\)', 'Read([[:nothing:]])'])
    expect(decide(policy('allow', { deny: [text] }), read(`${place.folder}/x`)).verdict).toBe('ask')
})

test.each([
  [10, 'allow', /only reads/],
  [200, 'ask', /too many files are below/],
])(
  '%d rules about files below a folder with 15000 files take a bounded number of comparisons: %s',
  (count, verdict, because) => {
    const folders = Array.from({ length: 150 }, (_, at) => ({ name: `d${at}`, kind: 'folder' as const }))
    const files = Array.from({ length: 99 }, (_, at) => ({ name: `f${at}`, kind: 'other' as const }))
    const list = (folder: string) => (folder === place.folder ? folders : files)
    const rules = Array.from({ length: count }, (_, at) => ofProject('deny', `Read(*.k${at})`))
    const decision = decide({ mode: 'ask', rules, place: { ...place, list } }, bash('grep -r x'))
    expect(decision).toMatchObject({ verdict, because: expect.stringMatching(because) })
  },
)
