/** What is read out of the answers of reviews: as the prompt asks for it, as agents write it instead, and hostile ones. */
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { placeWords, wordsOf } from '../../../src/review/findings/finding.ts'
import { findingsOf } from '../../../src/review/findings/read-answer.ts'
import { inheritedNames } from '../../helpers/inherited-names.ts'

const fenced = (code: string, language = 'findings'): string => `Prose.\n\n\`\`\`${language}\n${code}\n\`\`\`\n`

/** Each finding in a line: its level, its place and its words. */
function brief(answer: string): string[] | null {
  const found = findingsOf(answer)
  return found && found.findings.map(each => `${each.level} ${placeWords(each)} ${wordsOf(each).replaceAll('\n', '|')}`)
}

const one = { level: 'error', path: 'src/a.ts', line: 12, endLine: 14, title: 'It loses data', text: 'When full.' }

describe('findings in JSON', () => {
  test.each<[string, string, string[]]>([
    [
      'the list that is asked for',
      fenced(JSON.stringify({ findings: [one] }, null, 2)),
      ['error src/a.ts:12-14 It loses data||When full.'],
    ],
    [
      'a list without an object around it',
      fenced(JSON.stringify([one])),
      ['error src/a.ts:12-14 It loses data||When full.'],
    ],
    [
      'a block of the language json',
      fenced(JSON.stringify({ findings: [one] }), 'json'),
      ['error src/a.ts:12-14 It loses data||When full.'],
    ],
    [
      'an answer that is nothing but JSON',
      JSON.stringify({ findings: [one] }),
      ['error src/a.ts:12-14 It loses data||When full.'],
    ],
    ['no findings', fenced('{"findings": []}'), []],
    [
      'other names for the same things',
      fenced(
        JSON.stringify({
          issues: [
            {
              severity: 'CRITICAL',
              file: './b.c',
              startLine: 3,
              end_line: '4',
              message: 'No.\nNever.',
              suggestion: 'Free it.',
            },
          ],
        }),
      ),
      ['error b.c:3-4 No.||Never.||Free it.'],
    ],
    [
      'a place in the path',
      fenced('[{"location":"a/b.go:7-9","title":"x"},{"path":"a/b.go:7","title":"y"}]'),
      ['note a/b.go:7-9 x', 'note a/b.go:7 y'],
    ],
    [
      'lines as a range, as a list, as a text',
      fenced(
        '[{"path":"a","lines":"3-5","title":"x"},{"path":"b","lines":[2,9],"title":"y"},{"path":"c","line":"L4","title":"z"}]',
      ),
      ['note a:3-5 x', 'note b:2-9 y', 'note c:4 z'],
    ],
    ['a file without a line', fenced('[{"path":"a.md","level":"warn","text":"Say why."}]'), ['warning a.md Say why.']],
    [
      'lines that are none',
      fenced(
        '[{"path":"a","line":0,"title":"x"},{"path":"b","line":-3,"title":"y"},{"path":"c","line":1e99,"title":"z"},{"path":"d","line":2.5,"title":"z"}]',
      ),
      ['note a x', 'note b y', 'note c z', 'note d z'],
    ],
    ['an end before the beginning', fenced('[{"path":"a","line":9,"endLine":3,"title":"x"}]'), ['note a:9 x']],
    ['an unknown level is a note', fenced('[{"path":"a","line":1,"level":"purple","title":"x"}]'), ['note a:1 x']],
    [
      'one object a line',
      fenced('{"path":"a","line":1,"title":"x"}\n{"path":"b","line":2,"title":"y {\\"}"}'),
      ['note a:1 x', 'note b:2 y {"}'],
    ],
    [
      'a list that breaks off',
      'Prose\n```findings\n{"findings": [{"path":"a","line":1,"title":"x"}, {"path":"b","li',
      ['note a:1 x'],
    ],
    ['a comma too many', fenced('{"findings": [{"path":"a","line":1,"title":"x"},]}'), ['note a:1 x']],
    [
      'the block of findings, not the code after it',
      `${fenced('[{"path":"a","title":"x"}]')}\n\`\`\`json\n[{"path":"z","title":"no"}]\n\`\`\``,
      ['note a x'],
    ],
    [
      'the last of two blocks',
      `${fenced('[{"path":"a","title":"x"}]')}${fenced('[{"path":"b","title":"y"}]')}`,
      ['note b y'],
    ],
    ['a fence in a list', '- Here:\n  ```findings\n  [{"path":"a","title":"x"}]\n  ```\n', ['note a x']],
    ['windows lines', fenced('[{"path":"a","title":"x"}]').replaceAll('\n', '\r\n'), ['note a x']],
    [
      'SARIF',
      fenced(
        JSON.stringify({
          version: '2.1.0',
          runs: [
            {
              results: [
                {
                  level: 'warning',
                  message: { text: 'Bad.' },
                  locations: [
                    { physicalLocation: { artifactLocation: { uri: 'src/x.py' }, region: { startLine: 4 } } },
                  ],
                },
              ],
            },
          ],
        }),
        'json',
      ),
      ['warning src/x.py:4 Bad.'],
    ],
  ])('%s', (_name, answer, findings) => {
    expect(brief(answer)).toEqual(findings)
  })

  test('the prose is what stands around the block', () => {
    expect(findingsOf(`${fenced('{"findings":[]}')}\nIt can be merged.`)?.prose).toBe('Prose.\n\n\nIt can be merged.')
  })

  test('the base that the agent compared with is kept', () => {
    expect(findingsOf(fenced('{"base":"main","findings":[]}'))?.base).toBe('main')
    expect(findingsOf(fenced('{"base":7,"findings":[]}'))?.base).toBeNull()
  })

  test('code that is no list of findings is none', () => {
    expect(brief(fenced('{"name":"x","version":"1"}', 'json'))).toBeNull()
    expect(brief(fenced('[1, 2, 3]', 'json'))).toBeNull()
    expect(brief('Nothing is wrong.')).toBeNull()
  })

  test('names that every object inherits are names like any others', () => {
    for (const name of inheritedNames) {
      const answer = fenced(JSON.stringify({ findings: [{ path: name, level: name, title: name, line: 1 }] }))
      expect(brief(answer)).toEqual([`note ${name}:1 ${name}`])
    }
    expect(brief(fenced('{"findings":[{"__proto__":{"path":"a","title":"x"}}]}'))).toBeNull()
  })
})

