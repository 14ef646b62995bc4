/** Words for the running turn: where they go in each order of what may happen. */
import { expect, test } from 'vitest'
import type { SteerOutcome } from '../../src/agent/backend.ts'
import type { Settled } from '../../src/turn/machine.ts'
import { World } from './world.ts'

const well: Settled = { of: 'turn', outcome: 'done', error: 'other', canCompact: true, fullness: null }
const over: SteerOutcome = { how: 'over' }

/** A world with a running turn. */
function inTurn(): World {
  const world = new World()
  world.seen = { ...world.seen, agent: 'ready' }
  world.say('said')
  prepared(world)
  world.seen = { ...world.seen, open: { kind: 'turn', isStopping: false } }
  return world
}

function last<Item>(items: readonly Item[]): Item {
  const item = items.at(-1)
  if (item === undefined) throw new Error('there is none')
  return item
}

function prepared(world: World): void {
  world.take({ type: 'prepared', id: last(world.preparing).id, outcome: 'ready' })
}

/** Says words for the turn; the agent has them. Returns their number. */
function steer(world: World): number {
  world.steer()
  const id = last(world.preparedSteers)
  world.take({ type: 'steer_prepared', id, outcome: 'ready' })
  return id
}

function endTurn(world: World, how: Settled = well): void {
  world.seen = { ...world.seen, open: null }
  world.take({ type: 'turn_ended', isGood: true, isOwn: false })
  world.take({ type: 'settled', id: last(world.requests).id, how })
}

const queue = ({ seen }: World) => seen.queue.entries.map(entry => (entry.kind === 'prompt' ? entry.text : entry.name))
const onTheirWay = ({ seen }: World) => seen.steers.map(({ entry }) => entry.text)

test('words for the running turn go to the agent beside the queue, in the order in which they were said', () => {
  const world = inTurn()
  world.say('said')
  world.steer()
  world.steer()
  expect(world.preparedSteers).toHaveLength(1)
  world.take({ type: 'steer_prepared', id: last(world.preparedSteers), outcome: 'ready' })
  world.take({ type: 'steer_prepared', id: last(world.preparedSteers), outcome: 'ready' })
  expect([world.steered.length, queue(world), onTheirWay(world)]).toEqual([2, ['prompt 2'], ['prompt 3', 'prompt 4']])
  for (const id of world.steered) world.settleSteer(id, { how: 'delivered' })
  expect([world.sent, onTheirWay(world)]).toEqual([['prompt 1', 'prompt 3', 'prompt 4'], []])
})

test('while no turn runs, they are a prompt', () => {
  const world = new World()
  world.seen = { ...world.seen, agent: 'ready' }
  world.steer()
  expect([world.preparedSteers, world.preparing.length]).toEqual([[], 1])
})

test('what comes too late for its turn is the next prompt, before the queue, also if that is known after the end', () => {
  const world = inTurn()
  world.say('said')
  const [first, second] = [steer(world), steer(world)]
  endTurn(world)
  expect(world.preparing).toHaveLength(1)
  world.settleSteer(second, over)
  expect(world.preparing).toHaveLength(1)
  world.settleSteer(first, over)
  expect([last(world.preparing).entry, queue(world)]).toEqual([
    { kind: 'prompt', text: 'prompt 3' },
    ['prompt 4', 'prompt 2'],
  ])
})

test('after a turn that failed, it waits with the queue', () => {
  const world = inTurn()
  const id = steer(world)
  endTurn(world, { ...well, outcome: 'failed' })
  world.settleSteer(id, over)
  expect([world.preparing.length, world.seen.queue.paused, queue(world)]).toEqual([1, true, ['prompt 2']])
})

test('a stop brings them back: the first into the composer, the others into the queue, which waits', () => {
  const world = inTurn()
  world.say('said')
  const [first, second] = [steer(world), steer(world)]
  world.steer()
  const effects = world.take({ type: 'stopped' })
  expect(effects.filter(({ type }) => type === 'withdraw_steer' || type === 'abort').map(({ type }) => type)).toEqual([
    'withdraw_steer',
    'withdraw_steer',
    'abort',
  ])
  world.settleSteer(first, { how: 'withdrawn' })
  world.settleSteer(second, over)
  endTurn(world, { ...well, outcome: 'aborted' })
  expect([world.composer, queue(world), world.seen.queue.paused]).toEqual([
    ['prompt 3'],
    ['prompt 4', 'prompt 5', 'prompt 2'],
    true,
  ])
})

test('a prompt that stops the turn goes out first, and they follow it', () => {
  const world = inTurn()
  const id = steer(world)
  world.say('send_now')
  world.settleSteer(id, { how: 'withdrawn' })
  endTurn(world, { ...well, outcome: 'aborted' })
  expect([last(world.preparing).entry, queue(world), world.seen.queue.paused]).toEqual([
    { kind: 'prompt', text: 'prompt 3' },
    ['prompt 2'],
    false,
  ])
})

test('what the agent refuses comes back with its reason, and what it may have got says so', () => {
  const world = inTurn()
  world.settleSteer(steer(world), { how: 'refused', message: 'zot takes images only with a prompt' })
  world.settleSteer(steer(world), { how: 'unknown', message: 'gone' })
  expect([world.composer, queue(world), world.seen.queue.paused]).toEqual([['prompt 2'], ['prompt 3'], true])
  expect(world.effects.flatMap(effect => (effect.type === 'add_notice' ? [effect.text] : []))).toEqual([
    'zot takes images only with a prompt. They are in the composer again.',
    'It is not known whether your words for the running turn arrived. They are in the queue, which waits for you.',
  ])
})

test('an answer that comes a second time changes nothing', () => {
  const world = inTurn()
  const id = steer(world)
  world.settleSteer(id, { how: 'delivered' })
  expect(world.take({ type: 'steer_settled', id, outcome: over })).toEqual([])
  expect(queue(world)).toEqual([])
})

test('an agent that dies and never says what became of them gives them back once another one is there', () => {
  const world = inTurn()
  steer(world)
  world.seen = { ...world.seen, agent: 'off', open: null }
  world.take({ type: 'agent_ended', at: 1000, isExpected: false, isLost: false })
  world.take({ type: 'change_requested', change: { id: 1, operation: { kind: 'open' }, holdsQueue: false } })
  world.seen = { ...world.seen, agent: 'ready' }
  world.take({ type: 'change_settled', id: 1 })
  expect([world.composer, onTheirWay(world), world.machine.request]).toEqual([['prompt 2'], [], null])
})

test('the first message of the queue can steer, if it is no command', () => {
  const world = inTurn()
  world.say('said')
  world.steer(false)
  expect([onTheirWay(world), queue(world)]).toEqual([['prompt 2'], []])
  world.take({ type: 'queued', entry: { kind: 'command', name: 'compact', argument: '' } })
  world.steer(false)
  expect([onTheirWay(world), queue(world)]).toEqual([['prompt 2'], ['compact']])
})

test('the newest can be taken back to be edited, unless the agent has it already', () => {
  const world = inTurn()
  const [first, second] = [steer(world), steer(world)]
  world.take({ type: 'steer_taken' })
  world.settleSteer(second, { how: 'withdrawn' })
  expect([world.composer, onTheirWay(world), world.seen.queue.paused]).toEqual([['prompt 3'], ['prompt 2'], false])
  world.take({ type: 'steer_taken' })
  world.settleSteer(first, { how: 'delivered' })
  expect(last(world.effects)).toEqual({ type: 'hint', text: 'Too late: the agent already has your message.' })
})
