/** The guided tour: every kind of thing that an agent can put on the screen, in a minute. */
import type { Script } from '../script/script.ts'
import { bash, edit, glob, read, skill, write } from '../script/tools.ts'
import { parser, parserEdits } from './files.ts'
import { markdownSample } from './markdown.ts'

const opening = `Welcome. I am **{model}**, a scripted demo: nothing here is read, run or changed for real. You will see what a \
working agent looks like. \`Esc\` stops me at any moment.

First, text. It arrives piece by piece and is set as markdown:

${markdownSample}

Next, I look around. Two tools, one after the other:`

const afterLook = `Those were \`glob\` and \`read\`. A command takes longer, and shows its last lines while it runs. Before that you are \
asked; on this tour I answer myself after a moment:`

const afterBuild = `Now a file that I write, composed before your eyes, and a change to another, shown as its difference:`

const afterEdit = `Things fail, too. Here is a \`skill\`, a set of instructions that an agent loads when it needs them, and then a test run \
that ends with exit code 1:`

const closing = `A failed tool is marked and the work continues: an agent reads the output and tries again.

That was the tour. What to try next:

- \`slow\`, then **Esc** to stop me halfway
- \`long\`, and scroll while it runs
- **Alt+P** switches the model, **Alt+K** compacts the conversation
- **Shift+Tab** switches what I ask before I do it; \`permissions\` and \`plan\` show that
- \`tour running\` has subagents work beside me; **Alt+X** lists them
- \`tour find\` has a few earlier sessions to search
- \`tour fleet\` shows all machines on one list, a race of several agents, and a move
- \`tour phone\` waits for a yes from your phone
- \`help\` lists everything that I have a script for

To talk to a real model, install zot and start zotui again.`

const changelog = `# Changelog

## 0.2.0

- Lengths are counted in graphemes: an emoji of four people is one.
- \`lexer\` no longer trips over a file without a last newline.
- The parser says in which line it gave up.

## 0.1.0

- First version.
`

const reviewing = `1. Read the change before the description of it.
2. Run the tests.
3. Say what is wrong, then what would be better, then why.
`

const build: readonly (readonly [number, string])[] = [
  [250, '> demo-project@0.2.0 build\n> bundle src/main.ts\n\n'],
  [400, 'transforming (38) ...\n'],
  [500, 'transforming (211) ...\n'],
  [500, 'transforming (412) ...\n'],
  [600, 'rendering chunks (6)\n'],
  [500, 'rendering chunks (18)\n'],
  [350, 'dist/main.js      48.2 kB\ndist/vendor.js   131.7 kB\n'],
  [150, 'built in 3.1s\n'],
]

const failingTests: readonly (readonly [number, string])[] = [
  [400, 'FAIL test/parser.test.ts\n'],
  [200, '  length > counts what a person sees\n'],
  [100, '    expected 3, got 2\n      at test/parser.test.ts:41:20\n'],
  [200, '\n1 failed, 27 passed\n'],
]

export const tour: Script = {
  name: 'tour',
  words: ['demo', 'show'],
  about: 'text, every kind of tool, and a failure, in a minute',
  answersItself: true,
  calls: [
    [
      { text: opening, pace: 24 },
      { tool: glob('src/**/*.ts', ['src/lexer.ts', 'src/main.ts', 'src/parser.ts']) },
      { tool: read('src/parser.ts', parser) },
    ],
    [afterLook, { tool: bash('npm run build', build) }],
    [
      afterBuild,
      { tool: { ...write('CHANGELOG.md', changelog), pace: 45 } },
      { tool: edit('src/parser.ts', parser, parserEdits) },
    ],
    [afterEdit, { tool: skill('reviewing', reviewing) }, { tool: bash('npm test -- parser', failingTests, 1) }],
    [closing],
  ],
}
