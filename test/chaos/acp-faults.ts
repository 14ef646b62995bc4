/** Faults in a turn of an agent of the Agent Client Protocol: the name is the prompt. */
import process from 'node:process'
import { call, ended, update, words } from '../fixtures/agents/acp-wire.ts'
import { say } from '../fixtures/agents/rpc-wire.ts'
import { inheritedNames } from '../helpers/inherited-names.ts'
import { odd } from './odd.ts'
import { rpcFaults, type Fault } from './rpc-faults.ts'

const { faults, amid, asking } = rpcFaults({ words, call, ended })

const permission = (params: object): object => ({ id: 0, method: 'session/request_permission', params })
const toolCall = { toolCallId: 'p', title: 'rm -rf /', kind: 'execute', rawInput: { command: 'rm -rf /' } }
const kinds = (
  'user_message_chunk agent_message_chunk agent_thought_chunk tool_call tool_call_update plan available_commands_update ' +
  'current_mode_update config_option_update session_info_update usage_update notice compaction_update subagent_update session_message from_tomorrow'
).split(' ')
const fields =
  'content messageId toolCallId title kind status locations rawInput rawOutput entries availableCommands currentModeId configOptions used size cost severity summary _meta sessionId capabilities state senderSessionId recipientSessionId'.split(
    ' ',
  )

const subagent = (sessionId: string, fields: object = {}, inSession = 'a-session'): object =>
  update('subagent_update', { sessionId, title: sessionId, state: { state: 'running' }, ...fields }, inSession)

const oddKinds = permission({
  sessionId: 'a-session',
  toolCall,
  options: inheritedNames.map(kind => ({ optionId: kind, name: kind, kind })),
})

/** The same, for somebody who answers. */
export const questions: Record<string, Fault> = { 'a question of kinds that every object inherits': asking(oddKinds) }

export const turnFaults: Record<string, Fault> = {
  ...faults,
  'wrong types': amid(
    ...kinds.flatMap(kind => odd.map(value => update(kind, Object.fromEntries(fields.map(field => [field, value]))))),
  ),
  'missing fields': amid(...kinds.map(kind => update(kind, {}))),
  'another session': amid(update('agent_message_chunk', { content: { type: 'text', text: 'Lost. ' } }, 'another')),
  'subagents that begin each other': amid(
    subagent('a'),
    subagent('b', {}, 'a'),
    subagent('a', { title: 'again' }, 'b'),
    subagent('b', {}, 'b'),
    subagent('a-session', {}, 'a'),
    update('agent_message_chunk', { content: { type: 'text', text: 'Mine. ' } }, 'b'),
    subagent('a', { state: { state: 'idle' } }),
    subagent('b', { state: { state: 'unknown' } }),
  ),
  'a flood of strangers': amid(
    ...Array.from({ length: 2000 }, (_, at) =>
      update('agent_message_chunk', { content: { type: 'text', text: 'x'.repeat(2000) } }, `stranger-${at}`),
    ),
  ),
  'more subagents than are known': amid(...Array.from({ length: 1200 }, (_, at) => subagent(`kid-${at}`))),
  'words of a subagent after its end': amid(
    subagent('late'),
    subagent('late', { state: { state: 'idle', stopReason: 'end_turn' } }),
    update('agent_message_chunk', { content: { type: 'text', text: 'Mine. ' } }, 'late'),
    update('tool_call', { toolCallId: 'x', title: 'x', status: 'in_progress' }, 'late'),
    subagent('late', { capabilities: null, state: null, title: null }),
  ),
  'a question of a subagent that ends': amid(
    subagent('asker'),
    permission({
      sessionId: 'asker',
      toolCall,
      options: [{ optionId: 'y', name: 'Yes', kind: 'allow_once' }],
    }),
    subagent('asker', { state: { state: 'idle', stopReason: 'cancelled' } }),
  ),
  'a question of a subagent that vanishes': amid(
    subagent('asker2'),
    permission({ sessionId: 'asker2', toolCall, options: [{ optionId: 'y', name: 'Yes', kind: 'allow_once' }] }),
    { method: '$/cancel_request', params: { requestId: 0 } },
    subagent('asker2', { state: { state: 'idle' } }),
  ),
  'updates of unknown calls': amid(ended('nobody'), update('tool_call_update', { toolCallId: 'nothing' })),
  'calls without ends': amid(call('a'), call('b'), call('c', { status: 'pending', rawInput: {} })),
  'a permission without options': asking(permission({ sessionId: 'a-session', toolCall, options: [] })),
  'a permission that cannot be read': asking(permission({ sessionId: 7, options: 'all' })),
  'a permission of another session': asking(
    permission({ sessionId: 'b', toolCall, options: [{ optionId: 'y', name: 'Yes', kind: 'allow_once' }] }),
  ),
  'two answers with the same name': asking(
    permission({
      sessionId: 'a-session',
      toolCall,
      options: ['allow_once', 'reject_once'].map(kind => ({ optionId: 'x', name: kind, kind })),
    }),
  ),
  'a permission of kinds that every object inherits': ({ done }) => {
    say(words('Before it. '), oddKinds, words('After it.'))
    done()
  },
  'a permission that vanishes': ({ done }) => {
    const options = [{ optionId: 'y', name: 'Yes', kind: 'allow_once' }]
    say(words('Before it. '), permission({ sessionId: 'a-session', toolCall, options }))
    say({ method: '$/cancel_request', params: { requestId: 0 } }, words('After it.'))
    done()
  },
  'a permission left open': ({ done }) => {
    const options = [{ optionId: 'y', name: 'Yes', kind: 'allow_once' }]
    say(words('Before it. '), permission({ sessionId: 'a-session', toolCall, options }), words('After it.'))
    done()
  },
  'a form of another kind': asking({
    id: 0,
    method: 'elicitation/create',
    params: { mode: 'url', message: 'Look', url: 'https://example.org' },
  }),
  'a list of 600 kB, three times': amid(
    ...[1, 2, 3].map(() =>
      update('available_commands_update', {
        availableCommands: Array.from({ length: 1000 }, (_, at) => ({ name: `c${at}`, description: 'd'.repeat(560) })),
      }),
    ),
  ),
}

/** What an agent does with words to its running turn. `take` answers that it has them, or something else. */
export type FaultySteer = { take: (result?: unknown) => void; fail: (error: unknown) => void; done: () => void }

/** The name is the text of the words, during the prompt `takes words`. */
export const steerFaults: Record<string, (steer: FaultySteer) => void> = {
  'never answered': () => undefined,
  'answered twice': ({ take, fail }) => {
    take()
    take()
    take({ outcome: 'failed' })
    fail({ code: -32603, message: 'too late' })
  },
  'answered after the end': ({ take, done }) => {
    done()
    take()
  },
  'answered with odd values': ({ take }) => {
    for (const value of odd) take(value)
  },
  'odd outcomes': ({ take }) => {
    for (const value of odd) take({ outcome: value })
  },
  'an odd error': ({ fail }) => fail({ code: 'x', message: 7 }),
  'a flood before the answer': ({ take }) => {
    for (let piece = 0; piece < 20_000; piece += 1) say(words('word '))
    take()
  },
  'killed with words on their way': () => process.kill(process.pid, 'SIGKILL'),
}