describe('findings in text', () => {
  test.each<[string, string, string[]]>([
    [
      'lines as compilers write them',
      'src/a.ts:12: It loses data\nsrc/b.ts:3:7: warning: It is slow',
      ['note src/a.ts:12 It loses data', 'warning src/b.ts:3 It is slow'],
    ],
    [
      'a list in bold',
      '- **src/a.ts:12** It loses data\n- **lib/b.rs:1-3** No',
      ['note src/a.ts:12 It loses data', 'note lib/b.rs:1-3 No'],
    ],
    [
      'levels before the place',
      '1. **[error]** `a.c:4` - Freed twice\n2. [note] a.c:9: Name',
      ['error a.c:4 Freed twice', 'note a.c:9 Name'],
    ],
    ['levels after the place', '* `x/y.go:10` **Critical:** it races', ['error x/y.go:10 it races']],
    [
      'headings with text below',
      '### a.py:3 Wrong sum\n\nIt adds twice.\n\n### b.py:4 Slow',
      ['note a.py:3 Wrong sum||It adds twice.', 'note b.py:4 Slow'],
    ],
    [
      'what is indented belongs to it',
      '- a.py:3 Wrong\n\n  ```py\n  x:1\n  ```\n- b.py:4 Slow',
      ['note a.py:3 Wrong||```py|x:1|```', 'note b.py:4 Slow'],
    ],
    ['a paragraph at the end is about all', '- a.py:3 Wrong\n\nIn all, no.', ['note a.py:3 Wrong']],
  ])('%s', (_name, answer, findings) => {
    expect(brief(answer)).toEqual(findings)
    expect(findingsOf(answer)?.isJson).toBe(false)
  })

  test('times, addresses and code are no places', () => {
    expect(brief('- 12:30 we met\n- http://localhost:3000 is up\n- localhost:80 too\n- note:5 x')).toBeNull()
    expect(brief('```\nsrc/a.ts:12: error\n```')).toBeNull()
  })
})

