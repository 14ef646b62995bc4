/** The queue of a conversation in the background: what goes out, and that nothing is lost or sent twice. */
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { AgentEvent } from '../../src/agent/event.ts'
import type { HeldEntry } from '../../src/agent/held-queue.ts'
import { HeldPrompts, type HeldPromptsOptions } from '../../src/background/queue/held-prompts.ts'
import { reduce } from '../../src/conversation/reduce.ts'
import { initialChat } from '../../src/conversation/state.ts'
import { entry, settled, started, TurnAgent } from './held.ts'

function hold(options: Partial<HeldPromptsOptions> = {}) {
  const agent = new TurnAgent()
  const said: string[] = []
  const ran: string[] = []
  let chat = initialChat
  let kept: readonly HeldEntry[] = []
  let last: Promise<unknown> = Promise.resolve()
  const queue = new HeldPrompts({
    backend: agent,
    chat: () => chat,
    prepare: async ({ text }) => ({ ok: true, prompt: { text, images: [] }, onSent() {} }),
    stopPreparing: () => undefined,
    files: null,
    memory: () => null,
    limit: { isReached: () => false, isTurnOver: () => false, words: () => '' },
    compactAt: () => 0,
    operate: work => {
      const done = last.then(work)
      last = done.catch(() => undefined)
      return done
    },
    publish: event => happen(event),
    keep: entries => (kept = entries),
    onChange: () => undefined,
    run: carried => {
      ran.push(carried.id)
      return ui
    },
    now: () => 1,
    ...options,
  })
  function happen(event: AgentEvent): void {
    chat = reduce(chat, event)
    if (event.type === 'remark_made') said.push(event.text)
    queue.follow(event)
  }
  agent.happen = happen
  happen(started)
  queue.begin()
  const prompts = (): string[] => agent.asked.filter(each => each !== 'abort' && !each.startsWith('steer '))
  return { agent, queue, happen, said, ran, prompts, kept: () => kept.map(({ text }) => text) }
}

const ui = {}
const other = {}
const texts = (queue: HeldPrompts): string[] => queue.shown().entries.map(({ text }) => text)

test('prompts are sent one by one, each after a turn that went well', async () => {
  const { agent, queue, prompts, kept } = hold()
  for (const text of ['one', 'two', 'three']) queue.add(entry(text), ui, 'say')
  await settled()
  expect([prompts(), kept()]).toEqual([['one'], ['two', 'three']])
  agent.end()
  await settled()
  expect([prompts(), kept()]).toEqual([['one', 'two'], ['three']])
  expect(queue.isAtWork).toBe(true)
  agent.end()
  await settled()
  agent.end()
  await settled()
  expect([prompts(), kept(), queue.isAtWork]).toEqual([['one', 'two', 'three'], [], false])
})

test.each([
  ['a failed turn', (agent: TurnAgent) => agent.end('overloaded')],
  ['a stop', (agent: TurnAgent) => agent.abort()],
  ['the end of the agent', (agent: TurnAgent) => agent.die()],
])('%s pauses the queue, which nobody keeps the process for', async (_, stop) => {
  const { agent, queue, prompts, kept } = hold()
  for (const text of ['one', 'two']) queue.add(entry(text), ui, 'say')
  await settled()
  stop(agent)
  await settled()
  expect([prompts(), kept(), queue.shown().paused, queue.isAtWork]).toEqual([['one'], ['two'], true, false])
  if (agent.asked.includes('abort')) queue.goOn()
  await settled()
  expect(prompts().at(-1)).toBe(agent.asked.includes('abort') ? 'two' : 'one')
})

test('the cost limit pauses the queue, and a line says so', async () => {
  let isReached = false
  const { agent, queue, prompts, said } = hold({
    limit: {
      isReached: () => isReached,
      isTurnOver: () => false,
      words: () => 'The cost limit is reached: the queue waits.',
    },
  })
  for (const text of ['one', 'two']) queue.add(entry(text), ui, 'say')
  await settled()
  isReached = true
  agent.end()
  await settled()
  expect([prompts(), queue.shown().paused, said]).toEqual([
    ['one'],
    true,
    ['The cost limit is reached: the queue waits.'],
  ])
})

test('a prompt that a hook refuses waits for the user, with its reason', async () => {
  const { queue, prompts, said } = hold({ prepare: async () => ({ ok: false, words: 'A hook blocked it.' }) })
  queue.add(entry('one'), ui, 'say')
  await settled()
  expect([prompts(), texts(queue), queue.shown().paused, said]).toEqual([
    [],
    ['one'],
    true,
    ['A hook blocked it. Nothing was sent.'],
  ])
})

