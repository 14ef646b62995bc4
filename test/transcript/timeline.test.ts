import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { AgentEvent } from '../../src/agent/event.ts'
import { zotReducer } from '../conversation/events.ts'
import { initialChat, type ChatState } from '../../src/conversation/state.ts'
import { nestedCalls } from '../../src/conversation/calls/nesting.ts'
import { createTimeline, type TimelineItem, type Timeline } from '../../src/transcript/timeline.ts'
import { anyEvents, conversation, cuts, inPieces } from '../conversation/arbitrary-events.ts'
import {
  aborting,
  accepted,
  answered,
  answering,
  call,
  calls,
  drafts,
  ended,
  fold,
  notes,
  prints,
  prompt,
  returns,
  runsTool,
  says,
  started,
  step,
  stops,
  text,
  timed,
  turnOf,
  writes,
  type Told,
} from '../conversation/events.ts'
import { linesOfItem } from '../components/stage.ts'
import { aPartOf } from '../helpers/length.ts'

/** A piece on one line: what it is and the beginning of what it says. */
function describeItem(item: TimelineItem): string {
  switch (item.kind) {
    case 'prompt':
      return `prompt ${item.turn.prompt}`
    case 'block':
      return `${item.first ? 'text' : 'more'} ${linesOfItem(item)
        .map(line => line.trim())
        .join('|')}`
    case 'markup':
      return `markup ${item.text}`
    case 'tool':
      return [`tool ${item.tool.id} ${item.tool.state}`, ...item.nested.map(each => each.id)].join(' + ')
    case 'thought':
      return `thought ${item.thought.text}`
    case 'steer':
      return `steer ${item.steer.text}`
    case 'plan':
      return `plan ${item.turn.plan.length}`
    case 'withdrawn':
      return `withdrawn ${item.retry ?? ''}`.trim()
    case 'notice':
      return `notice ${item.notice.text}`
    case 'shell':
      return `command ${item.shell.tool.state}`
    case 'turn_end':
      return `end ${item.turn.outcome}`
    case 'compaction':
      return `compaction ${item.compaction.outcome}`
    case 'cleared':
      return 'cleared'
    case 'agent_ended':
      return `agent ended: ${item.reason}`
    case 'raw':
      return `raw ${item.text}`
  }
}

/** All that is handed out of a state, in as many steps as it takes. */
function allOf(timeline: Timeline, chat: ChatState): TimelineItem[] {
  const items = timeline.advance(chat)
  return timeline.isBehind() ? [...items, ...allOf(timeline, chat)] : items
}

/** The pieces that are handed out when the screen is drawn after each of these batches of events. */
function handedOut(batches: readonly (readonly AgentEvent[])[]): TimelineItem[] {
  const timeline = createTimeline()
  const reduce = zotReducer()
  let chat = initialChat
  return batches.flatMap(batch => {
    chat = batch.reduce(reduce, chat)
    return allOf(timeline, chat)
  })
}

const eachAlone = (events: readonly AgentEvent[]): AgentEvent[][] => events.map(event => [event])

/** The pieces that have been handed out so far, for each event. */
function story(...events: readonly Told[]): string[][] {
  const timeline = createTimeline()
  const reduce = zotReducer()
  let chat = initialChat
  return timed([prompt('go'), accepted, step(1), ...events]).map(event => {
    chat = reduce(chat, event)
    return timeline.advance(chat).map(describeItem)
  })
}

const told = (...events: readonly Told[]): string[] => story(...events).flat()

