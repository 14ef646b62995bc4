/** Calls of every tool in every state, as the conversation holds them. */
import { builtinTheme } from '../../src/style/builtin.ts'
import { nestedCalls } from '../../src/conversation/calls/nesting.ts'
import type { EventOf } from '../../src/agent/event.ts'
import { createTheme } from '../../src/style/theme.ts'
import { renderTool } from '../../src/tools/panel/panel.ts'
import type { Turn } from '../../src/conversation/state.ts'
import type { ToolCall } from '../../src/conversation/part.ts'
import {
  aborting,
  answered,
  call,
  calls,
  drafts,
  ended,
  prints,
  returns,
  step,
  stops,
  turnOf,
  writes,
  type Told,
} from '../conversation/events.ts'
import type { Detail } from '../../src/tools/panel/tool-context.ts'
import { paintedLines } from '../helpers/lines.ts'
import type { Styled } from '../../src/style/styled.ts'

/** No colours: what is shown is the text itself. */
export const plainTheme = createTheme(0)
export const colourTheme = createTheme(3, { definition: builtinTheme('dark') })

const id = 'a'
const runs = (name: string, args: unknown): Told[] => [step(1), calls(id, name, args), stops('tool_use')]
const done = (name: string, args: unknown, text: string, failed = false): Told[] => [
  ...runs(name, args),
  returns(id, text, failed),
]
const held = (where: EventOf<'call_held'>['where']): Told => ({ type: 'call_held', id, where })
const draft = (name: string, json: string): Told[] => [step(1), drafts(id, name), writes(id, json)]

/** A bash result as zot words it. */
export const bashText = (command: string, output: string, footer = '[exit 0]  Took 0.4s'): string =>
  `$ ${command}\n\n${output === '' ? '' : `${output}\n\n`}${footer}`
export const bash = (command: string, output: string, footer?: string, failed = false): Told[] =>
  done('bash', { command }, bashText(command, output, footer), failed)

const path = 'packages/frontend/src/components/parser.ts'
const numbers = (count: number): string => Array.from({ length: count }, (_, index) => `line ${index + 1}`).join('\n')
const long = `find . -name '*.ts' -not -path './node_modules/*' | xargs grep -l 'something long' | while read f; do echo "$f"; done`
const heredoc = `python3 - <<'EOF'\nimport os\n\nprint(os.getcwd())\nEOF`
const source = `import { a } from './a.ts'\n\nexport function b(): string {\n  return a('x')\n}\n`

/** Two places in a file, as zot tells them: no numbers, two rows of dots between, one at the end. */
export const twoHunks = ` 
 function parse() {
   const depth = 3
-  const most = 64
+  const most = 256
+  const least = 1
   return depth
 }
 
...
...
 
 export function length(line: string, at: number) {
   const rest = line.slice(at)
-  return rest.length
+  return [...segmenter.segment(rest)].length
 }
 
 export const x = 1
...
`
const oneDiff = {
  path,
  before: 'function parse() {\n  const most = 64\n  return most\n}\n',
  after: 'function parse() {\n  const most = 256\n  return most\n}\n',
}
const tells = (facts: Omit<EventOf<'tool_described'>, 'type' | 'at' | 'id'>): Told => ({
  type: 'tool_described',
  id,
  ...facts,
})
const edits = [{ oldText: 'const most = 64', newText: 'const most = 256\n  const least = 1' }]

