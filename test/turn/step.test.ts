/** Single steps of the machine, where the order of two events once decided what happened. */
import { expect, test } from 'vitest'
import type { Settled } from '../../src/turn/machine.ts'
import { phaseOf } from '../../src/turn/phases.ts'
import { World } from './world.ts'

const well: Settled = { of: 'turn', outcome: 'done', error: 'other', canCompact: true, fullness: null }
const overflow: Settled = { ...well, outcome: 'failed', error: 'overflow' }

/** A world whose agent is ready. */
function ready(): World {
  const world = new World()
  world.seen = { ...world.seen, agent: 'ready' }
  return world
}

const phase = (world: World) => phaseOf(world.machine, world.seen)
const newest = <Item>(items: readonly Item[]): Item => {
  const item = items.at(-1)
  if (item === undefined) throw new Error('there is none')
  return item
}

/** A prompt is prepared and sent. */
function send(world: World): void {
  world.say('said')
  world.take({ type: 'prepared', id: newest(world.preparing).id, outcome: 'ready' })
}

test('a turn that began without a prompt holds the queue, and its end lets the queue go', () => {
  const world = ready()
  world.seen = { ...world.seen, open: { kind: 'turn', isStopping: false } }
  world.say('said')
  expect([phase(world), world.preparing]).toEqual(['turn', []])
  world.seen = { ...world.seen, open: null }
  world.take({ type: 'turn_ended', isGood: true, isOwn: true })
  expect(world.preparing).toHaveLength(1)
})

test('no prompt goes out between the end of a turn and what follows it', () => {
  const world = ready()
  send(world)
  world.say('said')
  const { id } = newest(world.requests)
  const effects = world.take({ type: 'settled', id, how: well }).map(({ type }) => type)
  expect(effects.slice(0, 3)).toEqual(['after_prompt', 'after_prompt', 'after_prompt'])
  expect(world.preparing).toHaveLength(2)
  // The end that comes a second time begins nothing.
  expect(world.take({ type: 'settled', id, how: well })).toEqual([])
})

test('a conversation that is too long is compacted once, and the prompt goes again before the queue', () => {
  const world = ready()
  send(world)
  world.say('said')
  world.take({ type: 'settled', id: newest(world.requests).id, how: overflow })
  expect(phase(world)).toBe('compacting')
  world.take({
    type: 'settled',
    id: newest(world.requests).id,
    how: { of: 'compaction', outcome: 'done', last: overflow },
  })
  expect([phase(world), newest(world.effects).type]).toEqual(['turn', 'send_again'])
  world.take({ type: 'settled', id: newest(world.requests).id, how: overflow })
  expect(world.seen.queue).toMatchObject({ paused: true })
  expect(newest(world.effects)).toEqual({ type: 'offer_ways', error: 'overflow' })
})

test('an idle agent that ends is restarted once, and after that the person is asked', () => {
  const world = ready()
  const end = { type: 'agent_ended', isExpected: false, isLost: false } as const
  expect(world.take({ ...end, at: 1000 })).toEqual([{ type: 'restart' }])
  expect(world.take({ ...end, at: 30_999 })).toEqual([{ type: 'offer_restart', inTurn: false }])
  expect(world.take({ ...end, at: 31_000 })).toEqual([{ type: 'restart' }])
})

test('changes of the agent take place one after the other, and a start joins the one in progress', () => {
  const world = ready()
  const want = (id: number, kind: 'copy' | 'open'): void => {
    const wish = kind === 'copy' ? { kind, cut: undefined } : { kind }
    world.take({ type: 'change_requested', change: { id, operation: wish, holdsQueue: false } })
  }
  want(1, 'copy')
  want(2, 'copy')
  want(3, 'open')
  expect(world.changes).toEqual([1])
  expect(newest(world.effects)).toEqual({ type: 'join', id: 3, to: 1 })
  world.take({ type: 'change_settled', id: 1 })
  expect([world.changes, phase(world)]).toEqual([[1, 2], 'replacing'])
})

test('an agent that ends in the middle of a turn and never settles it blocks nothing once a fresh one is there', () => {
  const world = ready()
  send(world)
  world.seen = { ...world.seen, agent: 'off' }
  world.take({ type: 'agent_ended', at: 1000, isExpected: false, isLost: false })
  world.say('said')
  world.take({ type: 'change_requested', change: { id: 1, operation: { kind: 'kill' }, holdsQueue: false } })
  world.seen = { ...world.seen, agent: 'ready' }
  world.take({ type: 'change_settled', id: 1 })
  expect([phase(world), world.seen.queue.paused]).toEqual(['idle', true])
  world.take({ type: 'unpaused' })
  expect(world.preparing).toHaveLength(2)
})
