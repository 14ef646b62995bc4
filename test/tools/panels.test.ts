import * as fc from 'fast-check'
import { beforeAll, describe, expect, test } from 'vitest'
import type { Content } from '../../src/agent/event.ts'
import { loadCommonLanguages } from '../../src/markdown/code/languages.ts'
import { displayWidth } from '../../src/text/lines/width.ts'
import { createTheme } from '../../src/style/theme.ts'
import { renderTool } from '../../src/tools/panel/panel.ts'
import { nestedCalls } from '../../src/conversation/calls/nesting.ts'
import {
  aborting,
  calls,
  drafts,
  prints,
  returns,
  step,
  stops,
  turnOf,
  writes,
  type Told,
} from '../conversation/events.ts'
import { readRecordings } from '../helpers/recording.ts'
import { eventsOf } from '../recordings/playing.ts'
import { fold } from '../conversation/events.ts'
import { bash, bashText, colourTheme, drawn, drawnLines, plainTheme, samples, toolOf } from './samples.ts'
import type { Detail } from '../../src/tools/panel/tool-context.ts'
import { lineFrom, textsOf } from '../helpers/lines.ts'
import { aPartOf } from '../helpers/length.ts'

beforeAll(() => loadCommonLanguages())

const details: readonly Detail[] = ['names', 'short', 'full']
const plain = (line: string): string => lineFrom(line).text

const page = (width: number, detail: Detail): string =>
  Object.entries(samples)
    .map(([name, events]) => [`--- ${name}`, ...drawn(events, { width, detail })].join('\n'))
    .join('\n')
    .concat('\n')

describe('panels in', () => {
  test.each([120, 80, 40, 20])('%i columns', async width => {
    await expect(page(width, 'short')).toMatchFileSnapshot(`golden/tool-short-${width}.txt`)
  })
  test.each(['names', 'full'] as const)('%s', async detail => {
    await expect(page(80, detail)).toMatchFileSnapshot(`golden/tool-${detail}-80.txt`)
  })
})

describe.each(Object.entries(samples))('what holds for each of them: %s', (name, events) => {
  test('have no line that is too wide, ends in a blank or holds a newline', () => {
    const widths = Array.from({ length: 40 }, (_, index) => (index < 24 ? index + 1 : index * 7 - 140))
    for (const detail of details) {
      for (const width of widths) {
        for (const line of drawn(events, { width, detail })) {
          expect(displayWidth(line)).toBeLessThanOrEqual(width)
          expect(line).not.toMatch(/\n|\s$/)
        }
      }
    }
  })
  test('have the same text with and without colours', () => {
    expect(drawn(events, { width: 80, theme: colourTheme }).map(line => plain(line).trimEnd())).toEqual(
      drawn(events, { width: 80 }).map(line => line.trimEnd()),
    )
  })
  test('are one line if only names are shown', () => {
    expect(drawn(events, { width: 80, detail: 'names' })).toHaveLength(1)
  })
  test.each([2, 3, 5, 8])('fit %i rows while open', maxBody => {
    const most = toolOf(events).tool.endedAt === null ? maxBody + 2 : Infinity
    expect(drawn(events, { width: 40, maxBody }).length).toBeLessThanOrEqual(most)
  })
  test('have the same content without Unicode', () => {
    const theme = createTheme(0, { unicode: false })
    const lines = drawn(events, { width: 200, theme }).join('\n')
    // A style that makes hidden marks visible has no plain form.
    expect(name.includes('hidden') ? '' : lines.replaceAll('…', '')).toMatch(/^[\x20-\x7e\n]*$/)
  })
})

const title = (events: readonly Told[], width = 80): string => drawn(events, { width })[0] ?? ''

