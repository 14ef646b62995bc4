/** Whatever comes in, and in whatever order: no prompt is lost, none goes out twice, and nothing impossible is in progress. */
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import type { SteerOutcome } from '../../src/agent/backend.ts'
import type { AgentChange, ChangeOperation, Preparation, Settled } from '../../src/turn/machine.ts'
import { phaseOf, phases, type Phase } from '../../src/turn/phases.ts'
import { isOfPerson, World } from './world.ts'

const prepares = ['ready', 'ready', 'ready', 'refused', 'returned'] as const

type Happening = (world: World) => void

const operations: readonly ChangeOperation[] = [
  { kind: 'open' },
  { kind: 'suspend' },
  { kind: 'kill' },
  { kind: 'exchange', options: {} },
  { kind: 'copy', cut: undefined },
  { kind: 'switch', words: 'other' },
  { kind: 'resume', session: { id: 'a' } },
  { kind: 'reopen' },
]

const outcomes = ['done', 'aborted', 'failed', 'refused', 'agent_ended'] as const
const errors = ['overflow', 'quota', 'other'] as const

/** How a request of each kind may end. */
const ends: Record<'prompt' | 'compaction' | 'clear', fc.Arbitrary<Settled>> = {
  prompt: fc.record({
    of: fc.constant('turn' as const),
    outcome: fc.constantFrom(...outcomes),
    error: fc.constantFrom(...errors),
    canCompact: fc.boolean(),
    fullness: fc.constantFrom(null, 0.9),
  }),
  compaction: fc.record({
    of: fc.constant('compaction' as const),
    outcome: fc.constantFrom('done', 'nothing', 'failed', 'aborted'),
    last: fc.constant({ outcome: 'failed', error: 'overflow' } as const),
  }),
  clear: fc.record({ of: fc.constant('clear' as const), ok: fc.boolean() }),
}

const said: fc.Arbitrary<Happening> = fc
  .constantFrom('said' as const, 'said' as const, 'queued' as const, 'send_now' as const)
  .map(how => (world: World) => world.say(how))

const steered: fc.Arbitrary<Happening> = fc.constantFrom<Happening>(
  world => world.steer(),
  world => world.steer(),
  world => world.steer(false),
  world => void world.take({ type: 'steer_taken' }),
  world => void world.take({ type: 'stopped' }),
  world => void (world.seen = { ...world.seen, isComposerFree: true }),
)

const steerEnds = fc.constantFrom<SteerOutcome[]>(
  { how: 'delivered' },
  { how: 'delivered' },
  { how: 'over' },
  { how: 'withdrawn' },
  { how: 'refused', message: 'it takes no images' },
  { how: 'unknown', message: 'it said nothing' },
)

/** What was asked for a steer is answered, in any order, and sometimes a second time. */
const steerAnswers: fc.Arbitrary<Happening> = fc
  .record({ at: fc.nat(), isLast: fc.boolean(), outcome: steerEnds, how: fc.constantFrom(...prepares) })
  .map(({ at, isLast, outcome, how }) => (world: World) => {
    const pick = (ids: readonly number[]): number | undefined => (isLast ? ids.at(-1) : ids[at % ids.length])
    const [prepared, sent] = [pick(world.preparedSteers), pick(world.steered)]
    if (prepared !== undefined && at % 2 === 0) steerPrepared(world, prepared, how)
    else if (sent !== undefined) world.settleSteer(sent, outcome)
  })

function steerPrepared(world: World, id: number, outcome: (typeof prepares)[number]): void {
  const steer = world.seen.steers.find(each => each.id === id && !each.isSent && !each.isTakenBack)
  const real = outcome === 'returned' && !world.seen.isComposerFree ? 'refused' : outcome
  if (steer && real === 'returned') world.fillComposer(steer.entry.text)
  world.take({ type: 'steer_prepared', id, outcome: real })
}

