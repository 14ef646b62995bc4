import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { ToolCall } from '../../../src/conversation/part.ts'
import { displayWidth } from '../../../src/text/lines/width.ts'
import { nestedCalls } from '../../../src/conversation/calls/nesting.ts'
import { renderTool } from '../../../src/tools/panel/panel.ts'
import { anyEvents } from '../../conversation/arbitrary-events.ts'
import {
  aborting,
  answering,
  calls,
  drafted,
  drafts,
  ended,
  fold,
  prints,
  returns,
  runsTool,
  step,
  timed,
  toolOf,
  turnOf,
  writes,
  type Told,
} from '../../conversation/events.ts'
import { theme } from '../../components/stage.ts'
import { textsOf } from '../../helpers/lines.ts'

const NOW = 60_000

const panel = (tool: ToolCall, width = 60, nested: readonly ToolCall[] = []): string[] =>
  textsOf(renderTool(tool, nested, { theme, width, now: NOW, maxBody: 20 }))

/** The call `a` of a turn in which these things happened. */
const after = (...events: readonly Told[]): ToolCall => toolOf(turnOf(step(1), answering, ...events), 'a')
const runs = (name: string, args: unknown, ...events: readonly Told[]): ToolCall =>
  after(...runsTool('a', name, args).slice(1), ...events)

const bash = '$ make\n\none\ntwo\n\n[exit 0]  Took 0.3s'
const signs = theme.signs

describe('the title of a panel has the tool and its state', () => {
  test.each<[state: string, tool: ToolCall, sign: string, fact: string]>([
    ['composing', after(drafts('a', 'bash'), writes('a', '{"command":"make')), signs.waiting, 'composing'],
    ['waiting', after(drafts('a', 'bash'), writes('a', '{"command":"make"}'), drafted('a')), signs.waiting, 'next'],
    ['running', runs('bash', { command: 'make' }), signs.spinner[0] ?? '', '50s'],
    ['ok', runs('bash', { command: 'make' }, returns('a', bash)), signs.done, '0.3s'],
    [
      'failed',
      runs('bash', { command: 'make' }, returns('a', bash.replace('exit 0', 'exit 2'), true)),
      signs.failed,
      'exit 2',
    ],
    ['aborted', runs('bash', { command: 'make' }, aborting, returns('a', bash, true)), signs.stopped, 'stopped'],
    ['not run', after(drafts('a', 'bash'), writes('a', '{"command":"make"}'), ended), signs.stopped, 'not run'],
  ])('%s', (_state, tool, sign, fact) => {
    const [title] = panel(tool)
    expect(title?.startsWith(`${sign} bash`)).toBe(true)
    expect(title).toContain('make')
    expect(title).toContain(fact)
    expect(displayWidth(title ?? '')).toBeLessThanOrEqual(60)
  })

  test.each<[name: string, args: unknown, subject: string | RegExp]>([
    ['bash', { command: 'cat <<E\none\nE' }, /cat <<E ?⏎ ?one ?⏎ ?E/],
    ['read', { path: 'src/a.ts' }, 'src/a.ts'],
    ['read', { path: 'src/a.ts', offset: 10, limit: 5 }, 'src/a.ts:10-14'],
    ['read', { path: 'src/a.ts', offset: 10 }, 'src/a.ts:10-'],
    ['write', { path: 'b.txt', content: 'x' }, 'b.txt'],
    ['edit', { path: 'b.txt', edits: [] }, 'b.txt'],
    ['glob', { pattern: '**/*.ts' }, '**/*.ts'],
    ['skill', { name: 'review' }, 'review'],
    ['models.classify', { text: 'x', labels: ['a', 'b'] }, 'text: x  labels: ['],
    ['bash', { command: '\u001B[2Jls' }, '␛[2Jls'],
  ])('%s of %j', (name, args, subject) => {
    expect(panel(runs(name, args))[0]).toMatch(subject)
  })

  test('marks arguments that are not JSON', () => {
    expect(panel(runs('bash', null)).join('\n')).toContain('invalid arguments')
  })

  test('shows a command in full despite a carriage return', () => {
    expect(panel(runs('bash', { command: 'rm -rf ~\recho hi' }))[0]).toContain('rm -rf ~')
  })

  test('has the subject while the arguments still stream', () => {
    expect(panel(after(drafts('a', 'write'), writes('a', '{"path":"src/lo')))[0]).toContain('src/lo')
  })

  test('keeps the file name of a long path', () => {
    const path = `${'deeply/nested/'.repeat(10)}parser.ts`
    expect(panel(runs('read', { path }))[0]).toContain('parser.ts')
  })
})

