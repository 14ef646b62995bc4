/** A review of the changes that the other scripts pretend to make. */
import type { Script } from '../script/script.ts'
import { bash, read } from '../script/tools.ts'
import { parser } from './files.ts'

const findings = {
  findings: [
    {
      level: 'error',
      path: 'src/parser.ts',
      line: 6,
      title: 'A nesting of 256 overflows the stack of small workers',
      text: 'A worker with 512 kB of stack ends at about 180 levels, with `RangeError`.\n\nKeep 64, or walk the tokens with a list instead of calling `tree` again.',
    },
    {
      level: 'warning',
      path: 'src/parser.ts',
      line: 8,
      title: 'The segmenter is made when the module loads',
      text: 'That takes 2 ms in each start, also if nothing is parsed. Make it at the first use.',
    },
    { level: 'note', path: 'test/parser.test.ts', title: 'No test has an emoji that is a sequence of several' },
  ],
}

export const review: Script = {
  name: 'review',
  words: ['review a change', 'reviews', 'findings'],
  about: 'a review with findings, as `/review` asks for it; `edit` makes the change before',
  calls: [
    [
      'I look at what changed.',
      {
        tool: bash('git diff HEAD --stat', [
          [200, ' src/parser.ts | 6 ++++--\n 1 file changed, 4 insertions(+), 2 deletions(-)\n'],
        ]),
      },
      { tool: read('src/parser.ts', parser) },
    ],
    [
      `The length is right now, for all scripts. The new limit is not: it fails where stacks are small. I would not merge it yet. \
(This review is part of the demo: nothing was read.)

\`\`\`findings
${JSON.stringify(findings, null, 2)}
\`\`\`
`,
    ],
  ],
}
