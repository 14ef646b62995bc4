/** The events of an agent, and the hooks that are told of them. */
import { describe, expect, test } from 'vitest'
import { createTurnHooks } from '../../src/hooks/turns.ts'
import { aborting, answered, calls, ended, prompt, step, timed, type Told } from '../conversation/events.ts'

function toldBy(...events: readonly Told[]) {
  const told: unknown[] = []
  let idle: (() => void) | null = null
  const turns = createTurnHooks({
    notify: (event, input, name) => void told.push([event, name ?? '', input]),
    onCleared: () => void told.push('cleared'),
    afterIdle(run) {
      idle = run
      return () => {
        idle = null
      }
    },
  })
  for (const event of timed(events)) turns.follow(event)
  return { told, turns, idle: () => idle }
}

const ofTask = (...events: readonly Told[]): Told[] =>
  timed(events).flatMap(event => (event.type === 'task_event' ? [] : [{ type: 'task_event', id: 't', event }]))
const says = answered({ type: 'text', text: 'All done.' })
const result = (id: string, text: string, failed = false): Told => ({
  type: 'tool_finished',
  id,
  failed,
  content: [{ type: 'text', text }],
})
const STOP = ['Stop', '', { last_assistant_message: 'All done.', stop_hook_active: false }]
const failure = (error: string) => ['StopFailure', '', { error }]

describe('hooks are notified of', () => {
  test.each<[string, Told[], unknown[]]>([
    ['a turn that has ended', [prompt('x'), step(1), says, ended], [STOP]],
    ['a turn that the agent began itself', [{ type: 'turn_begun', cause: 'task' }, step(1), says, ended], [STOP]],
    [
      'a turn that failed',
      [prompt('x'), { type: 'step_ended', stop: 'error', error: 'busy' }, ended],
      [failure('busy')],
    ],
    [
      'a retry that went well',
      [prompt('x'), { type: 'error_reported', message: 'busy' }, step(2), says, ended],
      [STOP],
    ],
    ['a prompt that was rejected', [prompt('x'), { type: 'prompt_refused', message: 'no key' }], [failure('no key')]],
    ['nothing where the user has stopped it', [prompt('x'), says, aborting, ended], []],
    [
      'an agent that has ended by itself',
      [prompt('x'), { type: 'agent_ended', code: 1, signal: null, reason: 'gone', hint: '', expected: false }],
      [failure('gone')],
    ],
    [
      'nothing where zotui has ended it',
      [{ type: 'agent_ended', code: 0, signal: null, reason: '', hint: '', expected: true }],
      [],
    ],
    [
      'a call that has ended',
      [prompt('x'), calls('c', 'bash', { command: 'ls' }), result('c', 'a\n', true)],
      [
        [
          'PostToolUse',
          'bash',
          {
            tool_name: 'bash',
            tool_input: { command: 'ls' },
            tool_use_id: 'c',
            tool_response: { text: 'a\n', failed: true },
          },
        ],
      ],
    ],
    [
      'a call of a subagent, which goes on in the next turn',
      [prompt('x'), ...ofTask(calls('c', 'bash')), prompt('y'), ...ofTask(prompt('z'), result('c', 'a'), ended)],
      [
        [
          'PostToolUse',
          'bash',
          { tool_name: 'bash', tool_input: {}, tool_use_id: 'c', tool_response: { text: 'a', failed: false } },
        ],
      ],
    ],
    [
      'nothing of a call that was refused',
      [
        prompt('x'),
        calls('c', 'bash'),
        { type: 'call_refused', callId: 'c', tool: 'bash', because: 'a rule' },
        result('c', 'Refused.'),
      ],
      [],
    ],
    [
      'nothing of a call of a subagent that was refused',
      [
        prompt('x'),
        ...ofTask(calls('c', 'bash')),
        { type: 'call_refused', callId: 'c', tool: 'bash', because: 'a rule' },
        ...ofTask(result('c', 'Refused.')),
      ],
      [],
    ],
    [
      'nothing of what an agent repeats',
      [
        { type: 'prompt_sent', text: 'x', images: [], remembered: true },
        calls('c', 'bash'),
        result('c', ''),
        says,
        ended,
      ],
      [],
    ],
    ['a conversation that was cleared', [{ type: 'conversation_cleared' }], ['cleared']],
  ])('%s', (_name, events, told) => expect(toldBy(...events).told).toEqual(told))

  test('an agent that nobody answers for a while', () => {
    const { told, idle, turns } = toldBy(prompt('x'), says, ended)
    idle()?.()
    expect(told.at(-1)).toEqual([
      'Notification',
      'idle_prompt',
      expect.objectContaining({ notification_type: 'idle_prompt' }),
    ])
    for (const event of timed([prompt('again')])) turns.follow(event)
    expect(idle()).toBeNull()
  })
})
