/** Faults in a turn of Meerkat: the name is the prompt. */
import { call, ended, event, words } from '../fixtures/agents/meerkat-wire.ts'
import { odd } from './odd.ts'
import { rpcFaults, type Fault } from './rpc-faults.ts'

const { faults, amid, asking } = rpcFaults({ words, call, ended })

const kinds = (
  'turn_started turn_completed text_delta text_complete reasoning_delta reasoning_complete tool_call_requested tool_execution_started ' +
  'tool_execution_completed tool_execution_timed_out tool_result_received retrying budget_warning hook_denied skill_resolution_failed ' +
  'stream_truncated compaction_started compaction_completed compaction_failed run_started from_tomorrow'
).split(' ')
const fields =
  'assistant_message_id turn_number delta content id name args is_error usage stop_reason retry identity reason skill_key timeout_ms'.split(
    ' ',
  )
export const turnFaults: Record<string, Fault> = {
  ...faults,
  'wrong types': amid(
    ...kinds.flatMap(type =>
      odd.map(value => event({ ...Object.fromEntries(fields.map(field => [field, value])), type })),
    ),
    ...odd.flatMap(value => [{ method: 'session/event', params: value }, { method: value }]),
    event({ type: 'turn_started', assistant_message_id: 'next' }),
  ),
  'missing fields': amid(...kinds.map(type => event({ type }))),
  'another session': amid(event({ type: 'text_delta', delta: 'Lost. ', assistant_message_id: 'm1' }, 'another')),
  'a call that nobody registered': asking({
    id: 'srv-0',
    method: 'tool/execute',
    params: { tool_use_id: 'a', name: 'shell', arguments: { command: 'rm -rf /' } },
  }),
  'an event that is none': amid({ method: 'session/event', params: { session_id: 'a-session', event: 7 } }),
}
