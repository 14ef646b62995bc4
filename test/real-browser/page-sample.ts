/** A conversation and questions as the server renders them, for tests and pictures of the page. */
import { questionHtml } from '../../src/export/question.ts'
import { codeBlock, diffBlock } from '../../src/export/html-code.ts'
import { richText } from '../../src/export/html-text.ts'
import { markup, type Markup } from '../../src/export/markup.ts'
import type { PageConversation } from '../../src/serve/page-lines.ts'

export function pageRow(row: Partial<PageConversation> = {}): PageConversation {
  return {
    id: 'c1',
    kind: 'ui',
    session: 's1',
    folder: '~/src/zot',
    branch: 'main',
    agent: 'zot',
    model: 'sonnet',
    title: 'Fix the width of emoji in tables',
    state: 'working',
    since: Date.now() - 65_000,
    lastLine: 'The segmenter counts the variation selector as a column.',
    costUsd: 0.42,
    mode: 'ask',
    takes: ['steer', 'set_model'],
    takesAnswers: true,
    isThere: true,
    questions: 0,
    ...row,
  }
}

const minute = 60_000

/** Conversations in each state. */
export const sampleRows = (now: number): PageConversation[] => [
  pageRow({ since: now - minute, state: 'asks', questions: 1 }),
  pageRow({
    id: 'c2',
    session: 's2',
    title: 'Port the importer to streams',
    folder: '~/src/importer',
    branch: 'streams',
    agent: 'claude',
    model: 'opus',
    since: now - 12 * minute,
    lastLine: 'Running the tests of the reader',
    costUsd: 3.1,
  }),
  pageRow({
    id: 'c3',
    session: 's3',
    kind: 'background',
    title: 'Update the changelog',
    state: 'done',
    agent: 'codex',
    model: 'gpt-5',
    since: now - 64 * minute,
    lastLine: 'Done: three lines were added.',
    costUsd: 0.08,
  }),
  pageRow({
    id: 'c4',
    session: 's4',
    title: 'Why does the build fail on the old Node?',
    state: 'failed',
    since: now - 300 * minute,
    lastLine: 'The provider answered 529 four times.',
  }),
  pageRow({
    id: 'c5',
    session: null,
    title: '',
    state: 'idle',
    since: null,
    lastLine: '',
    costUsd: null,
    branch: null,
    folder: '~/notes',
  }),
]

function call(name: string, subject: string, facts: string, inside: Markup, look = ''): Markup {
  return markup`<details class="${look}"><summary><b>${name}</b><span class="about">${subject}</span><span class="end">${facts}</span></summary><div class="inside">${inside}</div></details>`
}

/** What was said and done, a block each. */
export const sampleBlocks: readonly string[] = [
  markup`<section class="you"><h2>You <time>2026-11-27 14:02</time></h2>
<div class="said">The column after 👩‍👩‍👧 in a table is one too far to the right. Find out why, and mend it.</div></section>`,
  richText('I look at how the width of a cell is measured.'),
  call(
    'read',
    'src/text/width.ts',
    '48 lines',
    codeBlock({
      text: 'export function width(text: string): number {\n  // Each grapheme takes one or two columns.\n  let columns = 0\n  for (const { segment } of segmenter.segment(text)) columns += isWide(segment) ? 2 : 1\n  return columns\n}',
      language: 'ts',
    }),
  ),
  call(
    'bash',
    'npm test -- width',
    'exit 1, 3.1s',
    codeBlock({
      text: 'FAIL test/text/width.test.ts\n  × a family is two columns wide\n    expected 3 to be 2',
      language: '',
    }),
    'failed',
  ),
  richText(
    'The **variation selector** `U+FE0F` is counted as a column of its own, because the segments are split before they are measured:\n\n1. `split` cuts at each code point,\n2. `isWide` sees the selector alone,\n3. and the sum is one too large.\n\n| text | before | after |\n| --- | ---: | ---: |\n| `👩‍👩‍👧` | 3 | 2 |\n| `❤️` | 2 | 2 |\n',
  ),
  markup`<details open><summary><b>edit</b><span class="about">src/text/width.ts</span><span class="end">+1 −1</span></summary><div class="inside">${diffBlock(
    [
      { sign: ' ', text: 'export function width(text: string): number {' },
      { sign: '-', text: '  return [...text].reduce((sum, each) => sum + columnsOf(each), 0)' },
      {
        sign: '+',
        text: '  return Array.from(segmenter.segment(text), ({ segment }) => columnsOf(segment)).reduce((a, b) => a + b, 0)',
      },
      { sign: ' ', text: '}' },
    ],
  )}</div></details>`,
  richText('Now I run the tests again, and then all others that measure text.'),
].map(each => (typeof each === 'string' ? each : each.source))

/** A command that waits. */
export function commandQuestion(command: string, dangers: readonly string[] = []): string {
  return questionHtml({
    kind: 'call',
    facts: {
      request: {
        type: 'permission_requested',
        at: 0,
        id: 'p1',
        callId: 't1',
        tool: 'bash',
        kind: 'command',
        arguments: { command },
        folder: '/home/ada/src/zot',
        command,
        because: 'no rule allows it',
      },
      changed: null,
      dangers,
      starts: null,
      paths: [],
      folder: null,
    },
    folder: '~/src/zot',
    asker: null,
    answers: { allow: null, refuse: null },
  })
}

export const shortCommand = commandQuestion('npm test -- --run test/text && git push origin HEAD:main', [
  'It pushes to a remote repository',
])

/** More than any screen shows. */
export const longCommand = commandQuestion(
  Array.from({ length: 120 }, (_, at) => `echo "step ${at + 1} of the migration" >> migration.log`).join('\n'),
)
