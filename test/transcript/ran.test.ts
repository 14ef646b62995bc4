/** Every call that ran is shown, in whatever order the agent tells of it: none can hide a command by telling of it oddly. */
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { AgentEvent } from '../../src/agent/event.ts'
import {
  zotReducer,
  accepted,
  answered,
  answering,
  call,
  calls,
  drafted,
  drafts,
  ended,
  prints,
  prompt,
  says,
  step,
  text,
  timed,
  writes,
  type Told,
} from '../conversation/events.ts'
import { initialChat, type ChatState } from '../../src/conversation/state.ts'
import type { ToolCall } from '../../src/conversation/part.ts'
import { exported } from '../../src/export/formats.ts'
import { transcriptOf } from '../../src/export/transcript.ts'
import { createTextWriter } from '../../src/print/text-writer.ts'
import { createTimeline, type TimelineItem } from '../../src/transcript/timeline.ts'
import { runs } from '../helpers/length.ts'

const returns = (id: string, words: string): Told => ({
  type: 'tool_finished',
  id,
  failed: false,
  content: [text(words)],
})
const stop = (why: string, error?: string): Told => ({ type: 'step_ended', stop: why, ...(error && { error }) })

const callText = ({ name, arguments: given, result }: ToolCall): string => JSON.stringify({ name, given, result })

function itemText(item: Pick<TimelineItem, 'kind'> & Partial<TimelineItem>): string {
  if (item.kind === 'tool' && 'nested' in item && item.tool && item.nested)
    return [item.tool, ...item.nested].map(callText).join('\n')
  return item.kind === 'notice' && 'notice' in item && item.notice ? item.notice.text : ''
}

/** The calls as the scrollback shows them, as -p does, and as a session that is read again does. */
function shownOf(events: readonly AgentEvent[]): { scrollback: string; printed: string; chat: ChatState } {
  const timeline = createTimeline()
  const scrollback: string[] = []
  const printed: string[] = []
  const writer = createTextWriter({
    write: () => {},
    isTerminal: false,
    printNote: aside => printed.push(itemText(aside)),
  })
  const reduce = zotReducer()
  const chat = events.reduce((before, event) => {
    const next = reduce(before, event)
    do scrollback.push(...timeline.advance(next).map(itemText))
    while (timeline.isBehind())
    writer.onEvent(next, event)
    return next
  }, initialChat)
  return { scrollback: scrollback.join('\n'), printed: printed.join('\n'), chat }
}

/** The marks of what was called and what had a result. */
const marksOf = (events: readonly AgentEvent[]): string[] =>
  events.flatMap(event => {
    if (event.type === 'tool_called') return [(event.arguments as { command: string }).command]
    return event.type === 'tool_finished'
      ? event.content.flatMap(each => (each.type === 'text' ? [each.text] : []))
      : []
  })

const marked = (told: readonly Told[]): Told[] =>
  told.map((event, index) => {
    if (event.type === 'tool_called') return { ...event, arguments: { command: `<command ${index}>` } }
    return event.type === 'tool_finished' ? { ...event, content: [text(`<result ${index}>`)] } : event
  })

function expectAllShown(told: readonly Told[]): void {
  const events = timed(marked(told))
  const { scrollback, printed, chat } = shownOf(events)
  const parts = chat.entries.flatMap(entry => (entry.kind === 'turn' ? [...entry.parts] : []))
  const kept = [
    ...parts.flatMap(part => (part.kind === 'tool' && !part.withdrawn ? [callText(part)] : [])),
    ...chat.entries.map(entry => (entry.kind === 'notice' ? entry.text : '')),
  ].join('\n')
  for (const [where, words] of Object.entries({ scrollback, printed, kept })) {
    const missing = marksOf(events).filter(mark => !words.includes(mark))
    expect({ where, missing }).toEqual({ where, missing: [] })
  }
}