describe('a text in the scrollback', () => {
  test('is printed block by block, as soon as a block can no longer change', () => {
    const [, , , , ...rest] = story(answering, says('# One\n\nTwo'), says(' three.\n\n'), says('Four'), ended)
    expect(rest.map(each => each.length > 0)).toEqual([true, true, false, true])
    expect(rest.flat()).toEqual(['text # One', 'more |Two three.', 'more |Four', 'end done'])
  })

  test('that is rewritten before it was printed is just the new text', () => {
    expect(told(answering, says('secret'), answered(text('[removed]')), stops('end'), ended)).toEqual([
      'prompt go',
      'text [removed]',
      'end done',
    ])
  })

  test('that continues in the final answer is not printed again', () => {
    const items = told(
      answering,
      says('One.\n\nTwo.\n\nThr'),
      answered(text('One.\n\nTwo.\n\nThree.')),
      stops('end'),
      ended,
    )
    expect(items).toEqual(['prompt go', 'text One.', 'more |Two.', 'more |Three.', 'end done'])
  })

  test('that was withdrawn by a retry is followed by a note', () => {
    const items = told(
      answering,
      says('One.\n\nTwo.\n\nThr'),
      stops('error', 'overloaded'),
      answering,
      says('Uno.'),
      ended,
    )
    expect(items.filter(item => /withdrawn|Uno|end/.test(item))).toEqual(['withdrawn 2', 'text Uno.', 'end done'])
    expect(items.join()).not.toContain('Thr')
  })

  test('that was withdrawn by an extension is followed by a note', () => {
    const items = told(answering, says('One.\n\nTwo.\n\nThr'), stops('end'), ended)
    expect(items.slice(-2)).toEqual(['withdrawn', 'end done'])
  })

  test('that was withdrawn has a note even if the next step began within the same frame', () => {
    const shown = [prompt('go'), accepted, step(1), answering, says('One.\n\nTwo.\n\n')]
    const atOnce = [
      answered(text('[removed]'), call('a', 'read')),
      calls('a', 'read'),
      stops('tool_use'),
      returns('a', 'x'),
      step(2),
      answering,
      says('Next'),
      ended,
    ]
    const all = timed([...shown, ...atOnce])
    const items = handedOut([...eachAlone(all.slice(0, shown.length)), all.slice(shown.length)]).map(describeItem)
    expect(items).toContain('withdrawn')
    expect(items.indexOf('withdrawn')).toBeLessThan(items.indexOf('text [removed]'))
  })
})

describe('a tool call in the scrollback', () => {
  test('waits until it has ended, and everything after it waits too', () => {
    const batches = story(...runsTool('a', 'bash'), prints('a', 'x'), notes('lint', 'fine'), returns('a', 'x'), ended)
    expect(batches.at(-3)).toEqual([])
    expect(batches.at(-2)).toEqual(['tool a ok', 'notice fine'])
  })

  test('includes its nested calls, and waits for them', () => {
    const items = told(
      ...runsTool('a', 'codemode'),
      calls('a/1', 'read'),
      calls('a/1/1', 'read'),
      calls('a/2', 'bash'),
      returns('a/2', 'x'),
      returns('a/1/1', 'x'),
      returns('a/1', 'x'),
      returns('a', 'x'),
      ended,
    )
    expect(items).toEqual(['prompt go', 'tool a ok + a/1 + a/1/1 + a/2', 'end done'])
  })

  test('is not printed while a nested call runs, even if it has ended itself', () => {
    const batches = story(...runsTool('a', 'codemode'), calls('a/1', 'read'), returns('a', 'x'), returns('a/1', 'x'))
    expect(batches.slice(-2)).toEqual([[], ['tool a ok + a/1']])
  })

  test('without its parent is printed by itself', () => {
    expect(told(calls('x/1', 'read'), returns('x/1', 'y'))).toContain('tool x/1 ok')
  })

  test('with a reused id in a later step keeps its own nested calls', () => {
    const turn = turnOf(
      step(1),
      ...runsTool('a', 'codemode'),
      calls('a/1', 'read'),
      returns('a/1', 'x'),
      returns('a', 'x'),
      step(2),
      ...runsTool('a', 'codemode'),
      calls('a/1', 'bash'),
    )
    const at = [...turn.parts].flatMap((part, index) => (part.kind === 'tool' && part.id === 'a' ? [index] : []))
    expect(at.map(index => nestedCalls(turn, index).map(each => each.name))).toEqual([['read'], ['bash']])
  })

  test('that was only drafted before a retry leaves no trace', () => {
    const items = told(
      answering,
      drafts('a', 'bash'),
      writes('a', '{'),
      stops('error', 'EOF'),
      answering,
      says('ok'),
      ended,
    )
    expect(items).toEqual(['prompt go', 'text ok', 'end done'])
  })
})

describe('an entry that is not a turn', () => {
  test('is printed in order', () => {
    const events = timed([
      started,
      notes('lint', 'hello'),
      prompt('x'),
      ended,
      { type: 'compaction_started' },
      { type: 'compaction_finished', summary: 's' },
      { type: 'conversation_cleared' },
      { type: 'agent_ended', code: 1, signal: null, reason: 'fell', hint: '', expected: false },
    ])
    const expected = ['notice hello', 'prompt x', 'end done', 'compaction done', 'cleared', 'agent ended: fell']
    expect(handedOut(eachAlone(events)).map(describeItem)).toEqual(expected)
    expect(handedOut([events]).map(describeItem)).toEqual(expected)
  })

  test('is printed when it has ended, if it is a compaction', () => {
    const [begun, stopping, over] = [{ type: 'compaction_started' }, aborting, { type: 'compaction_aborted' }] as const
    expect(handedOut(eachAlone(timed([started, begun, stopping]))).map(describeItem)).toEqual([])
    expect(handedOut(eachAlone(timed([started, begun, stopping, over]))).map(describeItem)).toEqual([
      'compaction aborted',
    ])
  })

  test('is not printed twice', () => {
    const timeline = createTimeline()
    const chat = fold(timed([started, prompt('x'), accepted, says('One.\n\nTwo'), notes('lint', 'n')]))
    expect(timeline.advance(chat)).not.toEqual([])
    expect(timeline.advance(chat)).toEqual([])
  })
})

