/** The cost of a call does not grow with the calls beside it, nor with those that it stands below. */
import { afterEach, describe, expect, test, vi } from 'vitest'
import type { AgentEvent } from '../../../src/agent/event.ts'
import { List } from '../../../src/conversation/list.ts'
import { nestedCalls, partsFrom } from '../../../src/conversation/calls/nesting.ts'
import { zotReducer } from '../events.ts'
import type { ChatState, Turn } from '../../../src/conversation/state.ts'
import { createTimeline } from '../../../src/transcript/timeline.ts'
import { boundTree, treeOf } from '../../../src/tools/panel/tree.ts'
import {
  accepted,
  answering,
  calls,
  chatAfter,
  drafts,
  prompt,
  returns,
  started,
  step,
  stops,
  timed,
} from '../events.ts'

afterEach(() => {
  vi.restoreAllMocks()
})

const ids = (count: number): string[] => Array.from({ length: count }, (_, index) => `c${index}`)
const begun = [started, prompt('go'), accepted, step(1), answering]

/** A turn with so many calls, all but the last of which have ended. */
function after(count: number): ChatState {
  const each = ids(count)
  const ended = each.slice(0, -1).map(id => returns(id, 'ok'))
  return chatAfter(...begun, ...each.map(id => calls(id, 'look')), stops('tool_use'), ...ended)
}

function openTurn({ open }: ChatState): Turn {
  if (open?.kind !== 'turn') throw new Error('no turn is open')
  return open
}

/** The number of parts that are looked at while `work` is done. */
function looks(work: () => void): number {
  const get = vi.spyOn(List.prototype, 'get')
  work()
  const { length } = get.mock.calls
  get.mockRestore()
  return length
}

describe('one more call', () => {
  const more: readonly AgentEvent[] = timed([
    drafts('new', 'look'),
    calls('new', 'look'),
    returns('c99', 'ok'),
    returns('new', 'ok'),
  ])
  const costOf = (chat: ChatState): number => looks(() => void more.reduce(zotReducer(), chat))

  test.each([100, 1000, 10_000])('after %i others looks at as few parts', count => {
    expect(costOf(after(count))).toBeLessThan(40)
  })

  test.each([1000, 10_000])('of %i is printed without a look at the others', count => {
    const chat = after(count)
    const timeline = createTimeline()
    let items = 0
    const cost = looks(() => {
      do items += timeline.advance(chat).length
      while (timeline.isBehind())
    })
    expect(items).toBeGreaterThanOrEqual(count - 1)
    expect(cost / count).toBeLessThan(10)
  })
})

describe('calls within calls', () => {
  const depth = 5000
  const deep = Array.from({ length: depth }, (_, level) => `a${'/1'.repeat(level)}`)
  const chat = chatAfter(
    ...begun,
    calls('a', 'codemode'),
    stops('tool_use'),
    ...deep.slice(1).map(id => calls(id, 'look')),
  )
  const turn = openTurn(chat)

  test('are all found, however deep, and all but the first are below another', () => {
    expect(nestedCalls(turn, 0)).toHaveLength(depth - 1)
    expect([...partsFrom(turn, 0)]).toEqual([0])
  })

  test('are drawn as a tree deeper than a stack, as far as there is room', () => {
    const root = turn.parts.get(0)
    if (root?.kind !== 'tool') throw new Error('no call')
    const tree = treeOf(root, nestedCalls(turn, 0))
    expect(tree.map(branch => branch.depth)).toEqual(deep.slice(1).map((_, index) => index + 1))
    const { shown, hidden } = boundTree(tree, 12)
    expect([shown.length, hidden]).toEqual([11, depth - 12])
  })
})

test('a nested call whose parent had already ended is shown by itself', () => {
  const events = [calls('a', 'codemode'), stops('tool_use'), returns('a', 'ok'), calls('a/1', 'look')]
  const chat = timed([...begun, ...events, returns('a/1', 'late')]).reduce(zotReducer(), chatAfter())
  const timeline = createTimeline()
  const names = timeline.advance(chat).flatMap(item => (item.kind === 'tool' ? [item.tool.id] : []))
  expect(names).toEqual(['a', 'a/1'])
})

const names = (id: string) => ({ own: id, family: id.slice(0, 1) })

test('two lists that grew from one do not share later calls', () => {
  const one = List.of(['a1'], names)
  const left = one.plus('a2').plus('a3')
  const right = one.plus('b1').plus('a9')
  expect([left.lastPlaceOf('a2'), left.lastPlaceOf('b1'), left.lastPlaceOf('a9')]).toEqual([1, -1, -1])
  expect([right.lastPlaceOf('b1'), right.lastPlaceOf('a9'), right.lastPlaceOf('a2')]).toEqual([1, 2, -1])
  expect(one.lastPlaceOf('a2')).toBe(-1)
  expect([[...left.placesOf('a', 0)], [...right.placesOf('a', 0)], [...one.placesOf('a', -1)]]).toEqual([
    [1, 2],
    [2],
    [0],
  ])
})

test('an answer with very many calls copies the list of parts once, not for each call', () => {
  const plus = vi.spyOn(List.prototype, 'plus')
  const content = ids(1000).map(id => ({ type: 'tool_call', id, name: 'look', arguments: {} }) as const)
  const chat = chatAfter(...begun, { type: 'answer_finished', content })
  expect(openTurn(chat).parts.length).toBe(1000)
  expect(nestedCalls(openTurn(chat), 999)).toEqual([])
  expect(plus).toHaveBeenCalledTimes(0)
})