describe('panels of commands', () => {
  test('have the usual form of durations', () => {
    expect(title(bash('x', 'y', '[exit 0]  Took 2h3m'))).toMatch(/2h03m$/)
    expect(title(bash('x', 'y', '[exit 0]  Took 0.0s'))).toBe('● bash  x')
  })
  test('keep empty lines of a command apart from its output', () => {
    const command = 'cat <<EOF\na\n\nb\nEOF'
    expect(drawn(bash(command, 'out'), { width: 80 })).toEqual([expect.stringMatching(/⏎ \+4 lines/), '    out'])
  })
  test('show the final state of a progress bar', () => {
    const events = [step(1), calls('a', 'bash', { command: 'x' }), stops('tool_use')]
    const bar = Array.from(
      { length: 3000 },
      (_, index) => `\u001b[32m${'#'.repeat(index % 20)}\u001b[0m ${index}\r`,
    ).join('')
    expect(drawn([...events, prints('a', bar)], { width: 80 })[1]).toMatch(/ 2999/)
  })
  test('show one more line instead of counting it', () => {
    expect(drawn(bash('x', 'a\nb\nc\nd'), { width: 80 })).toHaveLength(5)
    expect(drawn(bash('x', 'a\nb\nc\nd\ne'), { width: 80 }).slice(1)).toEqual([
      '    +2 lines',
      '    c',
      '    d',
      '    e',
    ])
  })
  test('show a long output in full if the detail is full', () => {
    const words = Array.from({ length: 60 }, (_, index) => `word${index}`).join(' ')
    const lines = drawn(bash(`echo ${words}`, ''), { width: 60, detail: 'full' })
    expect(
      lines
        .map(line =>
          line
            .slice(8)
            .trim()
            .replace(/ +0\.4s$/, ''),
        )
        .join(' '),
    ).toBe(`echo ${words}`)
  })
})

const fact = (events: readonly Told[]): string | undefined =>
  /\d+ hidden marks?/.exec(drawn(events, { width: 80 }).join('\n'))?.[0]

const run = (command: string): Told[] => [step(1), calls('a', 'bash', { command }), stops('tool_use')]

/** A call that ends without any output. */
const untold = (name: string, args: object): string[] =>
  drawn([calls('a', name, args), { ...returns('a', ''), content: [] } as Told], { width: 80 })

describe('a call whose output the agent does not report', () => {
  test.each(['read', 'skill', 'glob', 'write'])('has no count of lines: %s', name => {
    expect(untold(name, { file: 'a.ts' }).join('\n')).not.toMatch(/\d+ lines?|\d B|no files/)
  })

  test('has the lines that were written, which the arguments name', () => {
    expect(untold('write', { path: 'a.ts', content: 'one\ntwo\n' }).join('\n')).toContain('2 lines')
  })

  test('and an empty output is counted', () => {
    const empty = drawn([calls('a', 'read', { path: 'a.ts' }), returns('a', '')], { width: 80 })
    expect(empty.join('\n')).toContain('0 lines')
  })
})

describe('hidden marks', () => {
  test.each<[what: string, events: readonly Told[], fact: string | undefined]>([
    ['none', bash('ls', 'a'), undefined],
    ['colours are none', bash('ls', '\u001b[31ma\u001b[0m'), undefined],
    ['a line that goes over itself has none', bash('ls', 'a\rb'), undefined],
    ['in the command', bash('ls \u202E', 'a'), '1 hidden mark'],
    ['a carriage return in the command', bash('rm -rf x\rls', 'a'), '1 hidden mark'],
    ['in the output', bash('ls', '\u001b]0;x\u0007'), '2 hidden marks'],
    ['in both', bash('ls \u202E', '\u200B'), '2 hidden marks'],
    ['while it runs', [...run('ls'), prints('a', 'x\u202Ey')], '1 hidden mark'],
    ['deep in arguments', [step(1), calls('a', 'x', { y: [{ z: '\u202E' }] })], '1 hidden mark'],
    [
      'a write repeats its content',
      [step(1), calls('a', 'write', { path: 'a', content: '\u200B' }), stops('tool_use'), returns('a', '\u200B')],
      '1 hidden mark',
    ],
    [
      'CRLF is none',
      [step(1), calls('a', 'edit', { path: 'a', edits: [] }), stops('tool_use'), returns('a', '-a\r\n+a\n+b\n')],
      undefined,
    ],
  ])('%s', (_what, events, expected) => {
    expect(fact(events)).toBe(expected)
  })

  test('are reported even without room for facts', () => {
    expect(drawn(bash('a command that is long', '\u202E'), { width: 20 }).map(line => line.trim())).toContain(
      '1 hidden mark',
    )
  })
})