export const samples: Readonly<Record<string, readonly Told[]>> = {
  'bash composing': draft('bash', '{"command":"npm run build && ec'),
  'bash waiting': [step(1), calls(id, 'bash', { command: 'npm run build' })],
  'bash running': [
    ...runs('bash', { command: 'npm run build' }),
    prints(id, 'transforming (1)\rtransforming (412) ...\nrendering (18)\n'),
  ],
  'bash ok': bash('npm test', numbers(9)),
  'bash without output': bash('true', ''),
  'bash failed': bash('npm test -- parser', numbers(40), '[exit 1]  Took 1m5s', true),
  'bash steered': [
    ...runs('bash', { command: 'npm publish' }),
    { type: 'call_steered', id },
    returns(id, 'Not run: the user says now: not yet', true),
  ],
  'bash cut': bash(
    'cat big',
    `${numbers(20)}\n... [truncated at 51200 bytes]`,
    '[exit 0] (full output: /tmp/zot-bash-1234567890.log)  Took 12.3s',
  ),
  'bash killed': bash('sleep 100', '', '[exit -1]  Took 3.0s', true),
  'bash timed out': done(
    'bash',
    { command: 'sleep 100', timeout: 5 },
    bashText('sleep 100', '', '[exit -1]  Took 5.0s'),
    true,
  ),
  'bash aborted': [
    ...runs('bash', { command: 'sleep 20' }),
    aborting,
    returns(id, bashText('sleep 20', 'go', '[exit -1]  Took 3.1s'), true),
  ],
  'bash not run': [step(1), calls(id, 'bash', { command: 'npm run deploy' }), stops('length'), ended],
  'bash long command': bash(long, 'a.ts'),
  'bash two lines': bash('cd src\nls', 'a.ts'),
  'bash many lines': bash(heredoc, '/tmp'),
  'bash invalid arguments': [
    ...draft('bash', '{"command":"echo hel'),
    answered(call(id, 'bash', null)),
    stops('tool_use'),
    returns(id, 'invalid args: unexpected end of JSON input', true),
  ],
  'bash hidden marks': bash('cat a \u202E# txt.a', '\u001b[31mred\u001b[0m \u001b]52;c;eA==\u0007 x\u200By'),
  'read ok': done('read', { path }, numbers(120)),
  'read range': done('read', { path, offset: 41, limit: 40 }, numbers(12)),
  'read cut': done('read', { path }, `${numbers(300)}\n... [truncated at 2000 lines]\n`),
  'read image': [
    ...runs('read', { path: 'shot.png' }),
    { type: 'tool_finished', id, failed: false, content: [{ type: 'image', mimeType: 'image/png', bytes: 34_211 }] },
  ],
  'read failed': done('read', { path: 'gone.ts' }, 'stat /home/dev/project/gone.ts: no such file or directory', true),
  'write composing': draft('write', JSON.stringify({ path, content: source.repeat(9) }).slice(0, -20)),
  'write waiting': [step(1), calls(id, 'write', { path, content: source })],
  'write ok': done('write', { path, content: source }, source),
  'edit composing': draft('edit', JSON.stringify({ path, edits }).slice(0, -10)),
  'edit waiting': [step(1), calls(id, 'edit', { path, edits })],
  'edit located': [
    ...runs('edit', { path, edits }),
    { type: 'edit_located', id, lines: [9, 98] },
    returns(id, twoHunks),
  ],
  'edit not located': done('edit', { path, edits }, twoHunks),
  'edit failed': done('edit', { path, edits }, `edit 1: oldText not found in ${path}`, true),
  'edit of CRLF': done(
    'edit',
    { path: 'a.txt', edits: [] },
    '-one\r\n-two\r\n-three\r\n-four\r\n-five\r\n-six\r\n+one\n+TWO\n+three\n+four\n+five\n+six\n \n',
  ),
  'glob ok': done('glob', { pattern: 'src/**/*.ts' }, 'src/a.ts\nsrc/b.ts\nsrc/c.ts\nsrc/d.ts\nsrc/e.ts\n'),
  'glob nothing': done('glob', { pattern: '*.rs', path: 'lib' }, 'No files matched the pattern.'),
  'skill ok': done('skill', { name: 'reviewing' }, '# Skill: reviewing\n\n1. Read the change.\n'),
  'unknown short': done('web_search', { query: 'zot' }, 'one\ntwo\nthree\nfour\nfive'),
  'unknown long': done(
    'web_fetch',
    {
      url: `https://example.com/${'very/'.repeat(12)}long`,
      options: { depth: 2, tags: ['a', 'b'], headers: [{ name: 'x', value: 'y\nz' }] },
    },
    'fetched',
  ),
  'unknown failed': done('nope', {}, 'unknown tool "nope"', true),
  'codemode composing': draft('codemode', JSON.stringify({ code: source.repeat(3) }).slice(0, -20)),
  'nested running': [
    ...runs('codemode', { code: 'const a = await tools.glob()\nreturn a' }),
    calls('a/1', 'glob', { pattern: 'src/**' }),
    returns('a/1', 'x\ny'),
    calls('a/2', 'bash', { command: 'wc -l a' }),
    calls('a/3', 'codemode', { code: 'again()' }),
    calls('a/3/1', 'read', { path: 'b.ts' }),
    prints('a/2', 'counting\n'),
    returns('a/3/1', 'stat b.ts: no such file', true),
  ],
  'nested ok': [
    ...runs('codemode', { code: 'return 1' }),
    calls('a/1', 'bash', { command: 'first' }),
    calls('a/2', 'bash', { command: 'second' }),
    returns('a/2', bashText('second', 'x')),
    returns('a/1', bashText('first', 'bad\nworse', '[exit 2]  Took 1.0s'), true),
    returns(id, '1'),
  ],
  // Calls of other agents, which tell what they change.
  'told edit waiting': [step(1), calls(id, 'Edit', { file_path: path }), tells({ title: 'Edit it', diff: [oneDiff] })],
  'told edit ok': [...runs('edit', {}), tells({ title: 'Editing files', diff: [oneDiff] }), returns(id, 'Done')],
  'told edit with places ok': [
    ...runs('Edit', {}),
    tells({ diff: [oneDiff], locations: [{ path, line: 12 }] }),
    returns(id, 'Done'),
  ],
  'told new file ok': [
    ...runs('Write', { file_path: 'new.ts' }),
    tells({ diff: [{ path: 'new.ts', before: null, after: source }] }),
    returns(id, 'Done'),
  ],
  'told edit of two files ok': [
    ...runs('edit', {}),
    tells({ diff: [oneDiff, { path: 'b.txt', before: 'one\ntwo\n', after: 'one\n' }] }),
    returns(id, 'Done'),
  ],
  'told edit failed': [...runs('edit', {}), tells({ diff: [oneDiff] }), returns(id, 'The file has changed', true)],
  'bash held to reading': [...runs('bash', { command: 'ls' }), held('reading'), returns(id, bashText('ls', 'a.ts'))],
  'bash in the sandbox': [
    ...runs('bash', { command: 'npm test' }),
    held('sandbox'),
    returns(id, bashText('npm test', 'ok', '[exit 0]  Took 4.2s')),
  ],
  'bash let out of the sandbox': [
    ...runs('bash', { command: 'docker compose up' }),
    held('sandbox'),
    held('outside'),
    returns(id, bashText('docker compose up', 'no such service', '[exit 1]  Took 4.2s'), true),
  ],
  'places only': [...runs('think', {}), tells({ locations: [{ path: 'src/a.ts', line: 3 }, { path: 'b.ts' }] })],
}

export function toolOf(events: readonly Told[]): { tool: ToolCall; nested: ToolCall[]; turn: Turn } {
  const turn = turnOf(...events)
  const index = [...turn.parts].findIndex(part => part.kind === 'tool')
  const tool = turn.parts.get(index)
  if (tool?.kind !== 'tool') throw new Error('there is no tool')
  return { tool, nested: nestedCalls(turn, index), turn }
}

export type Drawn = { width: number; detail?: Detail; maxBody?: number; theme?: typeof plainTheme }

/** The panel of these events. The clock stands at 20 s. */
export function drawnLines(
  events: readonly Told[],
  { width, detail = 'short', maxBody, theme = plainTheme }: Drawn,
): Styled[] {
  const { tool, nested } = toolOf(events)
  const rows = maxBody ?? (tool.endedAt === null ? 8 : 40)
  return renderTool(tool, nested, { theme, width, now: 20_000, maxBody: rows, detail })
}

/** The same as a terminal gets it. */
export const drawn = (events: readonly Told[], how: Drawn): string[] => paintedLines(drawnLines(events, how))
