/** The bench's agent in the Agent Client Protocol. */
import { abort, line, play, reply, serve } from './rpc-agent.ts'

const MODEL = 'bench-model'
const SESSION = '0199d3a4-5b6c-7d8e-9f00-a1b2c3d4e5f6'
const MESSAGE = 'msg_0123456789abcdef'

/** As long as the list of Qwen Code: 560 kB in one line. */
const COMMANDS = update({
  sessionUpdate: 'available_commands_update',
  availableCommands: Array.from({ length: 1500 }, (_, number) => ({
    name: `command-${number}`,
    description: `Does ${'something with the files of the project, '.repeat(7)}and that is number ${number}.`,
    input: number % 2 === 0 ? null : { hint: '[what]' },
  })),
})

serve(({ id, method, params }) => {
  switch (method) {
    case 'initialize':
      return reply(id, { protocolVersion: 1, agentInfo: { name: 'bench', version: '0.0.0' }, agentCapabilities: {} })
    case 'session/new': {
      const models = { currentModelId: MODEL, availableModels: [{ modelId: MODEL, name: MODEL }] }
      return reply(id, { sessionId: SESSION, models })
    }
    case 'session/prompt':
      return void play({
        prompt: ((params?.['prompt'] ?? []) as readonly { text?: string }[]).map(({ text }) => text ?? '').join(''),
        delta: text =>
          update({ sessionUpdate: 'agent_message_chunk', content: { type: 'text', text }, messageId: MESSAGE }),
        list: COMMANDS,
        end: isAborted => reply(id, { stopReason: isAborted ? 'cancelled' : 'end_turn' }),
      })
    case 'session/cancel':
      return abort()
    default:
      return reply(id, {})
  }
})

function update(facts: object): string {
  return line({ method: 'session/update', params: { sessionId: SESSION, update: facts } })
}