describe('whatever an agent sends', () => {
  const hostile = fc.string({
    unit: fc.constantFrom(
      'a',
      ' ',
      '\n',
      '\r',
      '\t',
      '\b',
      '\u001b[',
      '\u001b]0;',
      '\u0007',
      '2J',
      '31m',
      '\u202E',
      '\u200B',
      '\u009b',
      '日',
      '👩‍👩‍👧‍👦',
      '\ud800',
      '"',
      '{',
      '\\',
      '...',
      '-',
      '+',
      '[exit 1]  Took 1s',
    ),
    maxLength: 60,
  })
  const name = fc.constantFrom('bash', 'read', 'write', 'edit', 'glob', 'skill', 'codemode', 'x', '')
  const value = fc.letrec(tie => ({
    value: fc.oneof(
      { depthSize: 'small' },
      hostile,
      fc.integer(),
      fc.constant(null),
      fc.array(tie('value'), { maxLength: 4 }),
      fc.dictionary(hostile, tie('value'), { maxKeys: 4 }),
    ),
  })).value
  const known = fc.record(
    {
      path: hostile,
      command: hostile,
      content: hostile,
      code: hostile,
      pattern: hostile,
      offset: fc.integer(),
      limit: fc.double(),
      edits: fc.array(fc.record({ oldText: hostile, newText: hostile }), { maxLength: 3 }),
    },
    { requiredKeys: [] },
  )
  const content = fc.array(
    fc.oneof(
      hostile.map((text): Content => ({ type: 'text', text })),
      fc.record({ type: fc.constant('image' as const), mimeType: hostile, bytes: fc.integer() }),
    ),
    { maxLength: 3 },
  )

  test('draws only text and our own colours, within the width', () => {
    fc.assert(
      fc.property(
        name,
        fc.oneof(value, known),
        hostile,
        hostile,
        content,
        fc.boolean(),
        fc.nat(6),
        fc.integer({ min: 1, max: 100 }),
        fc.constantFrom(...details),
        (tool, args, json, output, blocks, failed, far, width, detail) => {
          const story: Told[] = [
            drafts('a', tool),
            writes('a', json),
            calls('a', tool, args),
            stops('tool_use'),
            prints('a', output),
            aborting,
            { type: 'tool_finished', id: 'a', failed, content: blocks },
          ]
          for (const line of drawnLines([step(1), ...story.slice(0, 1 + far)], { width, detail, theme: colourTheme })) {
            expect(line.width).toBeLessThanOrEqual(width)
            expect(line.text).not.toMatch(/[\0-\x1f\x7f-\x9f\u202E\u200B]/)
          }
        },
      ),
      aPartOf(400),
    )
  })
})

describe('the cost of a frame', () => {
  test('is bounded: only the end of a long output is read', () => {
    const events = [step(1), calls('a', 'bash', { command: 'yes' }), stops('tool_use')]
    const before = drawn([...events, prints('a', 'y\n'.repeat(60_000))], { width: 80 })
    expect(before).toHaveLength(6)
    const { tool } = toolOf([...events, prints('a', 'y\n'.repeat(60_000))])
    const start = performance.now()
    for (let frame = 0; frame < 100; frame += 1) {
      renderTool(tool, [], { theme: plainTheme, width: 80, now: 0, maxBody: 8 })
    }
    expect((performance.now() - start) / 100).toBeLessThan(25)
  })
})

describe('panels of real zots', () => {
  test.each(readRecordings().map(recording => [`${recording.zot} ${recording.name}`, recording] as const))(
    '%s',
    async (_name, recording) => {
      const { entries, open } = fold(await eventsOf(recording))
      for (const turn of [...entries, open]) {
        if (turn?.kind !== 'turn') continue
        for (const [index, tool] of [...turn.parts].entries()) {
          if (tool.kind !== 'tool') continue
          const lines = renderTool(tool, nestedCalls(turn, index), { theme: plainTheme, width: 60, now: 0, maxBody: 8 })
          expect(textsOf(lines).map(line => line.replace(/ +[\d.]+s$/, ''))).toMatchSnapshot()
        }
      }
    },
  )
})

test('a result without its call has a panel, too', () => {
  const turn = turnOf(step(1), returns('z', bashText('x', 'y')))
  const [tool] = turn.parts
  if (tool?.kind !== 'tool') throw new Error('there is no tool')
  expect(renderTool(tool, [], { theme: plainTheme, width: 40, now: 0, maxBody: 8 })[0]?.text).toMatch(/^● unknown/)
})

test('a path in the folder of the agent, such as a worktree, is shown without it', () => {
  const folder = '/home/u/.local/state/zotui/worktrees/app-1f2e/fix-1'
  const title = (path: string, name = 'read'): string =>
    textsOf(
      renderTool(toolOf([step(1), calls('a', name, { path })]).tool, [], {
        theme: plainTheme,
        width: 100,
        now: 0,
        maxBody: 8,
        folder,
      }),
    )[0] ?? ''
  expect(title(`${folder}/src/a.ts`)).toMatch(/read +src\/a\.ts/)
  expect(title(`${folder}-else/a.ts`)).toContain(`${folder}-else/a.ts`)
  expect(title('/etc/hosts')).toContain('/etc/hosts')
  expect(title(folder)).toContain(folder)
})