test('the conversation is compacted before the next prompt if the window is nearly full', async () => {
  const { agent, queue, happen } = hold({ compactAt: () => 80 })
  for (const text of ['one', 'two']) queue.add(entry(text), ui, 'say')
  await settled()
  happen({ type: 'context_reported', at: 2, used: 90, size: 100, costUsd: null })
  agent.end()
  await settled()
  await settled()
  expect(agent.asked).toEqual(['one', 'compact', 'two'])
})

describe('words for the running turn', () => {
  test('go to the agent, and are the next prompt if the turn ends first', async () => {
    const { agent, queue, prompts } = hold()
    for (const text of ['one', 'two']) queue.add(entry(text), ui, 'say')
    await settled()
    queue.steer(entry('now'), ui)
    queue.steer(entry('also'), ui)
    await settled()
    expect(agent.asked).toEqual(['one', 'steer now', 'steer also'])
    agent.end()
    await settled()
    expect([prompts(), texts(queue)]).toEqual([
      ['one', 'now'],
      ['also', 'two'],
    ])
  })

  test('are given back to who asks for them, unless the agent has them', async () => {
    const { agent, queue, kept } = hold()
    queue.add(entry('one'), ui, 'say')
    await settled()
    queue.steer(entry('now'), ui)
    await settled()
    expect(kept()).toEqual(['now'])
    expect(await queue.takeSteer()).toMatchObject({ text: 'now' })
    queue.steer(entry('again', 'id'), ui)
    await settled()
    agent.takeSteers()
    expect([await queue.takeSteer(), kept(), texts(queue)]).toEqual([null, [], []])
  })
})

describe('an entry that is edited', () => {
  test('keeps its place, and those after it wait', async () => {
    const { agent, queue, prompts, kept } = hold()
    for (const text of ['one', 'two', 'three']) queue.add(entry(text), ui, 'say')
    await settled()
    expect(queue.edit('two', ui)).toMatchObject({ text: 'two' })
    expect([queue.edit('three', other), queue.takeOut('two')]).toEqual([null, null])
    agent.end()
    await settled()
    expect([prompts(), texts(queue), queue.shown().edited]).toEqual([['one'], ['two', 'three'], 'two'])
    expect(kept()).toEqual(['two', 'three'])
    expect(queue.putBack(other, entry('stolen', 'two'))).toBe(false)
    expect(queue.putBack(ui, entry('better', 'two'))).toBe(true)
    await settled()
    expect([prompts(), texts(queue)]).toEqual([['one', 'better'], ['three']])
  })

  test('is as it was when its program is gone', async () => {
    const { queue } = hold()
    for (const text of ['one', 'two']) queue.add(entry(text), ui, 'say')
    queue.edit('two', ui)
    queue.leave(ui)
    expect([texts(queue), queue.shown().edited]).toEqual([['two'], null])
  })
})

describe('a command', () => {
  const command = { ...entry('', 'c'), command: 'compact' }

  test('is run by a program, and the queue goes on when it is done', async () => {
    const { agent, queue, prompts, ran } = hold()
    queue.add(entry('one'), ui, 'say')
    queue.add(command, ui, 'say')
    queue.add(entry('two'), ui, 'say')
    await settled()
    agent.end()
    await settled()
    expect([ran, prompts()]).toEqual([['c'], ['one']])
    queue.ran('c', other, false)
    await settled()
    expect(prompts()).toEqual(['one'])
    queue.ran('c', ui, false)
    await settled()
    expect(prompts()).toEqual(['one', 'two'])
  })

  test('becomes a prompt, which counts as its turn', async () => {
    const { agent, queue, prompts } = hold()
    queue.add(command, ui, 'say')
    queue.add(entry('two'), ui, 'say')
    const sent = queue.handIn({ text: 'made of a file', images: [] }, ui, () => undefined)
    await settled()
    expect(prompts()).toEqual(['made of a file'])
    agent.end()
    await sent
    await settled()
    expect(prompts()).toEqual(['made of a file', 'two'])
  })

  test('waits if no program is attached, or if its program is gone', async () => {
    const alone = hold({ run: () => null })
    alone.queue.add(command, null, 'say')
    await settled()
    expect(alone.queue.shown()).toMatchObject({ entries: [{ id: 'c' }], paused: true })
    expect(alone.said[0]).toContain('runs only while a zotui is attached')
    const { queue } = hold()
    queue.add(command, ui, 'say')
    queue.leave(ui)
    expect(queue.shown()).toMatchObject({ entries: [{ id: 'c' }], paused: true })
  })
})

