/**
 * Faults of an agent of the Agent Client Protocol beside its prompts: at a request of ours, at the stop of a subagent, and in a turn that
 * it begins itself. The name comes after the method, in the prompt before.
 */
import process from 'node:process'
import { call, session, update, words } from '../fixtures/agents/acp-wire.ts'
import { say, type Frame } from '../fixtures/agents/rpc-wire.ts'
import { odd } from './odd.ts'

export type FaultyAnswer = {
  /** Answers as it should, or something else. */
  take: (result?: unknown) => void
  fail: (error: unknown) => void
  /** Calls it before the answer to the next prompt. */
  later: (answer: () => void) => void
}

export const requestFaults: Record<string, (answer: FaultyAnswer) => void> = {
  'never answered': () => undefined,
  'answered too late': ({ take, later }) => later(take),
  refused: ({ fail }) => fail({ code: -32603, message: 'Internal error', data: { details: 'no disk' } }),
  'refused with an odd error': ({ fail }) => fail({ code: 'x', message: 7 }),
  'answered with a number': ({ take }) => take(7),
  'answered with a list': ({ take }) => take([null]),
  'answered twice': ({ take }) => {
    take()
    take()
  },
  'answered and then refused': ({ take, fail }) => {
    take()
    fail({ code: -32603, message: 'too late' })
  },
  'refused and then answered': ({ take, fail }) => {
    fail({ code: -32603, message: 'no disk' })
    take()
  },
  'answered after a flood': ({ take }) => {
    for (const value of odd) say(update('session_info_update', { title: value, _meta: value }))
    for (let piece = 0; piece < 5000; piece += 1) say(words('word '))
    take()
  },
  'killed before the answer': () => process.kill(process.pid, 'SIGKILL'),
}

export type FaultyWork = {
  id: Frame['id'] | undefined
  /** Calls it with the next answer or cancellation of the client. */
  heard: (next: (frame: Frame) => void) => void
}

const child = (state: unknown): object =>
  update('subagent_update', { sessionId: 'kid', title: 'Kid', capabilities: { cancel: {} }, state })
const stopped = child({ state: 'idle', stopReason: 'cancelled' })
const inChild = (text: string): object => update('agent_message_chunk', { content: { type: 'text', text } }, 'kid')

/** The subagent that is stopped. */
export const subagentAtWork = [child({ state: 'running' }), inChild('I work. ')]

/** What an agent does with the request to stop its subagent, which has no answer. */
export const stopFaults: Record<string, (work: FaultyWork) => void> = {
  'is not heard': () => undefined,
  'ends it twice': () => say(stopped, stopped),
  'ends it, and it works again': () => say(stopped, child({ state: 'running' }), inChild('Again. ')),
  'is answered like a request': () => say({ id: null, result: {} }, { id: 99, result: {} }, stopped),
  'is refused like a request': () => say({ id: null, error: { code: -32601, message: 'Method not found' } }),
  'is followed by odd states': () => say(...odd.flatMap(value => [child(value), child({ state: value })])),
  'kills the agent': () => process.kill(process.pid, 'SIGKILL'),
}

/** Claude Code ends a turn of its own with what it has cost. */
const cost = update('usage_update', {
  used: 10,
  size: 1000,
  cost: { amount: 0.5, currency: 'USD' },
  _meta: { '_claude/origin': { kind: 'task-notification' } },
})

const permission = {
  id: 0,
  method: 'session/request_permission',
  params: {
    sessionId: session,
    toolCall: { toolCallId: 'a' },
    options: [{ optionId: 'y', name: 'Yes', kind: 'allow_once' }],
  },
}

/** A turn that the agent begins itself, after its answer to a request. */
const own =
  (work: (heard: FaultyWork['heard']) => void): ((work: FaultyWork) => void) =>
  ({ id, heard }) => {
    say({ id, result: {} })
    work(heard)
  }

export const ownTurnFaults: Record<string, (work: FaultyWork) => void> = {
  'never ends': own(() => say(words('Mine.'))),
  'ends twice': own(() => say(words('Mine.'), cost, cost)),
  'ends before it begins': own(() => say(cost, words('Mine.'))),
  'never ends, in a call': own(() => say(words('Mine.'), call('a'))),
  'goes on after its stop': own(heard => {
    say(words('Mine.'), call('a'))
    heard(() => say(words(' More.')))
  }),
  'asks, and never ends': own(() => say(words('Mine.'), call('a', { status: 'pending' }), permission)),
  'is cut by a death': own(() => {
    say(words('Mine.'), call('a', { status: 'pending' }), permission)
    process.stdout.write('', () => process.exit(9))
  }),
}
