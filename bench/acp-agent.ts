/** The bench's agent in the Agent Client Protocol. */
import { abort, line, play, reply, serve } from './rpc-agent.ts'

const MODEL = 'bench-model'
const SESSION = '0199d3a4-5b6c-7d8e-9f00-a1b2c3d4e5f6'
const MESSAGE = 'msg_0123456789abcdef'

const SUBAGENTS = 20

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
        beside: {
          before: Array.from({ length: SUBAGENTS }, (_, number) => announced(number)).join(''),
          with: (index, text) => said(index % SUBAGENTS, withoutMarks(text)),
        },
        end: isAborted => reply(id, { stopReason: isAborted ? 'cancelled' : 'end_turn' }),
      })
    case 'session/cancel':
      return abort()
    default:
      return reply(id, {})
  }
})

/** A subagent begins its work. */
function announced(number: number): string {
  const facts = { title: `Part ${number}`, description: 'works on a part', state: { state: 'running' } }
  return update({ sessionUpdate: 'subagent_update', sessionId: childOf(number), ...facts })
}

function said(number: number, text: string | undefined): string {
  const chunk = {
    sessionUpdate: 'agent_message_chunk',
    content: { type: 'text', text },
    messageId: `${MESSAGE}${number}`,
  }
  return line({ method: 'session/update', params: { sessionId: childOf(number), update: chunk } })
}

/** The marks of the answer must be seen in the answer alone. */
function withoutMarks(text: string | undefined): string | undefined {
  return text?.replaceAll(/\d/g, 'x')
}

function childOf(number: number): string {
  return `${SESSION}:subagent:${number}`
}

function update(facts: object): string {
  return line({ method: 'session/update', params: { sessionId: SESSION, update: facts } })
}
