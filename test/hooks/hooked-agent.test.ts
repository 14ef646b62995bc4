/** The decision about a call: of the rules, of the hooks and of the user. */
import { setImmediate as settled } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import type { Backend } from '../../src/agent/backend.ts'
import { createListeners } from '../../src/agent/listeners.ts'
import type { AgentEvent, EventOf } from '../../src/agent/event.ts'
import type { Judge, ToolRequest, Verdict } from '../../src/agent/permission.ts'
import type { PermissionAnswer } from '../../src/agent/requests.ts'
import type { HookEvent } from '../../src/config/hooks.ts'
import { noAnswer, type HookAnswer } from '../../src/hooks/answer.ts'
import { hookedAgent } from '../../src/hooks/hooked-agent.ts'
import type { Hooks } from '../../src/hooks/hooks.ts'
import { FakeBackend } from '../app/fake-backend.ts'
import { prompt, type Told } from '../conversation/events.ts'

const request: ToolRequest = {
  id: 'q1',
  callId: 'c1',
  tool: 'bash',
  kind: 'command',
  arguments: { command: 'make' },
  folder: '/p',
  command: 'make',
}
const allows: Verdict = { verdict: 'allow', because: 'a rule' }
const asks: Verdict = { verdict: 'ask', because: 'the mode is ask' }
const refuses: Verdict = { verdict: 'refuse', because: 'a deny rule', words: 'Denied.' }
const unread: Verdict = { verdict: 'ask', because: 'the rules are still being read', isProvisional: true }

const says = (word: HookAnswer['says'], reason = ''): HookAnswer => ({ ...noAnswer, says: word, reason })

type Answers = Partial<Record<HookEvent, HookAnswer | Promise<HookAnswer>>>

const lenient: Judge = () => allows

/** An agent with hooks that answer this, and a judge whose verdict may change. */
function agentWith(answers: Answers, first: Verdict) {
  let verdict = first
  const { emit: tell, subscribe } = createListeners<[AgentEvent]>()
  let judge = lenient
  const log: string[] = []
  const emit = (event: Told): void => tell({ ...event, at: 1 })
  const inner = {
    name: 'zot',
    subscribe,
    judgeWith(given: Judge) {
      judge = given
    },
    answerPermission(id: string, answer: PermissionAnswer, by: string) {
      const git =
        answer.answer === 'allow' && answer.box?.kind === 'reading' ? ` with ${JSON.stringify(answer.box.git)}` : ''
      log.push(`answered ${answer.answer}${git} by ${by}${answer.answer === 'refuse' ? `: ${answer.words}` : ''}`)
      emit({ type: 'permission_decided', id, allowed: answer.answer === 'allow', by: 'rule' })
    },
  } as unknown as Backend
  const signals: (AbortSignal | undefined)[] = []
  const hooks: Pick<Hooks, 'has' | 'ask' | 'notify'> = {
    has: event => answers[event] !== undefined,
    async ask(event, _input, options) {
      log.push(event)
      signals.push(options?.signal)
      return answers[event] ?? noAnswer
    },
    notify: event => void log.push(event),
  }
  const hooked = hookedAgent({ backend: inner, hooks: hooks as Hooks, now: () => 50 })
  const { backend, doubtOf } = hooked
  backend.subscribe(({ type, ...event }) => {
    if (type === 'permission_requested') log.push(`asks: ${(event as EventOf<'permission_requested'>).because}`)
    else if (type === 'call_refused') log.push(`refused: ${(event as EventOf<'call_refused'>).because}`)
    else log.push(type)
  })
  backend.judgeWith(() => verdict)
  return {
    log,
    signals,
    doubtOf,
    emit,
    change: (next: Verdict) => {
      verdict = next
    },
    /** The agent is about to make the call. */
    async call(changes: Partial<ToolRequest> = {}) {
      const asked = { ...request, ...changes }
      const given = await judge(asked)
      if (given.verdict === 'ask') {
        const { paths: _paths, options, ...facts } = asked
        emit({
          type: 'permission_requested',
          ...facts,
          ...(options && { options: [...options] }),
          because: given.because,
        })
      } else log.push(`${given.verdict} at once`)
      await settled()
      return log
    },
  }
}

test('git keeps the settings with which it only reads where hooks saw the call first', async () => {
  const reads: Verdict = { ...allows, box: { kind: 'reading', git: [['diff.x.textconv', 'cat']] } }
  const held = 'answered allow with [["diff.x.textconv","cat"]] by rule'
  expect(await agentWith({ PreToolUse: noAnswer }, reads).call()).toContain(held)
  expect(await agentWith({ PreToolUse: says('allow') }, reads).call()).toContain(held)
})