test('an entry that is added again after a lost connection is there once', async () => {
  const { queue, prompts } = hold()
  queue.add(entry('one'), ui, 'say')
  await settled()
  queue.add(entry('one'), ui, 'say')
  queue.add(entry('two'), ui, 'say')
  queue.add(entry('two'), ui, 'say')
  expect([prompts(), texts(queue)]).toEqual([['one'], ['two']])
})

test('a prompt that is sent right after a stopped turn goes out, before that turn is settled', async () => {
  const { promise: settling, resolve: settle } = Promise.withResolvers<void>()
  const { agent, queue, prompts } = hold({
    async operate(work) {
      const done = await work()
      await settling
      return done
    },
  })
  queue.add(entry('one'), ui, 'say')
  await settled()
  agent.abort()
  await settled()
  void queue.handIn({ text: 'instead', images: [] }, ui, () => undefined)
  await settled()
  expect([prompts(), texts(queue)]).toEqual([['one'], []])
  settle()
  await settled()
  expect([prompts(), texts(queue)]).toEqual([['one', 'instead'], []])
})

test('restored prompts wait for the user, before new ones', async () => {
  const { queue, prompts } = hold()
  queue.restore([entry('old')])
  await settled()
  expect([prompts(), queue.shown().paused]).toEqual([[], true])
  queue.add(entry('new'), ui, 'end')
  expect(texts(queue)).toEqual(['old', 'new'])
})

test('whatever happens in whatever order, each prompt is sent once, or is there, or was taken out', async () => {
  const move = fc.record({
    what: fc
      .constantFrom('say', 'end', 'first', 'now', 'steer', 'take', 'edit', 'back', 'replace', 'go', 'pause')
      .map(what => what as string),
    at: fc.nat(5),
  })
  const happening = fc.constantFrom('end', 'fail', 'abort', 'stop', 'deliver', 'leave', 'takeSteer', 'wait', 'beside')
  await fc.assert(
    fc.asyncProperty(fc.array(fc.oneof(move, happening), { maxLength: 40 }), async steps => {
      const { agent, queue, prompts, kept } = hold()
      const out: string[] = []
      let delivered: string[] = []
      let count = 0
      const added: string[] = []
      const fresh = (): HeldEntry => {
        const made = entry(`p${(count += 1)}`)
        added.push(made.text)
        return made
      }
      const idAt = (at: number): string => queue.shown().entries[at]?.id ?? 'none'
      const happenings = new Map<string, () => unknown>([
        ['end', () => agent.end()],
        ['fail', () => agent.end('overloaded')],
        ['abort', () => agent.abort()],
        ['stop', () => queue.stop()],
        [
          'deliver',
          () => {
            delivered = [...delivered, ...[...agent.steers.values()].map(({ text }) => text)]
            agent.takeSteers()
          },
        ],
        ['leave', () => queue.leave(ui)],
        ['takeSteer', () => void queue.takeSteer().then(given => (given ? out.push(given.text) : undefined))],
        ['wait', () => settled()],
        ['beside', () => void queue.beside(async () => undefined)],
      ])
      const moves = new Map<string, (at: number) => unknown>([
        ['say', () => queue.add(fresh(), ui, 'say')],
        ['end', () => queue.add(fresh(), ui, 'end')],
        ['first', () => queue.add(fresh(), ui, 'first')],
        ['now', () => queue.sendNow(fresh(), ui)],
        ['steer', () => queue.steer(fresh(), ui)],
        ['take', at => out.push(...[queue.takeOut(idAt(at))].flatMap(taken => taken?.text ?? []))],
        ['edit', at => queue.edit(idAt(at), ui)],
        ['back', () => queue.putBack(ui, queue.shown().entries.find(({ id }) => id === queue.shown().edited) ?? null)],
        ['replace', at => queue.replace(entry(idAt(at)))],
        ['go', () => queue.goOn()],
        ['pause', () => queue.pause()],
      ])
      for (const step of steps) {
        if (typeof step === 'string') await happenings.get(step)?.()
        else moves.get(step.what)?.(step.at)
      }
      for (let round = 0; round < 3; round += 1) await settled()
      const everywhere = [...prompts(), ...delivered, ...kept(), ...out].toSorted()
      expect(everywhere).toEqual(added.toSorted())
    }),
    { numRuns: 300 },
  )
})
