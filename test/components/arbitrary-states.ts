import * as fc from 'fast-check'
import { statusFacts } from '../../src/config/status-facts.ts'
import { createEditor } from '../../src/composer/editor.ts'
import type { AppState } from '../../src/state/state.ts'
import { anyEvents, anyText, conversation } from '../conversation/arbitrary-events.ts'
import { fold, timed } from '../conversation/events.ts'
import { promptEntry } from '../../src/state/composer/queue-entry.ts'
import type { News } from '../../src/state/conversations/conversations.ts'
import { anyQuestion } from './question/sample.ts'
import { startup, stateWith } from './stage.ts'

/** The sizes of a terminal, the smallest ones included. */
export const anySize = fc.oneof(
  fc.record({ columns: fc.integer({ min: 1, max: 120 }), rows: fc.integer({ min: 1, max: 50 }) }),
  fc.record({ columns: fc.integer({ min: 1, max: 12 }), rows: fc.integer({ min: 1, max: 12 }) }),
)

const model = fc.record({
  id: fc.oneof(anyText, fc.constantFrom('claude', 'gpt-5')),
  provider: fc.constantFrom('anthropic', 'a-provider-with-a-long-name'),
  contextWindow: fc.option(fc.nat(2_000_000)),
  maxOutput: fc.constant(null),
  reasoning: fc.boolean(),
})

/** Any state of the program. */
const anyNews: fc.Arbitrary<News> = fc
  .record({
    number: fc.nat(12),
    title: anyText,
    state: fc.constantFrom('asks' as const, 'done' as const, 'failed' as const),
    call: fc.option(fc.record({ id: fc.constant('q'), subject: anyText, isWhole: fc.boolean() })),
  })
  .map(facts => ({
    row: { ...facts, isShown: false, since: 0, lastLine: '', costUsd: null, folder: '~', branch: null },
    at: 1,
  }))

export const anyState: fc.Arbitrary<AppState> = fc
  .record({
    events: fc.oneof(anyEvents, conversation),
    files: fc.option(
      fc.record({
        query: fc.constant('s'),
        found: fc.array(fc.record({ path: anyText, positions: fc.uniqueArray(fc.nat(9)) }), { maxLength: 60 }),
      }),
    ),
    draft: fc.oneof(
      fc.constantFrom(
        '',
        '/',
        '/re',
        '/reasoning ',
        '/model x',
        'a @s',
        'x'.repeat(500),
        'a\n'.repeat(80),
        '你好'.repeat(40),
      ),
      anyText,
    ),
    queue: fc.record({ entries: fc.array(anyText.map(promptEntry), { maxLength: 4 }), paused: fc.boolean() }),
    steers: fc.array(
      fc.record({ id: fc.nat(9), entry: anyText.map(promptEntry), isSent: fc.boolean(), isTakenBack: fc.boolean() }),
      { maxLength: 3 },
    ),
    steering: fc.constantFrom('key' as const, 'enter' as const, 'nothing' as const),
    picker: fc.option(
      fc.oneof(
        fc.record({
          kind: fc.constant('models' as const),
          ofOtherProvider: fc.boolean(),
          filter: fc.oneof(fc.constant(''), anyText),
          selected: fc.nat(3),
          models: fc.option(fc.array(model, { maxLength: 30 })),
        }),
        fc.record({
          kind: fc.constant('history' as const),
          scope: fc.constantFrom('folder' as const, 'all' as const),
          filter: fc.oneof(fc.constant(''), anyText),
          selected: fc.nat(3),
          prompts: fc.constant([]),
          found: fc.array(fc.record({ text: anyText, place: anyText }), { maxLength: 30 }),
        }),
      ),
      { freq: 4 },
    ),
    question: fc.option(anyQuestion, { freq: 2 }),
    news: fc.array(anyNews, { maxLength: 3 }),
    popup: fc.record({ selected: fc.nat(9), closedFor: fc.constantFrom(null, '/') }),
    hint: fc.option(anyText, { freq: 4 }),
    statusFacts: fc.subarray([...statusFacts]),
    customStatus: fc.option(fc.record({ text: anyText, problem: fc.option(anyText) })),
    leaving: fc.option(fc.constantFrom('ending' as const, 'gone' as const), { freq: 8 }),
    startup: fc.constantFrom(startup, { ...startup, demo: true, folder: `~/${'deep/'.repeat(30)}`, branch: null }),
  })
  .map(({ events, draft, ...rest }) =>
    stateWith({ chat: fold(timed(events)), editor: createEditor(draft), now: 100_000, ...rest }),
  )
