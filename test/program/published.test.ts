/** The conversations of a UI as servers get them: its own, with what each needs for the list. */
import { expect, test } from 'vitest'
import type { Controller } from '../../src/app/controller-options.ts'
import type { OpenConversation } from '../../src/program/conversation.ts'
import { createPublishedSource } from '../../src/program/published.ts'
import type { OutsideRequests } from '../../src/published/conversation.ts'
import { createAppStore } from '../../src/state/app-store.ts'
import { reduceApp } from '../../src/state/reduce.ts'
import type { Startup } from '../../src/state/state.ts'
import { chatAfter, ended, prompt, started, stops } from '../conversation/events.ts'
import { startup, stateWith } from '../components/stage.ts'

const past = { file: { path: '/s.jsonl', bytes: 9 }, events: [] }
const kept = {
  current: () => ({ id: 's1', isStored: () => true }),
  past: () => past,
  follow: () => () => undefined,
}

const requests: OutsideRequests = {
  questions: () => [],
  queue: () => ({ entries: [{ id: 'q', text: 'next' }], paused: false }),
  models: async () => [{ id: 'm', name: 'Model' }],
  carryOut: async () => ({ ok: true, how: 'done' }),
}

function conversation(
  own: Partial<OpenConversation> = {},
  place: Partial<Startup> = {},
  outside: Controller['outside'] = async () => requests,
) {
  const chat = chatAfter(started, prompt('Fix it'), stops('end'), ended)
  const store = createAppStore(stateWith({ chat, startup: { ...startup, ...place } }), reduceApp)
  const controller = { commands: () => [{ name: 'model' }], outside }
  const facts = {
    folder: '/work/project',
    backgroundId: null,
    isGone: false,
    isSuspended: false,
    title: '',
    sessions: null,
  }
  return { store, controller, kept, ...facts, ...own } as unknown as OpenConversation
}

const ways: Parameters<typeof createPublishedSource>[1] = {
  whyItStays: () => null,
  moveOut: async () => ({ ok: true, value: undefined }),
}
const source = (...all: OpenConversation[]) =>
  createPublishedSource({ all: () => all, onListed: () => () => undefined }, ways)
test('one that another process holds, and one that has ended, are not among them', () => {
  const all = source(
    conversation(),
    conversation({ backgroundId: 'b' }, { conversation: 2 }),
    conversation({ isGone: true }, { conversation: 3 }),
    conversation({}, { conversation: 4 }),
  ).all()
  expect([...all.keys()]).toEqual(['1', '4'])
})

test('a row says where it is, and that its last turn is over, whatever the person at the terminal has seen', () => {
  const [only] = source(conversation({ isSeen: true }))
    .all()
    .values()
  expect(only?.row()).toMatchObject({
    key: '1',
    kind: 'ui',
    session: 's1',
    folder: '/work/project',
    title: 'Fix it',
    state: 'done',
    takes: ['set_model'],
  })
})

test('one on another machine has the name of its folder', () => {
  const [only] = source(conversation({ folder: 'host:/x' }, { folder: 'host:~/x' }))
    .all()
    .values()
  expect(only?.row().folder).toBe('host:~/x')
})

test('the same conversation stays the same, and its past is that of its session', () => {
  const own = source(conversation())
  const [first] = own.all().values()
  expect(own.all().get('1')).toBe(first)
  expect(first?.past()).toBe(past)
})

test('who watches is in its state', () => {
  const one = conversation()
  const [only] = source(one).all().values()
  only?.watched(['Pixel 8'])
  expect(one.store.get().watchers).toEqual(['Pixel 8'])
})

test('what carries out requests is loaded for the first server, which is then shown the queue', async () => {
  const loaded = Promise.withResolvers<OutsideRequests>()
  const [only] = source(conversation({}, {}, () => loaded.promise))
    .all()
    .values()
  const { promise: changed, resolve } = Promise.withResolvers<void>()
  only?.onChange(resolve)
  expect(only?.queue().entries).toEqual([])
  loaded.resolve(requests)
  await changed
  expect([only?.queue().entries, await only?.models()]).toEqual([
    [{ id: 'q', text: 'next' }],
    [{ id: 'm', name: 'Model' }],
  ])
})

test('what cannot be loaded is tried again, and nothing else fails', async () => {
  let tries = 0
  const outside = async () => {
    tries += 1
    if (tries === 1) throw new Error('EMFILE')
    return requests
  }
  const [only] = source(conversation({}, {}, outside))
    .all()
    .values()
  expect(await only?.models()).toEqual([])
  const device = { id: 'd', name: 'Pixel 8', role: 'answer' } as const
  expect(await only?.carryOut({ do: 'stop', id: 'a' }, device, false)).toEqual({ ok: true, how: 'done' })
})
