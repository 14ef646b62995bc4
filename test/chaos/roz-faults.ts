/** Faults of a roz server in a turn: the name is the prompt. */
import { status } from '@grpc/grpc-js'
import type { FakeSession } from '../agents/roz/fake-server.ts'
import { isLong } from '../helpers/length.ts'

const none = { input_tokens: 0, output_tokens: 0, cache_creation_tokens: 0, cache_read_tokens: 0 }
const done = (session: FakeSession, stop = 'end_turn'): void =>
  session.say('turn_finished', { ...none, stop_reason: stop })

/** A turn with this in its middle. */
const amid =
  (fault: (session: FakeSession) => void) =>
  (session: FakeSession): void => {
    session.say('text_delta', { content: 'Before it. ' })
    fault(session)
    session.say('text_delta', { content: 'After it.' })
    done(session)
  }

/** Arms of the envelope, known and unknown, without any field. */
const arms =
  'session_started text_delta thinking_delta tool_call_started tool_call_requested tool_call_finished safe_pause_entered activity_changed ' +
  'presence_hinted turn_started context_compacted tool_unavailable approval_resolved safe_pause_cleared safety_intervention ' +
  'mcp_server_degraded skill_loaded skill_crystallized'

export const turnFaults: Record<string, (session: FakeSession) => void> = {
  'events without fields': amid(session => {
    for (const arm of arms.split(' ')) session.raw({ session_event: { [arm]: {} } })
    for (const arm of ['keepalive', 'pong', 'task_progress', 'session_event']) session.raw({ [arm]: {} })
    session.raw({})
  }),
  'events of another size': amid(session => {
    const long = 'x'.repeat(1_000_000)
    session.say('activity_changed', { state: long, reason: long })
    session.say('thinking_delta', { content: long })
    session.say('skill_loaded', { name: long, version: long })
  }),
  'control sequences': amid(session => {
    const hostile = '\u001B[2J\u001B]0;owned\u0007\0\u202E'
    session.say('activity_changed', { state: hostile, reason: hostile })
    session.say('mcp_server_degraded', { server_name: hostile, failure_count: 1, last_error: hostile })
    session.call('hostile', hostile, { [hostile]: hostile })
  }),
  'a call without an id': amid(session => session.call('', 'bash', { command: 'touch made' })),
  'calls without ends': amid(session => {
    for (const id of ['a', 'b']) session.say('tool_call_started', { call_id: id, tool_name: 'memory', words: '' })
  }),
  'ends of unknown calls': amid(session =>
    session.say('tool_call_finished', { call_id: 'nobody', tool_name: 'memory', words: 'x' }),
  ),
  'repeated ids': amid(session => {
    for (let time = 0; time < 3; time += 1) session.call('same', 'read', { path: 'nothing' })
  }),
  'a call that is nested deeply': amid(session => {
    let deep: Record<string, unknown> = {}
    for (let depth = 0; depth < 20; depth += 1) deep = { deep: [deep, null, Number.NaN, '\0'] }
    session.call('deep', 'bash', deep)
  }),
  'an approval that nobody resolves': amid(session =>
    session.say('approval_requested', { approval_id: 'a', action: 'rm', reason: '', timeout_secs: '9' }),
  ),
  'the same approval twice': amid(session => {
    for (let time = 0; time < 2; time += 1)
      session.say('approval_requested', { approval_id: 'a', action: 'rm', reason: '', timeout_secs: '9' })
    for (let time = 0; time < 2; time += 1) session.say('approval_resolved', { approval_id: 'a' })
  }),
  'the beginning twice': amid(session => session.say('turn_started', { turn_index: 9 })),
  'the end twice'(session) {
    session.say('text_delta', { content: 'Before it. After it.' })
    done(session)
    done(session)
  },
  'words after the end'(session) {
    session.say('text_delta', { content: 'Before it. After it.' })
    done(session)
    session.say('text_delta', { content: 'Too late.' })
    session.call('late', 'bash', { command: 'touch made' })
  },
  'an unknown stop'(session) {
    session.say('text_delta', { content: 'Before it. After it.' })
    done(session, 'a word of tomorrow')
  },
  'an unknown rejection': amid(session =>
    session.say('session_rejected', { code: 'from_tomorrow', message: '', retryable: true }),
  ),
  'a flood of pieces': amid(session => {
    for (let piece = 0; piece < (isLong ? 20_000 : 4000); piece += 1) session.say('text_delta', { content: 'word ' })
  }),
  'a broken stream'(session) {
    session.say('text_delta', { content: 'Before it. After it.' })
    session.end(status.INTERNAL, 'it broke')
  },
  'an end of the stream'(session) {
    session.say('text_delta', { content: 'Before it. After it.' })
    session.end()
  },
  'an unknown status'(session) {
    session.say('text_delta', { content: 'Before it. After it.' })
    session.end(status.DATA_LOSS, '\u001B[2Jlost')
  },
}