const keys: fc.Arbitrary<Happening> = fc.constantFrom<Happening>(
  world => void world.take({ type: 'send_now', entry: null }),
  world => void world.take({ type: 'unpaused' }),
  sendLast,
  world => void world.take({ type: 'stopped' }),
  world => void world.take({ type: 'retried' }),
  world => void world.take({ type: 'compacted', caller: world.newId() }),
  world => void world.take({ type: 'cleared', caller: world.newId() }),
  world => void world.take({ type: 'work_requested', id: world.newId() }),
  world => void world.take({ type: 'limit_raised', wasStopped: world.machine.isLimited }),
  world => void world.take({ type: 'command_done' }),
  takeNewest,
  beginEdit,
  endEdit,
)

/** The limit for which an entry was kept has reset. */
function sendLast(world: World): void {
  const entry = world.seen.queue.entries.at(-1)
  if (entry) world.take({ type: 'kept_due', entry })
}

function takeNewest(world: World): void {
  const newest = world.seen.queue.entries.at(-1)
  if (newest?.kind === 'prompt') world.composer.push(newest.text)
  if (newest) world.take({ type: 'newest_taken' })
}

/** The composer takes an entry out of the queue, and the machine is told. */
function beginEdit(world: World): void {
  const [entry, ...entries] = world.seen.queue.entries
  if (!entry || world.seen.edited) return
  world.edited = entry
  world.seen = { ...world.seen, queue: { ...world.seen.queue, entries }, edited: { at: 0, draft: '', entry } }
  world.take({ type: 'queue_edited', goesOn: false })
}

function endEdit(world: World): void {
  const { queue, edited } = world.seen
  if (!edited || !world.edited) return
  const entries = queue.entries.toSpliced(edited.at, 0, world.edited)
  world.edited = null
  world.seen = { ...world.seen, queue: { ...queue, entries }, edited: null }
  world.take({ type: 'queue_edited', goesOn: true })
}

const change: fc.Arbitrary<Happening> = fc
  .record({ operation: fc.constantFrom(...operations), holdsQueue: fc.boolean() })
  .map(fields => (world: World) => {
    const change: AgentChange = { id: world.newId(), ...fields }
    world.take({ type: 'change_requested', change })
  })

/** The agent and other programs do what they like. */
const agent: fc.Arbitrary<Happening> = fc.oneof(
  fc
    .constantFrom('off' as const, 'starting' as const, 'ready' as const, 'ready' as const)
    .map(phase => (world: World) => {
      world.seen = { ...world.seen, agent: phase }
      if (phase === 'ready') world.take({ type: 'agent_started' })
    }),
  fc.constantFrom('turn' as const, 'compaction' as const).map(kind => (world: World) => {
    world.seen = { ...world.seen, open: { kind, isStopping: false } }
  }),
  fc.record({ isGood: fc.boolean(), isOwn: fc.boolean() }).map(end => (world: World) => {
    world.seen = { ...world.seen, open: null }
    world.take({ type: 'turn_ended', ...end })
  }),
  fc.record({ at: fc.nat(100_000), isExpected: fc.boolean(), isLost: fc.boolean() }).map(end => (world: World) => {
    world.seen = { ...world.seen, agent: 'off', open: null }
    world.take({ type: 'agent_ended', ...end })
  }),
  fc.boolean().map(ofNewTurn => (world: World) => void world.take({ type: 'step_begun', ofNewTurn })),
)

const others: fc.Arbitrary<Happening> = fc.oneof(
  fc.boolean().map(isReading => (world: World) => void (world.seen = { ...world.seen, isReading })),
  fc.boolean().map(isLimitReached => (world: World) => void (world.seen = { ...world.seen, isLimitReached })),
  fc.boolean().map(isTurnOverLimit => (world: World) => void (world.seen = { ...world.seen, isTurnOverLimit })),
  fc.boolean().map(mayBegin => (world: World) => {
    world.seen = { ...world.seen, mayBegin }
    world.take({ type: 'turn_allowed' })
  }),
)