describe('hostile answers', () => {
  test('only so many findings are read', () => {
    const many = Array.from({ length: 700 }, (_, at) => ({ path: 'a', line: at + 1, title: 'x' }))
    expect(findingsOf(fenced(JSON.stringify(many)))).toMatchObject({ left: 200 })
    expect(findingsOf(fenced(JSON.stringify(many)))?.findings).toHaveLength(500)
    const lines = many.map(({ line }) => `src/a.ts:${line}: x`).join('\n')
    expect(findingsOf(lines)?.findings).toHaveLength(500)
  })

  test.each([
    ['JSON', (findings: readonly object[]) => fenced(JSON.stringify({ findings }, null, 2))],
    ['a line each', (findings: readonly object[]) => fenced(findings.map(each => JSON.stringify(each)).join('\n'))],
  ])('of more findings than are kept, those of the worst level stay: %s', (_name, written) => {
    const notes = Array.from({ length: 600 }, (_, index) => ({ path: `n${index}`, level: 'note', title: 'x' }))
    const found = findingsOf(written([...notes, { path: 'e', level: 'error', title: 'y' }]))
    expect(found?.left).toBe(101)
    expect(found?.findings.slice(0, 2).map(({ path }) => path)).toEqual(['e', 'n0'])
  })

  test('a hundred thousand findings are a review', () => {
    const findings = Array.from({ length: 100_000 }, (_, line) => ({ path: 'a.ts', line: line + 1, title: 'It leaks' }))
    const found = findingsOf(fenced(JSON.stringify({ findings }, null, 2)))
    expect(found).toMatchObject({ left: 99_500, isJson: true })
  })

  test('long texts are cut', () => {
    const long = 'y'.repeat(100_000)
    const [found] = findingsOf(fenced(JSON.stringify([{ path: long, title: long, text: long }])))?.findings ?? []
    expect(found?.path).toHaveLength(1_000)
    expect(found?.title).toHaveLength(301)
    expect(found?.text.length).toBeLessThanOrEqual(8_000)
  })

  test.each([
    ['open braces', '{'.repeat(900_000)],
    ['nested objects', `${'{"a":'.repeat(90_000)}1${'}'.repeat(90_000)}x`],
    ['nested findings', `${'{"path":"a","title":"x","b":'.repeat(20_000)}1${'}'.repeat(20_000)},`],
    ['quotes', '{"'.repeat(400_000)],
    ['fences', '```\n'.repeat(200_000)],
    ['places', 'a/'.repeat(450_000)],
    ['one long line', `- ${'a.b:1 '.repeat(140_000)}`],
    ['blanks', ' '.repeat(900_000)],
    ['list marks', '- '.repeat(450_000)],
  ])('%s are read in bounded time', (_name, text) => {
    for (const answer of [text, fenced(text)]) {
      const before = performance.now()
      findingsOf(answer)
      expect(performance.now() - before).toBeLessThan(5_000)
    }
  })

  test('no text at all makes it throw', () => {
    const piece = fc.constantFrom(
      '{',
      '}',
      '[',
      ']',
      '"',
      '\\',
      '\n',
      '```',
      'findings',
      ':',
      ',',
      '"path"',
      '"title"',
      'a.ts:3',
      '- ',
      '**',
      ' ',
    )
    const text = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.array(fc.oneof(piece, fc.string()), { maxLength: 40 }).map(all => all.join('')),
    )
    fc.assert(
      fc.property(text, answer => {
        for (const { path, title, lines } of findingsOf(answer)?.findings ?? []) {
          expect(path).not.toBe('')
          expect(title).not.toBe('')
          expect((lines?.to ?? 1) - (lines?.from ?? 1)).toBeGreaterThanOrEqual(0)
        }
      }),
      { numRuns: 2_000 },
    )
  })

  test('what is written as JSON is read again, whatever the words', () => {
    const finding = fc.record({
      level: fc.constantFrom('error', 'warning', 'note'),
      path: fc.stringMatching(/^[a-z]{1,9}(?:\/[a-z]{1,9}){0,2}\.ts$/),
      line: fc.integer({ min: 1, max: 9_999 }),
      title: fc.stringMatching(/^[!-~][ -~]{0,60}[!-~]$/),
      text: fc.string({ unit: 'grapheme' }),
    })
    fc.assert(
      fc.property(fc.array(finding, { maxLength: 8 }), findings => {
        const read = findingsOf(fenced(JSON.stringify({ findings }, null, 2)))?.findings
        expect(read?.map(({ level, path, lines, title }) => ({ level, path, line: lines?.from, title }))).toEqual(
          findings.map(({ level, path, line, title }) => ({ level, path, line, title })),
        )
      }),
      { numRuns: 1_000 },
    )
  })
})