test('what hooks said about a call is no answer to the same call with other arguments', async () => {
  const agent = agentWith({ PreToolUse: says('allow') }, asks)
  await agent.call({ arguments: { command: 'ls' } })
  await agent.call({ id: 'again', arguments: { command: 'rm -r .' } })
  expect(agent.log.filter(entry => entry === 'PreToolUse')).toHaveLength(2)
})

test('what hooks said about a call is no answer to a later one with its id', async () => {
  const agent = agentWith({ PreToolUse: says('allow') }, asks)
  await agent.call()
  agent.emit({ type: 'tool_finished', id: 'c1', failed: false, content: [] })
  await agent.call({ id: 'again' })
  expect(agent.log.filter(entry => entry === 'PreToolUse')).toHaveLength(2)
})

test('the order of the arguments makes no other call', async () => {
  const agent = agentWith({ PreToolUse: says('allow') }, asks)
  await agent.call({ arguments: { path: 'a', content: 'b' } })
  await agent.call({ id: 'again', arguments: { content: 'b', path: 'a' } })
  expect(agent.log.filter(entry => entry === 'PreToolUse')).toHaveLength(1)
})

describe('what a command in the sandbox wants', () => {
  const wants = { kind: 'host', host: 'api.example.org', port: 443 } as const

  test.each<[string, Answers, Verdict, string[]]>([
    [
      'is left to the user, whatever a hook or a rule allows',
      { PreToolUse: says('allow'), PermissionRequest: says('allow') },
      allows,
      ['PermissionRequest', 'Notification', 'asks: a rule'],
    ],
    [
      'is left to the user where the hooks look only at calls',
      { PreToolUse: says('deny') },
      asks,
      ['PermissionRequest', 'Notification', 'asks: the mode is ask'],
    ],
    [
      'is refused by a hook',
      { PermissionRequest: says('deny', 'not today') },
      asks,
      [
        'PermissionRequest',
        'answered refuse by rule: Blocked by your hook: Not today.',
        'refused: your hook: not today',
      ],
    ],
    [
      'is refused by a rule',
      { PermissionRequest: says('allow') },
      refuses,
      ['answered refuse by rule: Denied.', 'refused: a deny rule'],
    ],
  ])('%s', async (_name, answers, verdict, log) => {
    const agent = agentWith(answers, verdict)
    const { verdict: _verdict, because } = verdict
    agent.emit({ type: 'permission_requested', ...request, paths: undefined, options: undefined, wants, because })
    await settled()
    expect(agent.log).toEqual(log)
  })
})