const leaving: fc.Arbitrary<Happening> = fc.constant(world => {
  world.take({ type: 'left' })
  world.seen = { ...world.seen, isLeaving: true }
})

/** An answer to something that was asked for: the current one, an old one, or one that was answered before. */
const answers: fc.Arbitrary<Happening> = fc.oneof(
  fc
    .record({
      at: fc.nat(),
      isLast: fc.boolean(),
      outcome: fc.constantFrom<Preparation[]>('ready', 'ready', 'ready', 'ran', 'refused', 'returned', 'dropped'),
    })
    .map(({ at, isLast, outcome }) => (world: World) => {
      const one = isLast ? world.preparing.at(-1) : world.preparing[at % world.preparing.length]
      if (one) prepared(world, one, outcome)
    }),
  fc.record({ at: fc.nat(), isLast: fc.boolean(), ...ends }).map(({ at, isLast, ...how }) => (world: World) => {
    const one = isLast ? world.requests.at(-1) : world.requests[at % world.requests.length]
    if (one) world.take({ type: 'settled', id: one.id, how: how[one.kind] })
  }),
  fc.record({ at: fc.nat(), isReady: fc.boolean() }).map(({ at, isReady }) => (world: World) => {
    const id = world.changes[at % world.changes.length]
    if (id === undefined) return
    world.seen = { ...world.seen, agent: isReady ? 'ready' : 'off' }
    world.take({ type: 'change_settled', id })
  }),
  fc
    .record({ at: fc.nat(), drains: fc.constantFrom('well' as const, 'badly' as const, 'not' as const) })
    .map(({ at, drains }) => (world: World) => {
      const id = world.works[at % world.works.length]
      if (id !== undefined) world.take({ type: 'work_settled', id, drains })
    }),
)

function prepared(world: World, { id, entry }: World['preparing'][number], outcome: Preparation): void {
  // Only a prompt of the queue can be returned or refused, only a repeated one is dropped, and only a command has run.
  const isPrompt = entry?.kind === 'prompt'
  const fits = {
    ready: isPrompt || !entry,
    ran: entry?.kind === 'command',
    refused: entry,
    returned: isPrompt,
    dropped: !entry,
  }
  const isCurrent = world.machine.preparing?.id === id
  const real = fits[outcome] ? outcome : entry?.kind === 'command' ? 'ran' : 'ready'
  if (real === 'returned' && isCurrent && isPrompt) world.composer.push(entry.text)
  world.take({ type: 'prepared', id, outcome: real })
}

/** A prompt that reaches the agent, in most cases. */
const sent: fc.Arbitrary<Happening> = fc.constant(world => {
  world.say('said')
  const one = world.preparing.at(-1)
  if (one) prepared(world, one, 'ready')
})

const life = fc.array(
  fc.oneof(
    { arbitrary: said, weight: 6 },
    { arbitrary: sent, weight: 4 },
    { arbitrary: steered, weight: 5 },
    { arbitrary: steerAnswers, weight: 8 },
    { arbitrary: keys, weight: 5 },
    { arbitrary: change, weight: 3 },
    { arbitrary: agent, weight: 5 },
    { arbitrary: others, weight: 2 },
    { arbitrary: answers, weight: 8 },
  ),
  { maxLength: 80, size: 'max' },
)

test('no prompt is lost, none is sent twice, and nothing impossible is in progress, in any order of events', () => {
  const reached = new Set<Phase>()
  fc.assert(
    fc.property(life, happenings => {
      const world = new World()
      for (const happens of happenings) {
        happens(world)
        reached.add(phaseOf(world.machine, world.seen))
      }
    }),
    { numRuns: 3000 },
  )
  // Otherwise it would say little: every phase but that of the exit was there.
  expect([...reached].toSorted()).toEqual(phases.filter(phase => phase !== 'leaving').toSorted())
})

