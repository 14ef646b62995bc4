/** Questions for tests. */
import * as fc from 'fast-check'
import type { EventOf } from '../../../src/agent/event.ts'
import { createEditor } from '../../../src/composer/editor.ts'
import type { CallContent, QuestionAnswer, QuestionView } from '../../../src/state/question.ts'
import { anyText } from '../../conversation/arbitrary-events.ts'

type Request = EventOf<'permission_requested'>

export function callContent(request: Partial<Request> = {}, more: Partial<CallContent> = {}): CallContent {
  return {
    kind: 'call',
    request: {
      type: 'permission_requested',
      at: 0,
      id: 'q1',
      callId: 'call_1',
      tool: 'bash',
      kind: 'command',
      arguments: { command: 'npm test' },
      command: 'npm test',
      folder: '/home/you/project',
      because: 'it writes out.txt',
      ...request,
    },
    changed: null,
    dangers: [],
    starts: null,
    paths: [],
    folder: null,
    others: [],
    at: 1,
    ...more,
  }
}

const answer = (label: string, move: QuestionAnswer['move'], short: string): QuestionAnswer => ({
  label,
  detail: '',
  move,
  short,
})

export function question(changes: Partial<QuestionView> = {}): QuestionView {
  return {
    id: 'q1',
    title: 'Run this command?',
    content: callContent(),
    answers: [
      answer('Yes', 'yes', 'yes'),
      { ...answer('Yes, for this session', 'again', 'session'), detail: 'exactly this command' },
      answer('No', 'no', 'no'),
      { ...answer('Yes, for more or for longer', 'more', 'more'), detail: 'lists what, and for how long' },
      answer('No, and say what to do', 'instead', 'say'),
      { ...answer('Edit the command first', 'edit_command', 'edit'), isMinor: true },
      { ...answer('No, and stop the turn', 'leave', 'stop'), isMinor: true },
    ],
    selected: 0,
    scroll: 0,
    isArmed: true,
    typed: null,
    ...changes,
  }
}

const anyContent = fc.oneof(
  fc
    .record({
      command: fc.oneof(anyText, fc.constant('x\n'.repeat(80))),
      dangers: fc.array(anyText, { maxLength: 4 }),
      others: fc.array(anyText, { maxLength: 3 }),
      folder: fc.option(anyText),
    })
    .map(({ command, ...more }) => callContent({ command }, more)),
  anyText.map(diff =>
    callContent({ kind: 'edit', tool: 'edit', diff: `--- a\n+++ b\n@@ -1 +1 @@\n${diff}` }, { paths: [diff] }),
  ),
  fc.record({ kind: fc.constant('plan' as const), text: fc.option(anyText) }),
  fc.record({ kind: fc.constant('mode' as const), folder: anyText, call: anyText, isMore: fc.boolean() }),
)

export const anyQuestion: fc.Arbitrary<QuestionView> = fc
  .record({
    content: anyContent,
    selected: fc.nat(6),
    scroll: fc.nat(100),
    isArmed: fc.boolean(),
    title: anyText,
    typed: fc.option(anyText.map(text => ({ label: text, editor: createEditor(text) }))),
  })
  .map(changes => question(changes))
