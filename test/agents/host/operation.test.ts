/** The operation in flight, with a driver that does what a test says: when an agent is told to stop, and what the user is told. */
import { expect, test } from 'vitest'
import type { Prompt } from '../../../src/agent/backend.ts'
import type { AgentEvent } from '../../../src/agent/event.ts'
import type { AgentOperation, Driver } from '../../../src/agents/host/driver.ts'
import { HostedOperation, type OperationTask } from '../../../src/agents/host/operation.ts'

const hello: OperationTask = { type: 'prompt', prompt: { text: 'hello', images: [] } }

/** An agent that has started. What it is asked is in `calls`. */
function open(task: OperationTask = hello, more: Partial<Driver> = {}) {
  const calls: string[] = []
  const events: AgentEvent[] = []
  const driver: Driver = {
    connection: { ended: new Promise(() => undefined), close: async () => undefined, kill: () => undefined },
    limits: { abort: 60_000, closeAbort: 10 },
    endWords: { name: 'x', protocol: 'its protocol', install: '' },
    isReady: true,
    start: async () => 'ready',
    refusal: () => null,
    changed: Promise.resolve(),
    send: () => void calls.push('send'),
    compact: () => void calls.push('compact'),
    cancel: ({ isRunning }: AgentOperation) => void calls.push(isRunning ? 'cancel' : 'cancel the deferred calls'),
    operationEnded: () => void calls.push('ended'),
    clear: async () => ({ ok: true, value: undefined }),
    resumeSession: async () => ({ ok: true, value: undefined }),
    takeOver: async () => null,
    ping: async () => true,
    ended: () => undefined,
    ...more,
  }
  let isRunning = true
  const operation = new HostedOperation(task, {
    driver,
    now: () => 1,
    emit: event => events.push(event),
    isRunning: () => isRunning,
  })
  const over = operation.run('x')
  const sent = async (): Promise<void> => {
    await expect.poll(() => calls).toContain(task.type === 'prompt' ? 'send' : 'compact')
  }
  const types = (): string[] => events.map(({ type }) => type)
  return { operation, over, calls, events, types, sent, end: () => (isRunning = false) }
}

test('an abort before the agent has accepted the prompt reaches it afterwards, once', async () => {
  const { operation, over, calls, types, sent } = open()
  await sent()
  operation.abort()
  operation.abort()
  expect(calls).toEqual(['send'])
  operation.accepted()
  operation.abort()
  expect(calls).toEqual(['send', 'cancel'])
  operation.end([{ type: 'turn_ended', at: 2 }])
  await over
  expect(types()).toEqual(['prompt_sent', 'abort_requested', 'prompt_accepted', 'turn_ended'])
})

test.each<[sendsStopped: boolean, calls: string[], types: string[]]>([
  [false, ['ended'], ['prompt_sent', 'abort_requested', 'turn_ended']],
  [true, ['send'], ['prompt_sent', 'abort_requested']],
])('a prompt that is stopped before it is sent; sendsStopped: %s', async (sendsStopped, asked, told) => {
  const { promise: ready, resolve } = Promise.withResolvers<void>()
  const prompt: Prompt = { text: 'hello', images: [], ready }
  const { operation, calls, types } = open({ type: 'prompt', prompt }, { sendsStopped })
  operation.abort()
  resolve()
  await expect.poll(() => calls).toEqual(asked)
  expect(types()).toEqual(told)
  operation.end([])
})

test('an abort while calls are deferred ends the turn without another prompt', async () => {
  const { operation, over, calls, types, sent } = open()
  await sent()
  operation.accepted()
  const { promise: outcomes, resolve } = Promise.withResolvers<string>()
  void operation.continueWith(outcomes, text => calls.push(text))
  expect(operation.isRunning).toBe(false)
  operation.abort()
  resolve('the outcome')
  await over
  expect(calls).toEqual(['send', 'cancel the deferred calls', 'ended'])
  expect(types()).toEqual(['prompt_sent', 'prompt_accepted', 'abort_requested', 'turn_ended'])
})

test('an abort after the outcome of deferred calls was sent waits until the agent has begun with it', async () => {
  const { operation, over, calls, types, sent } = open()
  await sent()
  operation.accepted()
  await operation.continueWith(Promise.resolve('the outcome'), text => calls.push(text))
  operation.abort()
  expect(calls).toEqual(['send', 'the outcome'])
  operation.accepted()
  expect(calls).toEqual(['send', 'the outcome', 'cancel'])
  operation.end([{ type: 'turn_ended', at: 2 }])
  await over
  expect(types().filter(type => type === 'prompt_accepted')).toHaveLength(1)
})

test('an agent that does not take the outcome of deferred calls fails the turn, which was accepted', async () => {
  const { operation, over, calls, events, sent } = open()
  await sent()
  operation.accepted()
  await operation.continueWith(Promise.resolve('the outcome'), text => calls.push(text))
  operation.refuse('too long')
  await over
  expect(events.slice(2)).toEqual([
    { type: 'error_reported', at: 1, message: 'too long' },
    { type: 'turn_ended', at: 1 },
  ])
})

test('an agent that ends while calls are deferred gets no other prompt', async () => {
  const { operation, over, calls, sent, end } = open()
  await sent()
  operation.accepted()
  const { promise: outcomes, resolve } = Promise.withResolvers<string>()
  void operation.continueWith(outcomes, text => calls.push(text))
  end()
  resolve('the outcome')
  await over
  expect(calls).toEqual(['send', 'ended'])
})

test('a compaction has events of its own, and is not accepted', async () => {
  const { operation, over, calls, types, sent } = open({ type: 'compact' })
  await sent()
  operation.accepted()
  operation.refuse('busy')
  await over
  expect(calls).toEqual(['compact', 'ended'])
  expect(types()).toEqual(['compaction_started', 'compaction_failed'])
})

test('an operation that is over takes nothing more', async () => {
  const { operation, over, calls, types, sent } = open()
  await sent()
  operation.refuse('no')
  await over
  operation.accepted()
  operation.abort()
  operation.end([{ type: 'turn_ended', at: 2 }])
  expect(calls).toEqual(['send', 'ended'])
  expect(types()).toEqual(['prompt_sent', 'prompt_refused'])
})
