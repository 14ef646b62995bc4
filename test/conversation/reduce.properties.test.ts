import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { agentEventSchema } from '../../src/agent/event-schema.ts'
import type { AgentEvent } from '../../src/agent/event.ts'
import { createFold } from '../../src/conversation/fold.ts'
import { reduce } from '../../src/conversation/reduce.ts'
import { initialChat, type ChatState, type Turn } from '../../src/conversation/state.ts'
import type { Part } from '../../src/conversation/part.ts'
import { isOpen } from '../../src/conversation/calls/tool-calls.ts'
import { runs } from '../helpers/length.ts'
import { anyEvent, anyEvents, conversation } from './arbitrary-events.ts'
import { fold, timed } from './events.ts'

const streams = fc.oneof(anyEvents, conversation).map(events => timed(events))

/** Freezes a value and all in it, so that writing to it throws. */
function freeze<Value>(value: Value): Value {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value)
    for (const each of Object.values(value)) freeze(each)
  }
  return value
}

/** Each state on the way, the first included. */
function statesOf(events: readonly AgentEvent[]): ChatState[] {
  const states = [initialChat]
  for (const event of events) states.push(reduce(states.at(-1) ?? initialChat, event))
  return states
}

const turnsOf = (chat: ChatState): Turn[] =>
  [...chat.entries, chat.open].filter((entry): entry is Turn => entry?.kind === 'turn')

test('the random events include every kind of event', () => {
  const kinds = agentEventSchema.options.map(option => option.shape.type.value)
  const seen = new Set(fc.sample(anyEvent, { numRuns: 3000, seed: 1 }).map(event => event.type))
  expect(kinds.filter(kind => !seen.has(kind))).toEqual([])
})

test('any events in any order fold without an error and without changing their input', () => {
  fc.assert(
    fc.property(streams, events => {
      events.reduce((state, event) => freeze(reduce(state, freeze(event))), freeze({ ...initialChat }))
    }),
    runs(100),
  )
})

const isUnfinished = (part: Part): boolean =>
  (part.kind === 'tool' && isOpen(part.state)) || (part.kind === 'text' && !part.final)

describe('nothing is open', () => {
  const closing: readonly AgentEvent[] = [
    { type: 'turn_ended', at: 99_000 },
    { type: 'prompt_refused', at: 99_000, message: 'no' },
    { type: 'agent_ended', at: 99_000, code: 1, signal: null, reason: 'fell', hint: '', expected: false },
    { type: 'agent_ended', at: 99_000, code: 0, signal: null, reason: '', hint: '', expected: true },
  ]

  test.each(closing)('after $type', closer => {
    fc.assert(
      fc.property(streams, events => {
        const chat = reduce(fold(events), closer)
        expect(chat.open).toBeNull()
        for (const turn of turnsOf(chat)) {
          expect(turn.outcome).not.toBeNull()
          expect(turn.endedAt).not.toBeNull()
          expect([...turn.parts].filter(isUnfinished)).toEqual([])
        }
      }),
      runs(100),
    )
  })
})

test('finished turns never change, and entries are only added', () => {
  fc.assert(
    fc.property(streams, events => {
      const states = statesOf(events)
      for (const [index, state] of states.entries()) {
        const next = states[index + 1] ?? state
        expect(next.entries.slice(0, state.entries.length)).toEqual(state.entries)
      }
    }),
    runs(100),
  )
})

const identity = (part: Part): string => (part.kind === 'tool' ? `tool ${part.id}` : part.kind)

/** The faults in how a turn's parts went on from one state to the next. */
function changesOf(before: Turn, after: Turn): string[] {
  return [...before.parts].flatMap((part, index) => {
    const now = after.parts.get(index)
    if (now === part) return []
    if (!now || identity(now) !== identity(part)) return [`${index} was ${identity(part)}`]
    if (part.withdrawn && !now.withdrawn) return [`${index} came again`]
    if (part.kind !== 'text' || now.kind !== 'text') return []
    const grown = part.final ? now.final && now.text === part.text : now.text.startsWith(part.text)
    return grown ? [] : [`${index} was "${part.text}" and is "${now.text}"`]
  })
}

test('folding many events at once gives the same as folding one after the other', () => {
  fc.assert(
    fc.property(streams, fc.integer({ min: 1, max: 30 }), (events, most) => {
      const fold = createFold(most)
      fold.add(events.slice(0, 7))
      fold.add(events.slice(7))
      expect(fold.chat()).toEqual(events.reduce(reduce, initialChat))
    }),
    runs(100),
  )
})

test('parts are only added, and each keeps its index', () => {
  fc.assert(
    fc.property(streams, events => {
      const chats = statesOf(events)
      const changes = chats.flatMap((chat, index) => {
        const before = chat.open
        const after = chats[index + 1]
        if (before?.kind !== 'turn' || !after) return []
        const same = turnsOf(after).findLast(turn => turn.startedAt === before.startedAt)
        return same ? changesOf(before, same) : ['the turn is gone']
      })
      expect(changes).toEqual([])
    }),
    runs(100),
  )
})

test('every call since the last clear is counted', () => {
  fc.assert(
    fc.property(streams, events => {
      const cleared = events.findLastIndex(event => event.type === 'conversation_cleared')
      const reported = events.slice(cleared + 1).filter(event => event.type === 'usage_reported')
      const { usage } = fold(events)
      expect(usage.input).toBe(reported.reduce((sum, event) => sum + event.usage.input, 0))
      expect(usage.output).toBe(reported.reduce((sum, event) => sum + event.usage.output, 0))
    }),
    runs(100),
  )
})

const BEGINS = new Set<string>(['prompt_sent', 'turn_begun', 'compaction_started'])

test('an event that no turn expects changes no turn', () => {
  fc.assert(
    fc.property(anyEvent, told => {
      const [event] = timed([told])
      if (!event || BEGINS.has(event.type)) return
      expect(reduce(initialChat, event).open).toBeNull()
    }),
    runs(100),
  )
})

test('a valid conversation leaves no running call without an end', () => {
  fc.assert(
    fc.property(conversation, events => {
      for (const turn of turnsOf(fold(timed(events)))) {
        const names = [...turn.parts].flatMap(part => (part.kind === 'tool' ? [part.name] : []))
        expect(names).not.toContain('unknown')
      }
    }),
    runs(100),
  )
})