describe('below the title is', () => {
  test('the end of the output of a running command', () => {
    const printed = Array.from({ length: 30 }, (_, index) => prints('a', `line ${index}\r\n`))
    const lines = panel(runs('bash', { command: 'make' }, ...printed))
    expect(lines.join('\n')).toContain('line 29')
    expect(lines.join('\n')).not.toContain('line 3')
    expect(lines.length).toBeLessThan(10)
  })

  test('the output of a command, without its own echo of the command and the footer', () => {
    const lines = panel(runs('bash', { command: 'make' }, returns('a', bash)))
    expect(lines.slice(1).map(line => line.trim())).toEqual(['one', 'two'])
  })

  test('the error of a tool that failed', () => {
    const lines = panel(runs('read', { path: 'x' }, returns('a', 'stat /x: no such file or directory', true)))
    expect(lines.join('\n')).toContain('no such file')
  })

  test('the nested calls, indented by depth', () => {
    const turn = turnOf(
      step(1),
      ...runsTool('a', 'codemode'),
      calls('a/1', 'read', { path: 'x' }),
      calls('a/1/1', 'bash', { command: 'ls' }),
      returns('a/1/1', '$ ls\n\n[exit 0]  Took 0.1s'),
    )
    const lines = panel(toolOf(turn, 'a'), 60, [toolOf(turn, 'a/1'), toolOf(turn, 'a/1/1')])
    expect(lines.slice(-2)).toEqual([
      expect.stringMatching(/^ {2}\S read +x/),
      expect.stringMatching(/^ {4}\S bash +ls/),
    ])
  })
})

test('no panel of any call has a line that is too wide or holds a control character', () => {
  fc.assert(
    fc.property(
      anyEvents,
      fc.integer({ min: 60, max: 120 }),
      fc.integer({ min: 1, max: 30 }),
      (events, width, maxBody) => {
        const chat = fold(timed(events))
        const turns = [...chat.entries, chat.open].flatMap(entry => (entry?.kind === 'turn' ? [entry] : []))
        const context = { theme, width, now: NOW, maxBody }
        const lines = turns.flatMap(turn =>
          [...turn.parts].flatMap((part, index) =>
            part.kind === 'tool' ? renderTool(part, nestedCalls(turn, index), context) : [],
          ),
        )
        expect(lines.filter(line => displayWidth(line) > width)).toEqual([])
        expect(lines.filter(line => /[\u0000-\u001F\u007F-\u009F]/.test(line.text))).toEqual([])
      },
    ),
    { numRuns: 200 },
  )
})

const lines = (count: number): string => Array.from({ length: count }, (_, index) => `line ${index + 1}\n`).join('')

describe('the omitted part of a large call', () => {
  test('is counted above the last lines of a command', () => {
    const rows = panel(
      runs('bash', { command: 'make' }, returns('a', `$ make\n\n${lines(20_000)}\n[exit 0]  Took 0.3s`)),
    )
    expect(rows.slice(-2).map(row => row.trim())).toEqual(['line 20000', '143 kB omitted, see the viewer or /export'])
  })

  test('is included in the line count of a written file', () => {
    const [title] = panel(runs('write', { path: 'a', content: lines(20_000) }, returns('a', 'written')))
    expect(title).toContain('20000 lines   209 kB')
  })

  test('is included in the counts of an edit', () => {
    const rows = panel(runs('edit', { path: 'a' }, returns('a', '+new\n-old\n'.repeat(20_000))))
    expect(rows[0]).toContain('+20000 -20000')
    expect(rows.at(-1)).toMatch(/omitted/)
  })

  test('is counted for a command that was stopped', () => {
    const stopped = after(
      ...runsTool('a', 'bash', { command: 'make' }).slice(1),
      prints('a', lines(20_000)),
      aborting,
      ended,
    )
    expect(
      panel(stopped)
        .slice(1, 3)
        .map(row => row.trim()),
    ).toEqual(['131 kB of earlier output omitted', 'line 19996'])
  })
})

test('the arguments of an unknown tool are shown without those that its title says, and all of them in full detail', () => {
  const args = { file_path: '/home/you/project/src/parser.ts', encoding: 'a value that leaves no room in the title' }
  const tool = { ...runs('Fetch', args), title: 'Fetch src/parser.ts' }
  const lines = (detail: 'short' | 'full'): string[] =>
    textsOf(renderTool(tool, [], { theme, width: 80, now: NOW, maxBody: 20, detail, folder: '/home/you/project' }))
  expect(lines('short').join('\n')).toContain('encoding: a value')
  expect(lines('short').filter(line => line.includes('parser.ts'))).toHaveLength(1)
  expect(lines('full').join('\n')).toContain('file_path: /home/you/project/src/parser.ts')
})