test('whatever becomes of the words for a running turn, they reach the agent once or are with the person again', () => {
  const ends = new Set<string>()
  fc.assert(
    fc.property(life, happenings => {
      const world = new World()
      for (const happens of happenings) {
        const before = new Set(world.seen.steers.filter(({ isSent }) => isSent).map(({ entry }) => entry.text))
        happens(world)
        const now = new Set(world.seen.steers.map(({ entry }) => entry.text))
        const waiting = new Set(world.seen.queue.entries.map(entry => entry.kind === 'prompt' && entry.text))
        for (const text of before) {
          if (now.has(text)) continue
          const place = world.sent.includes(text) ? 'agent' : waiting.has(text) ? 'queue' : 'elsewhere'
          ends.add(`${place}${world.seen.queue.paused && place === 'queue' ? ', paused' : ''}`)
        }
      }
    }),
    { numRuns: 1000 },
  )
  // Otherwise it would say little: `World` throws if a text is lost or in two places.
  expect([...ends].toSorted()).toEqual(['agent', 'elsewhere', 'queue', 'queue, paused'])
})

test('once all is answered and the agent is ready, every prompt goes out in its turn', () => {
  fc.assert(
    fc.property(life, happenings => {
      const world = new World()
      for (const happens of happenings) happens(world)
      allGoesWell(world)
      expect([...world.sent, ...world.composer].filter(isOfPerson).toSorted()).toEqual(world.said.toSorted())
    }),
    { numRuns: 3000 },
  )
})

test('after the exit has begun nothing more goes out, and what had not gone out is in the queue', () => {
  fc.assert(
    fc.property(life, leaving, life, (first, leave, after) => {
      const world = new World()
      for (const happens of first) happens(world)
      leave(world)
      const out = (): number => world.requests.filter(({ kind }) => kind === 'prompt').length + world.steered.length
      const before = out()
      for (const happens of after) happens(world)
      expect(out()).toBe(before)
      expect(world.machine.preparing?.entry ?? null).toBeNull()
    }),
    { numRuns: 2000 },
  )
})

/** Everything that is in progress comes to a good end, and the person lets the queue go out. */
function allGoesWell(world: World): void {
  world.seen = { ...world.seen, agent: 'ready', open: null, isReading: false, isLimitReached: false, mayBegin: true }
  endEdit(world)
  for (let round = 0; round < 200; round += 1) {
    const { change: changing, work, preparing, request } = world.machine
    world.seen = { ...world.seen, open: null }
    // One that was taken back before it was sent waits for those that are with the agent.
    const steer = world.seen.steers.find(({ isSent, isTakenBack }) => isSent || !isTakenBack)
    if (steer?.isSent) world.settleSteer(steer.id, { how: round % 2 === 0 ? 'delivered' : 'over' })
    else if (steer) steerPrepared(world, steer.id, 'ready')
    else if (changing) world.take({ type: 'change_settled', id: changing.id })
    else if (work && !request) world.take({ type: 'work_settled', id: work.id, drains: 'well' })
    else if (request?.isOrphan) restart(world)
    else if (preparing) prepared(world, preparing, 'ready')
    else if (request) world.take({ type: 'settled', id: request.id, how: good(request.kind) })
    else if (world.seen.queue.entries.length > 0) world.take({ type: 'unpaused' })
    else return
  }
  throw new Error('it does not come to an end')
}

/** A request whose agent has ended may never be settled. */
function restart(world: World): void {
  world.take({
    type: 'change_requested',
    change: { id: world.newId(), operation: { kind: 'open' }, holdsQueue: false },
  })
}

function good(kind: 'prompt' | 'compaction' | 'clear'): Settled {
  if (kind === 'clear') return { of: 'clear', ok: true }
  if (kind === 'compaction') return { of: 'compaction', outcome: 'done', last: null }
  return { of: 'turn', outcome: 'done', error: 'other', canCompact: true, fullness: null }
}