describe('a call', () => {
  test.each<[string, Answers, Verdict, string[]]>([
    ['without hooks is allowed by a rule', {}, allows, ['allow at once']],
    ['without hooks is asked', {}, asks, ['Notification', 'asks: the mode is ask']],
    ['that a rule refuses runs no hook', { PreToolUse: says('allow') }, refuses, ['refuse at once']],
    [
      'is refused by a hook, also where a rule allows it',
      { PreToolUse: says('deny', 'no make') },
      allows,
      [
        'PreToolUse',
        'answered refuse by rule: Blocked by your hook: No make. Nothing was run or changed. Do not try to do the same in another way.',
        'refused: your hook: no make',
      ],
    ],
    ['is allowed by a hook', { PreToolUse: says('allow') }, asks, ['PreToolUse', 'answered allow by rule']],
    ['is left to a rule that allows it', { PreToolUse: noAnswer }, allows, ['PreToolUse', 'answered allow by rule']],
    [
      'is left to the user by a hook that says so',
      { PreToolUse: says('ask', 'it is late') },
      allows,
      ['PreToolUse', 'Notification', 'asks: a hook asks you to decide: it is late'],
    ],
    [
      'is left to the user by a hook that fails, also where a rule allows it',
      { PreToolUse: says('doubt', 'failed with exit code 1'), PermissionRequest: says('allow') },
      allows,
      ['PreToolUse', 'Notification', 'asks: a hook failed with exit code 1'],
    ],
    [
      'that would be asked is allowed by the next hook',
      { PreToolUse: noAnswer, PermissionRequest: says('allow') },
      asks,
      ['PreToolUse', 'PermissionRequest', 'answered allow by rule'],
    ],
    ['that a rule allows is no permission request', { PermissionRequest: says('deny') }, allows, ['allow at once']],
    [
      'that would be asked is refused by a hook',
      { PermissionRequest: says('deny') },
      asks,
      [
        'PermissionRequest',
        'answered refuse by rule: Blocked by your hook. Nothing was run or changed. Do not try to do the same in another way.',
        'refused: your hook',
      ],
    ],
    [
      'is left to the user by hooks that say nothing',
      { PermissionRequest: noAnswer },
      asks,
      ['PermissionRequest', 'Notification', 'asks: the mode is ask'],
    ],
    [
      'is left to the user by a request hook that fails',
      { PermissionRequest: says('doubt', 'did not answer within 60s') },
      asks,
      ['PermissionRequest', 'Notification', 'asks: a hook did not answer within 60s'],
    ],
    [
      'is not allowed by a hook before the rules are known',
      { PermissionRequest: says('allow') },
      unread,
      ['PermissionRequest', 'Notification', 'asks: the rules are still being read'],
    ],
    [
      'is refused by a hook that ends the turn',
      { PermissionRequest: { ...says('deny', 'enough'), stops: true } },
      asks,
      ['PermissionRequest', 'answered stop by rule', 'refused: your hook: enough'],
    ],
  ])('%s', async (_name, answers, verdict, log) => {
    expect(await agentWith(answers, verdict).call()).toEqual(log)
  })

  test('that a hook allows is refused by a rule that came meanwhile', async () => {
    const { promise, resolve } = Promise.withResolvers<HookAnswer>()
    const agent = agentWith({ PreToolUse: promise }, asks)
    await agent.call()
    agent.change(refuses)
    resolve(says('allow'))
    await settled()
    expect(agent.log).toEqual(['PreToolUse', 'answered refuse by rule: Denied.', 'refused: a deny rule'])
  })

  test('is asked by nobody while hooks decide, and not at all if the turn ends before', async () => {
    const { promise, resolve } = Promise.withResolvers<HookAnswer>()
    const agent = agentWith({ PreToolUse: promise }, asks)
    expect(await agent.call()).toEqual(['PreToolUse'])
    agent.emit({ type: 'permission_decided', id: 'q1', allowed: false, by: 'end' })
    expect(agent.signals[0]?.aborted).toBe(true)
    resolve(says('allow'))
    await settled()
    expect(agent.log).toEqual(['PreToolUse'])
  })

  test('that a hook doubts stays with the user, whatever the rules say then', async () => {
    const agent = agentWith({ PreToolUse: says('doubt', 'failed') }, allows)
    await agent.call()
    expect(agent.doubtOf({ id: 'q1' })).toBe('a hook failed')
    expect(agent.doubtOf({ id: 'q2' })).toBeNull()
    agent.emit({ type: 'permission_decided', id: 'q1', allowed: true, by: 'user' })
    expect(agent.doubtOf({ id: 'q1' })).toBeNull()
    expect(agent.log.at(-1)).toBe('permission_decided')
  })

  test('is looked at once, when it is reported or when it is asked', async () => {
    const told: Told = { type: 'tool_called', id: 'c1', name: 'bash', arguments: { command: 'make' } }
    const agent = agentWith({ PreToolUse: says('allow') }, asks)
    agent.emit(told)
    await agent.call()
    expect(agent.log).toEqual(['PreToolUse', 'tool_called', 'answered allow by rule'])
    agent.emit(prompt('again'))
    agent.emit(told)
    expect(agent.log.filter(word => word === 'PreToolUse')).toHaveLength(2)
  })

  test('of a subagent is looked at, also where nobody is asked about it', () => {
    const agent = agentWith({ PreToolUse: says('deny') }, asks)
    const event = { type: 'tool_called', at: 1, id: 'c1', name: 'bash', arguments: { command: 'make' } } as const
    agent.emit({ type: 'task_event', id: 't', event })
    expect(agent.log).toEqual(['PreToolUse', 'task_event'])
  })

  test('of an earlier conversation that an agent repeats is not looked at', () => {
    const agent = agentWith({ PreToolUse: says('deny') }, asks)
    agent.emit({ type: 'prompt_sent', text: 'old', images: [], remembered: true })
    agent.emit({ type: 'tool_called', id: 'c1', name: 'bash', arguments: {} })
    expect(agent.log).toEqual(['prompt_sent', 'tool_called'])
  })

  test('of an agent with answers of its own is allowed once, or left to the user', async () => {
    const once = { id: 'a', name: 'Yes', kind: 'allow_once' }
    const always = { id: 'b', name: 'Always', kind: 'allow_always' }
    expect(await agentWith({ PermissionRequest: says('allow') }, asks).call({ options: [always, once] })).toEqual([
      'PermissionRequest',
      'answered allow by rule',
    ])
    expect(await agentWith({ PermissionRequest: says('allow') }, asks).call({ options: [always] })).toEqual([
      'PermissionRequest',
      'Notification',
      'asks: the mode is ask',
    ])
  })
})

test('an ability that the agent lacks is lacking with hooks, too', () => {
  const { backend } = hookedAgent({
    backend: new FakeBackend(() => 0),
    hooks: {} as Hooks,
    now: () => 0,
  })
  expect(backend.name).toBe('zot')
  expect(backend.abilities.has('judgeWith')).toBe(false)
  expect(backend.abilities.has('compact')).toBe(true)
})
