/** A conversation with something of everything that can be exported. */
import type { ChatState } from '../../src/conversation/state.ts'
import { transcriptOf } from '../../src/export/transcript.ts'
import type { Transcript } from '../../src/export/schema.ts'
import {
  accepted,
  aborting,
  answered,
  answering,
  call,
  calls,
  costs,
  ended,
  fails,
  fold,
  returns,
  says,
  started,
  step,
  stops,
  timed,
  type Told,
} from '../conversation/events.ts'

const START = Date.UTC(2026, 10, 22, 14, 2)

/** An answer that is nothing but a call. */
const callsFor = (id: string, name: string, args: unknown): Told[] => [
  answered(call(id, name, args)),
  stops('tool_use'),
]

const prose = `### Why

It counts **UTF-16 units**, see [the segmenter](https://example.com/segmenter?a=1&b=2).

1. \`length\` is wrong
   - for *emoji*
2. and for flags

- [x] read
- [ ] fixed

| unit | of 👍🏽 |
| --- | ---: |
| bytes | 8 |

\`\`\`ts
const n = "a".length // wrong
\`\`\`

> Quoted
> twice`

const events: readonly Told[] = [
  started,
  { type: 'prompt_sent', text: 'Fix the failing test\nin `parser.ts`', images: [], before: ['$ npm test\n1 failed'] },
  accepted,
  step(1),
  answering,
  says('This was taken back.'),
  answering,
  says(prose),
  answered(
    { type: 'text', text: prose },
    call('c1', 'read', { path: 'src/parser.ts' }),
    call('c2', 'bash', { command: 'npm test -- parser' }),
  ),
  costs({ input: 1200, output: 300, cacheRead: 9000, costUsd: 0.021 }),
  stops('tool_use'),
  returns('c1', 'export const length = (s: string) => s.length\n'),
  returns('c2', '$ npm test -- parser\n\n\u001b[31mFAIL\u001b[0m expected 3\n```\n\n[exit 1]  Took 4.2s', true),
  step(2),
  answering,
  ...callsFor('c1', 'edit', { path: 'src/parser.ts', edits: [{ oldText: 'a', newText: 'b' }] }),
  returns('c1', '-export const length = (s: string) => s.length\n+export const length = count\n \n'),
  step(3),
  answering,
  ...callsFor('c3', 'codemode', { code: 'await read("a")\nawait read("b")' }),
  calls('c3/1', 'read', { path: 'a' }),
  returns('c3/1', 'A'),
  returns('c3', 'done'),
  { type: 'extension_noted', extension: 'guard', level: 'warn', message: 'Careful.' },
  step(4),
  answering,
  ...callsFor('c4', 'bash', { command: 'git commit -am fixed' }),
  { type: 'call_steered', id: 'c4' },
  returns('c4', 'Not run: the user says now: do not commit', true),
  { type: 'steer_delivered', id: 's1', text: 'do not **commit**\nyet', images: [] },
  step(5),
  answering,
  answered({ type: 'text', text: 'Fixed.' }),
  costs({ input: 100, output: 40, cacheRead: 10_500, costUsd: 0.004 }),
  stops('end'),
  ended,
  { type: 'model_changed', provider: 'anthropic', model: 'claude-large', contextWindow: 200_000, reasoningLevels: [] },
  { type: 'shell_started', command: 'git status', shared: false },
  { type: 'shell_ended', exitCode: 0, stopped: false, durationMs: 40, output: 'clean', problem: null },
  { type: 'compaction_started' },
  { type: 'compaction_finished', summary: 'The test was **fixed**.' },
  { type: 'prompt_sent', text: '> now the lexer', images: [{ mimeType: 'image/png', bytes: 1234 }] },
  accepted,
  step(1),
  answering,
  ...callsFor('c1', 'write', { path: 'src/lexer.ts', content: 'export const lexer = 1\n' }),
  aborting,
  ended,
  { type: 'prompt_sent', text: 'again', images: [] },
  accepted,
  fails('anthropic: http 529: {"type":"overloaded_error"}'),
  ended,
]

export const sampleChat: ChatState = fold(timed(events, START))

export const sample: Transcript = transcriptOf(sampleChat, { id: '20261122-1', title: '', folder: '/home/me/app/' })