describe('a call that ran is shown', () => {
  test.each<[string, Told[]]>([
    ['before the answer begins', [step(1), calls('a', 'bash'), returns('a', ''), answering, says('hi'), ended]],
    ['called before the answer begins', [step(1), calls('a', 'bash'), answering, returns('a', ''), ended]],
    ['in an answer that is begun anew', [step(1), answering, calls('a', 'bash'), answering, returns('a', ''), ended]],
    ['after its result', [step(1), answering, returns('a', ''), calls('a', 'bash'), ended]],
    ['after its output', [step(1), answering, prints('a', 'x'), calls('a', 'bash'), answering, ended]],
    ['after a draft that was taken back', [step(1), drafts('a', 'bash'), answering, returns('a', ''), ended]],
    ['without a result', [step(1), answering, calls('a', 'bash'), answering, step(2), ended]],
    ['without a call', [step(1), answering, returns('a', ''), answering, ended]],
    ['with the id of another', [step(1), answering, calls('a', 'bash'), calls('a', 'read'), returns('a', ''), ended]],
    ['with two results', [step(1), answering, calls('a', 'bash'), returns('a', ''), returns('a', ''), ended]],
    ['in the next step', [step(1), answering, calls('a', 'bash'), step(2), answering, returns('a', ''), ended]],
    ['by a tool that has ended', [answering, calls('a', 'bash'), returns('a', ''), calls('a/1', 'bash'), ended]],
    ['by a tool that nobody called', [answering, calls('a/1', 'bash'), returns('a/1', ''), ended]],
    [
      'and is then said to be another',
      [answering, calls('a', 'bash'), answered(call('a', 'read', { path: 'x' })), returns('a', ''), ended],
    ],
    [
      'and ended before the answer did',
      [answering, calls('a', 'bash'), returns('a', ''), answered(call('a', 'read', { path: 'x' })), ended],
    ],
    ['after the end', [ended, calls('a', 'bash'), returns('a', '')]],
    ['while the conversation is compacted', [ended, { type: 'compaction_started' }, calls('a', 'bash')]],
  ])('%s', (_, told) => expectAllShown([prompt('go'), accepted, ...told]))

  test('even before the first prompt', () =>
    expectAllShown([calls('a', 'bash'), returns('a', ''), prompt('go'), ended]))

  test('and not marked as not run if its end was reported first', () => {
    const { chat } = shownOf(timed([prompt('go'), answering, returns('a', 'done'), calls('a', 'bash'), ended]))
    const parts = chat.entries.flatMap(entry => (entry.kind === 'turn' ? entry.parts.slice() : []))
    expect(parts).toMatchObject([
      { name: 'unknown', state: 'ok' },
      { name: 'bash', state: 'ok' },
    ])
  })

  test('but a draft that was never called is withdrawn with its answer', () => {
    const { chat } = shownOf(timed([prompt('go'), answering, drafts('a', 'bash'), answering, says('hi'), ended]))
    const [turn] = chat.entries
    expect(turn?.kind === 'turn' && [...turn.parts].map(({ kind, withdrawn }) => `${kind} ${withdrawn}`)).toEqual([
      'tool true',
      'text false',
    ])
  })

  test('in an export, too', async () => {
    const told = [
      prompt('go'),
      calls('a', 'bash'),
      returns('a', ''),
      answering,
      calls('a/1', 'bash'),
      says('hi'),
      ended,
    ]
    const { chat } = shownOf(timed(marked(told)))
    const transcript = transcriptOf(chat, { id: null, title: '', folder: null })
    for (const format of ['md', 'html', 'json'] as const) {
      const words = (await exported(transcript, format)).replaceAll('&lt;', '<').replaceAll('&gt;', '>')
      expect(words).toContain('command 1')
      expect(words).toContain('result 2')
      expect(words).toContain('command 4')
    }
  })

  test('in any order of the events of a turn', () => {
    const id = fc.constantFrom('a', 'b', 'a/1', 'a/1/1', 'a/2', 'b/1', '')
    const name = fc.constantFrom('bash', 'read')
    const event: fc.Arbitrary<Told> = fc.oneof(
      { weight: 3, arbitrary: fc.tuple(id, name).map(([each, tool]) => calls(each, tool)) },
      { weight: 3, arbitrary: id.map(each => returns(each, '')) },
      fc.tuple(id, name).map(([each, tool]) => drafts(each, tool)),
      fc.tuple(id, fc.constantFrom('{"command":"', 'x"}')).map(([each, words]) => writes(each, words)),
      id.map(drafted),
      id.map(each => prints(each, 'output')),
      fc.constantFrom<Told>(answering, says('some words\n\n'), { type: 'abort_requested' }),
      fc.integer({ min: 1, max: 3 }).map(step),
      fc.constantFrom(stop('tool_use'), stop('end'), stop('error', 'http 503'), stop('aborted')),
      fc
        .array(
          fc.oneof(
            fc.tuple(id, name).map(([each, tool]) => call(each, tool, {})),
            fc.constant(text('some words')),
          ),
        )
        .map(content => answered(...content)),
    )
    fc.assert(
      fc.property(fc.array(event, { maxLength: 30, size: 'max' }), fc.nat(40), (events, end) => {
        // A call behind the end of the turn ran, too.
        const told = [...events.slice(0, end), ended, ...events.slice(end)]
        expectAllShown([prompt('go'), accepted, ...told, prompt('and now'), ended])
      }),
      runs(1000),
    )
  })
})
