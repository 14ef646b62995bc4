import type { Script, ToolUse } from '../script/script.ts'
import { bash, edit, glob, read, write } from '../script/tools.ts'
import { parser, parserEdits } from './files.ts'

export const tools: Script = {
  name: 'bash',
  words: ['tool', 'tools', 'run', 'test', 'tests', 'build', 'shell', 'command'],
  about: 'commands: one that works, one with colours and a counter, one that fails',
  calls: [
    [
      'Three commands, pretended. The first prints its lines as they come:',
      {
        tool: bash('npm test', [
          [300, '✓ test/lexer.test.ts (12 tests) 31ms\n'],
          [400, '✓ test/parser.test.ts (28 tests) 118ms\n'],
          [500, '✓ test/printer.test.ts (9 tests) 12ms\n'],
          [200, '\nTests  49 passed\n'],
        ]),
      },
      {
        tool: bash('npm install --no-fund', [
          [300, '\u001b[36m⠋\u001b[0m fetching 1/4\r'],
          [300, '\u001b[36m⠙\u001b[0m fetching 2/4\r'],
          [300, '\u001b[36m⠹\u001b[0m fetching 3/4\r'],
          [300, '\u001b[36m⠸\u001b[0m fetching 4/4\r'],
          [300, '\u001b[32madded 4 packages\u001b[0m in 1s          \n'],
        ]),
      },
      { tool: bash('cat missing.txt', [[80, 'cat: missing.txt: No such file or directory\n']], 1) },
    ],
    ['Two went well, and the last one failed as planned. No command was run: this is the demo.'],
  ],
}

const wrongEdit: ToolUse = {
  name: 'edit',
  args: { path: 'src/parser.ts', edits: [{ oldText: 'const maxDepth = 46', newText: 'const maxDepth = 256' }] },
  result: { text: 'edit 1: oldText not found in src/parser.ts', failed: true },
}

export const edits: Script = {
  name: 'edit',
  words: ['fix', 'change', 'diff', 'refactor', 'bug', 'patch'],
  about: 'reads a file, misses once, and edits it: a difference with two places',
  calls: [
    ['I look at the file first.', { tool: read('src/parser.ts', parser) }],
    ['The length counts UTF-16 units. I will count graphemes instead.', { tool: wrongEdit }],
    ['A slip of mine. Again:', { tool: edit('src/parser.ts', parser, parserEdits) }],
    ['Fixed: `length` now counts graphemes. Or it would be, if `src/parser.ts` existed: this is the demo.'],
  ],
}

const list = (...marks: readonly string[]): string =>
  ['Read the parser', 'Count graphemes in `length`', 'Run the tests', 'Note it in the changelog']
    .map((step, at) => `- [${marks[at] ?? ' '}] ${step}`)
    .join('\n')

export const steps: Script = {
  name: 'steps',
  words: ['todo', 'todos', 'checklist'],
  about: 'a to-do list, which is kept above the prompt',
  calls: [
    [`Four steps:\n\n${list()}\n`, { tool: read('src/parser.ts', parser) }],
    [`${list('x')}\n`, { pause: 1500 }, { tool: read('src/parser.ts', parser) }],
    [`${list('x', 'x')}\n`, { pause: 1500 }, { tool: glob('**/*.test.ts', ['test/parser.test.ts']) }],
    [`Three of them are done, or would be if this were not the demo:\n\n${list('x', 'x', 'x')}\n`],
  ],
}

const page = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <title>Hello</title>
    <style>
      body { font: 1rem/1.5 system-ui; max-width: 40rem; margin: 4rem auto; }
      h1 { letter-spacing: -0.02em; }
    </style>
  </head>
  <body>
    <h1>Hello</h1>
    <p>A page that was never written to any disk & never will be.</p>
    <ul>
      <li>One</li>
      <li>Two</li>
      <li>Three</li>
    </ul>
  </body>
</html>
`

export const writing: Script = {
  name: 'write',
  words: ['create', 'new', 'page', 'html'],
  about: 'a file composed line by line',
  calls: [
    ['A small page, then.', { tool: { ...write('hello.html', page), pace: 25 } }],
    ['Done, in a manner of speaking: the demo wrote it to your screen only.'],
  ],
}

const code = `const paths = tools.glob({ pattern: 'src/**/*.ts' })
const [lexer, parser] = await Promise.all([
  tools.bash({ command: 'wc -l src/lexer.ts' }),
  tools.bash({ command: 'wc -l src/parser.ts' }),
])
return models.classify({ text: lexer + parser, labels: ['small', 'large'] })`

const codemode: ToolUse = {
  name: 'codemode',
  args: { code },
  runs: [
    { after: 200, inner: { call: 1, ...callOf(glob('src/**/*.ts', [])) } },
    { after: 200, inner: { call: 1, text: 'src/lexer.ts\nsrc/main.ts\nsrc/parser.ts' } },
    { after: 100, inner: { call: 2, ...callOf(bash('wc -l src/lexer.ts', [])) } },
    { after: 0, inner: { call: 3, ...callOf(bash('wc -l src/parser.ts', [])) } },
    { after: 500, inner: { call: 3, progress: '29 src/parser.ts\n' } },
    { after: 300, inner: { call: 3, text: '$ wc -l src/parser.ts\n\n29 src/parser.ts\n\n[exit 0]  Took 0.8s' } },
    { after: 400, inner: { call: 2, progress: 'wc: src/lexer.ts: Permission denied\n' } },
    {
      after: 200,
      inner: {
        call: 2,
        text: '$ wc -l src/lexer.ts\n\nwc: src/lexer.ts: Permission denied\n\n[exit 1]  Took 1.4s',
        failed: true,
      },
    },
    { after: 100, inner: { call: 4, name: 'models.classify', args: { labels: ['small', 'large'] } } },
    { after: 600, inner: { call: 4, text: 'small', spends: { input: 180, output: 4 } } },
  ],
  result: { text: 'small', after: 100 },
}

function callOf({ name, args }: ToolUse): Pick<ToolUse, 'name' | 'args'> {
  return { name, args }
}

export const nested: Script = {
  name: 'nested',
  words: ['codemode', 'parallel'],
  about: 'a tool that calls tools, two at a time',
  calls: [
    ['One script, four calls inside it:', { tool: codemode }],
    ['The third call ended before the second, which failed, and the fourth asked a model aside.'],
  ],
}

export const sleeping: Script = {
  name: 'sleep',
  words: ['watch', 'server', 'wait'],
  about: 'a command that runs for a minute, another after it: try Esc',
  calls: [
    [
      'A server that stays up for a minute. Esc stops it, and the command after it is then not run.',
      {
        tool: {
          ...bash('npm run dev', []),
          runs: [
            { after: 300, progress: 'ready on http://localhost:5173\n' },
            { after: 200, progress: 'watching for changes\n' },
            { after: 60_000, hold: true },
            { after: 0, progress: 'nobody came; closing\n' },
          ],
        },
      },
      { tool: bash('echo "after it"', [[20, 'after it\n']]) },
    ],
    ['The minute is over.'],
  ],
}