const isSubsequence = (few: readonly string[], many: readonly string[]): boolean => {
  let at = 0
  for (const each of many) if (each === few[at]) at += 1
  return at === few.length
}

// A remark that an extension drops stays where it stands, without a word.
const isOfAgent = (item: TimelineItem): boolean => item.kind !== 'notice'

/** A turn that says these pieces, and fails so that its words stay as they were streamed. */
const around = (...said: Told[]): AgentEvent[] =>
  timed([prompt('x'), accepted, step(1), answering, ...said, stops('error'), ended])

describe('a large transcript', () => {
  const lines = Array.from({ length: 3000 }, (_, line) => `line ${line}`)
  const events = around(says(['```', ...lines, '```'].join('\n')))

  test('is printed in steps, and later entries wait', () => {
    const timeline = createTimeline()
    const chat = fold(events)
    const steps: TimelineItem[][] = []
    do steps.push(timeline.advance(chat))
    while (timeline.isBehind())
    expect(steps.length).toBeGreaterThan(3)
    expect(steps.flat().flatMap(item => (item.kind === 'block' ? linesOfItem(item) : []))).toEqual(
      lines.map(line => `  ${line}`),
    )
    expect(steps.flat().at(-1)?.kind).toBe('turn_end')
    expect(timeline.advance(chat)).toEqual([])
  })

  test('is not mixed with a later turn', () => {
    const timeline = createTimeline()
    timeline.advance(fold([...events, ...timed([prompt('next'), accepted])]))
    expect(timeline.openPart()).toBe(Number.POSITIVE_INFINITY)
  })
})

describe('any conversation', () => {
  test('gives the same pieces in the same order, drawn often or rarely, except withdrawn ones', () => {
    fc.assert(
      fc.property(conversation, cuts, (events, lengths) => {
        const at = timed(events)
        const atOnce = handedOut([at]).filter(isOfAgent).map(describeItem)
        for (const batches of [eachAlone(at), inPieces(at, lengths)]) {
          const items = handedOut(batches).filter(isOfAgent).map(describeItem)
          const said = items.filter(item => !item.startsWith('withdrawn'))
          expect(isSubsequence(atOnce, said), `${JSON.stringify(atOnce)} in ${JSON.stringify(said)}`).toBe(true)
          // A withdrawn text that stands there has its word below it.
          const more = said.length > atOnce.length
          expect(items.some(item => item.startsWith('withdrawn'))).toBe(more)
        }
      }),
      aPartOf(300),
    )
  })

  test('begins and ends every turn once', () => {
    fc.assert(
      fc.property(anyEvents, cuts, (events, lengths) => {
        const at = timed(events)
        const chat = fold(at)
        const turns = chat.entries.filter(entry => entry.kind === 'turn').length
        const items = handedOut(inPieces(at, lengths))
        expect(items.filter(item => item.kind === 'turn_end')).toHaveLength(turns)
        expect(items.filter(item => item.kind === 'prompt')).toHaveLength(turns + (chat.open?.kind === 'turn' ? 1 : 0))
        expect(items.filter(item => item.kind === 'compaction')).toHaveLength(
          chat.entries.filter(entry => entry.kind === 'compaction').length,
        )
      }),
    )
  })

  test('prints the same text from any pieces', () => {
    const words = fc.oneof(
      fc.string({ unit: 'grapheme' }),
      fc.constantFrom('# T\n', '\n\n', '- a\n', '```\ncode\n', '```\n', '| a |\n|--|\n'),
    )
    fc.assert(
      fc.property(fc.array(words, { maxLength: 12 }), cuts, (parts, lengths) => {
        const characters = Array.from(parts.join(''))
        const pieces = inPieces(characters, lengths).map(piece => says(piece.join('')))
        const whole = handedOut([around(says(characters.join('')))]).flatMap(item => linesOfItem(item))
        const cut = handedOut(eachAlone(around(...pieces))).flatMap(item => linesOfItem(item))
        // The last line tells the time that it took.
        expect(cut.slice(0, -1)).toEqual(whole.slice(0, -1))
      }),
      aPartOf(300),
    )
  })
})
