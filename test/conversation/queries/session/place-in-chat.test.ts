import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { placeInChat, sessionPlaceOf } from '../../../../src/conversation/queries/session/place-in-chat.ts'
import { initialChat } from '../../../../src/conversation/state.ts'
import { anyEvents } from '../../arbitrary-events.ts'
import { chatAfter, ended, fold, prompt, returns, runsTool, says, step, timed, type Told } from '../../events.ts'

const turn = (id: string): Told[] => [
  prompt('go'),
  step(1),
  says('I look.'),
  ...runsTool(id, 'read'),
  returns(id, 'x'),
  ended,
]

test('a call is found by its id, in the turn that is nearest in time', () => {
  const events = timed([...turn('a'), ...turn('a'), ...turn('b')])
  const chat = fold(events)
  const calls = events.filter(event => event.type === 'tool_called')
  expect(calls.map(({ at, id }) => placeInChat(chat, { at, call: id }))).toEqual([
    { task: null, entry: 0, part: 1 },
    { task: null, entry: 1, part: 1 },
    { task: null, entry: 2, part: 1 },
  ])
})

test('a call whose result came after its turn is found there', () => {
  const late = [...turn('a').filter(({ type }) => type !== 'tool_finished'), ...turn('b')]
  expect(placeInChat(chatAfter(...late), { at: 60_000, call: 'a' })).toEqual({ task: null, entry: 0, part: 1 })
})

test('a text is at the turn of its time, at the part before it', () => {
  const events = timed([...turn('a'), ...turn('b')])
  const at = (index: number): number => events[index]?.at ?? 0
  expect(placeInChat(fold(events), { at: at(0), call: null })).toEqual({ task: null, entry: 0, part: null })
  expect(placeInChat(fold(events), { at: at(2), call: null })).toEqual({ task: null, entry: 0, part: null })
  expect(placeInChat(fold(events), { at: at(9), call: null })).toEqual({ task: null, entry: 0, part: 1 })
  expect(placeInChat(fold(events), { at: at(13), call: null })).toEqual({ task: null, entry: 1, part: null })
})

test('what is not there leads to the last entry before its time, and to nothing in an empty conversation', () => {
  expect(placeInChat(chatAfter(...turn('a')), { at: 0, call: 'gone' })).toEqual({ task: null, entry: 0, part: null })
  expect(placeInChat(chatAfter(...turn('a')), { at: 1e12, call: 'gone' })).toMatchObject({ entry: 0 })
  expect(placeInChat(initialChat, { at: 0, call: null })).toBeNull()
})

test('what the tool of a call called is at that call', () => {
  const nested: Told[] = [
    ...runsTool('a', 'task'),
    { type: 'tool_called', id: 'a/1', parent: 'a', name: 'read', arguments: {} },
    returns('a/1', 'x'),
    returns('a', 'x'),
  ]
  const chat = chatAfter(prompt('go'), step(1), ...nested, ended)
  expect(placeInChat(chat, { at: 9_000, call: 'a/1' })).toEqual({ task: null, entry: 0, part: 0 })
})

test('a call of a subagent is found in its conversation', () => {
  const theirs = timed([prompt('look'), step(1), ...runsTool('inner', 'read'), returns('inner', 'x')])
  const events: Told[] = [
    prompt('go'),
    { type: 'task_reported', id: 't', kind: 'subagent', state: 'running' },
    ...theirs.flatMap((event): Told[] => (event.type === 'task_event' ? [] : [{ type: 'task_event', id: 't', event }])),
    ended,
  ]
  const found = placeInChat(chatAfter(...events), { at: 0, call: 'inner' })
  expect(found).toEqual({ task: 't', entry: 0, part: 0 })
})

test('every place of any conversation can be kept, and is found again', () => {
  fc.assert(
    fc.property(anyEvents, events => {
      const chat = fold(timed(events))
      const places = chat.entries.flatMap((each, entry) => {
        const count = each.kind === 'turn' ? each.parts.length : 0
        return [null, ...Array.from({ length: count }, (_, index) => index)].map(part => ({ task: null, entry, part }))
      })
      for (const place of places) {
        const kept = sessionPlaceOf(chat, place, 's')
        const found = kept && placeInChat(chat, kept)
        const again = found && sessionPlaceOf(chat, found, 's')
        // What a tool called is at the outermost call.
        const isThere = kept?.call === null ? again?.at === kept.at : typeof again?.call === 'string'
        expect(isThere).toBe(true)
      }
    }),
    { numRuns: 1000 },
  )
})
