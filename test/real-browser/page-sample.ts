/** A conversation and questions as the server renders them, for tests and pictures of the page. */
import { questionHtml } from '../../src/export/question.ts'
import type { PageConversation } from '../../src/serve/page-lines.ts'
import { Rendering } from '../../src/serve/rendering/rendering.ts'
import {
  accepted,
  answered,
  answering,
  call,
  fold,
  prompt,
  returns,
  says,
  stops,
  timed,
  type Told,
} from '../conversation/events.ts'

export function pageRow(row: Partial<PageConversation> = {}): PageConversation {
  return {
    id: 'c1',
    kind: 'ui',
    session: 's1',
    folder: '~/src/zot',
    branch: 'main',
    agent: 'zot',
    model: 'sonnet',
    title: 'Fix the width of tables',
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

const START = Date.UTC(2026, 10, 27, 14, 2)

const width = `export function width(text: string): number {
  // Each grapheme takes one or two columns.
  let columns = 0
  for (const { segment } of segmenter.segment(text)) columns += isWide(segment) ? 2 : 1
  return columns
}`

const found = `The **variation selector** \`U+FE0F\` is counted as a column of its own, because the text is split before it is measured:

1. \`split\` cuts at each code point,
2. \`isWide\` sees the selector alone,
3. and the sum is one too large.

| text | before | after |
| --- | ---: | ---: |
| \`ä\` | 2 | 1 |
| \`❤\uFE0E\` | 2 | 1 |
`

const diff = ` export function width(text: string): number {
-  return [...text].reduce((sum, each) => sum + columnsOf(each), 0)
+  return Array.from(segmenter.segment(text), ({ segment }) => columnsOf(segment)).reduce((a, b) => a + b, 0)
 }`

/** A turn that still runs. */
export const sampleEvents: readonly Told[] = [
  prompt('The column after an accented letter in a table is one too far to the right. Find out why, and mend it.'),
  accepted,
  answering,
  says('I look at how the width of a cell is measured.'),
  answered(call('t1', 'read', { path: 'src/text/width.ts' })),
  stops('tool_use'),
  returns('t1', width),
  answering,
  answered(call('t2', 'bash', { command: 'npm test -- width' })),
  stops('tool_use'),
  returns('t2', 'FAIL test/text/width.test.ts\n  × an accent takes no column\n    expected 2 to be 1\n', true),
  answering,
  says(found),
  answered(call('t3', 'edit', { path: 'src/text/width.ts', edits: [] })),
  stops('tool_use'),
  returns('t3', diff),
  answering,
  says('Now I run the tests again, and then all others that measure text.'),
]

/** The blocks of a conversation, as the server makes them. */
export function blocksAfter(...events: readonly Told[]): string[] {
  const rendering = new Rendering('UTC')
  rendering.advance(fold(timed(events, START)))
  return Array.from({ length: rendering.total }, (_, at) => rendering.at(at)?.drawn().html ?? '')
}

export const sampleBlocks = blocksAfter(...sampleEvents)

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
