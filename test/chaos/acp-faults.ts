/** What can go wrong in a turn of an agent of the Agent Client Protocol: the name is the prompt. */
import process from 'node:process'
import { call, ended, say, update, words, type Frame } from '../fixtures/agents/acp-wire.ts'

export type FaultyTurn = {
  /** Ends the turn. */
  done: (stopReason?: string) => void
  /** Calls it with the next answer or cancellation of the client. */
  heard: (next: (frame: Frame) => void) => void
  id: number | string
}
type Fault = (turn: FaultyTurn) => void

/** A turn with these frames in its middle. */
const amid =
  (...frames: object[]): Fault =>
  ({ done }) => {
    say(words('Before it. '), ...frames, words('After it.'))
    done()
  }

/** A turn with these bytes in its middle. */
const between =
  (bytes: () => string | Buffer): Fault =>
  ({ done }) => {
    say(words('Before it. '))
    process.stdout.write(bytes())
    say(words('After it.'))
    done()
  }

/** A turn in which the agent asks something, and goes on after the answer. */
const asking =
  (...frames: object[]): Fault =>
  ({ done, heard }) => {
    say(words('Before it. '), ...frames)
    heard(({ result, error }) => {
      say(words(`Heard ${JSON.stringify(result ?? error)}. After it.`))
      done()
    })
  }

const permission = (params: object): object => ({ id: 0, method: 'session/request_permission', params })
const toolCall = { toolCallId: 'p', title: 'rm -rf /', kind: 'execute', rawInput: { command: 'rm -rf /' } }
const odd: readonly unknown[] = [null, 7, -1, true, 'text', [], [null, 7, 'x'], {}, { type: 7 }, '\0\u001B[2J']
const kinds = (
  'user_message_chunk agent_message_chunk agent_thought_chunk tool_call tool_call_update plan available_commands_update ' +
  'current_mode_update config_option_update session_info_update usage_update notice compaction_update from_tomorrow'
).split(' ')
const fields =
  'content messageId toolCallId title kind status locations rawInput rawOutput entries availableCommands currentModeId configOptions used size cost severity summary _meta'.split(
    ' ',
  )

export const turnFaults: Record<string, Fault> = {
  'garbage lines': between(() =>
    Buffer.concat([Buffer.from('no json\n\n{}\n[1\n"x"\n'), Buffer.alloc(100, 255), Buffer.from('\n')]),
  ),
  'half a line': between(() => '{"jsonrpc":"2.0","method\n'),
  'a line of 70 MB': between(() => Buffer.concat([Buffer.alloc(70_000_000, 120), Buffer.from('\n')])),
  'a result of 50 MB': amid(call('big'), ended('big', `${'x'.repeat(99)}\n`.repeat(500_000))),
  'answers to nobody': amid({ id: null, error: { code: -32700, message: 'Parse error' } }, { id: 77, result: {} }),
  'wrong types': amid(
    ...kinds.flatMap(kind => odd.map(value => update(kind, Object.fromEntries(fields.map(field => [field, value]))))),
  ),
  'missing fields': amid(...kinds.map(kind => update(kind, {}))),
  'another session': amid(update('agent_message_chunk', { content: { type: 'text', text: 'Lost. ' } }, 'another')),
  'updates of unknown calls': amid(ended('nobody'), update('tool_call_update', { toolCallId: 'nothing' })),
  'calls without ends': amid(call('a'), call('b'), call('c', { status: 'pending', rawInput: {} })),
  'repeated ids': amid(call('a'), ended('a'), call('a'), call('a'), ended('a'), ended('a')),
  'asks for files': asking({ id: 0, method: 'fs/write_text_file', params: { path: '/etc/passwd', content: 'x' } }),
  'asks for a terminal': asking({ id: 0, method: 'terminal/create', params: { command: 'rm' } }),
  'a permission without options': asking(permission({ sessionId: 'a-session', toolCall, options: [] })),
  'a permission that cannot be read': asking(permission({ sessionId: 7, options: 'all' })),
  'a permission of another session': asking(
    permission({ sessionId: 'b', toolCall, options: [{ optionId: 'y', name: 'Yes', kind: 'allow_once' }] }),
  ),
  'two answers of one name': asking(
    permission({
      sessionId: 'a-session',
      toolCall,
      options: ['allow_once', 'reject_once'].map(kind => ({ optionId: 'x', name: kind, kind })),
    }),
  ),
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
  'the end twice': ({ done }) => {
    say(words('Before it. After it.'))
    done()
    done()
  },
  'words after the end': ({ done }) => {
    say(words('Before it. After it.'))
    done()
    say(words('Too late.'), call('late'), ended('late'))
  },
  'an unknown stop': ({ done }) => {
    say(words('Before it. After it.'))
    done('a word of tomorrow')
  },
  'an error': ({ id }) => say(words('Before it. After it.'), { id, error: { code: 500, message: 'terminated' } }),
  '100000 pieces': ({ done }) => {
    say(words('Before it. '))
    process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...words('word ') })}\n`.repeat(100_000))
    say(words('After it.'))
    done()
  },
  'a list of 600 kB, three times': amid(
    ...[1, 2, 3].map(() =>
      update('available_commands_update', {
        availableCommands: Array.from({ length: 1000 }, (_, at) => ({ name: `c${at}`, description: 'd'.repeat(560) })),
      }),
    ),
  ),
  'dies in the turn': () => {
    say(words('Before it. '))
    setTimeout(() => process.exit(9), 20)
  },
  'never ends': () => say(words('Before it. ')),
}
