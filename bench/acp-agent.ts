/** Plays an agent of the Agent Client Protocol with real timing: the same answers as the other agent does for zot. */
import process from 'node:process'
import { createInterface } from 'node:readline'
import { now, pace } from './clock.ts'
import { LISTED_AT, parsePlay, Recorder } from './play.ts'
import { makeAnswer } from './text.ts'

type Request = { id?: number; method: string; params?: { prompt?: readonly { text?: string }[] } }

const MODEL = 'bench-model'
const SESSION = '0199d3a4-5b6c-7d8e-9f00-a1b2c3d4e5f6'
const MESSAGE = 'msg_0123456789abcdef'

/** As long as the list of Qwen Code: 560 kB in one line. */
const COMMANDS = frame({
  sessionUpdate: 'available_commands_update',
  availableCommands: Array.from({ length: 1500 }, (_, number) => ({
    name: `command-${number}`,
    description: `Does ${'something with the files of the project, '.repeat(7)}and that is number ${number}.`,
    input: number % 2 === 0 ? null : { hint: '[what]' },
  })),
})

let recorder: Recorder | null = null

createInterface({ input: process.stdin })
  .on('line', line => hear(JSON.parse(line) as Request))
  .on('close', () => process.exit())

function hear({ id, method, params }: Request): void {
  switch (method) {
    case 'initialize':
      return reply(id, { protocolVersion: 1, agentInfo: { name: 'bench', version: '0.0.0' }, agentCapabilities: {} })
    case 'session/new': {
      const models = { currentModelId: MODEL, availableModels: [{ modelId: MODEL, name: MODEL }] }
      return reply(id, { sessionId: SESSION, models })
    }
    case 'session/prompt':
      return void answer(id, (params?.prompt ?? []).map(({ text }) => text ?? '').join(''))
    case 'session/cancel':
      if (recorder) recorder.abortedAt ??= now()
      return
    default:
      return id === undefined ? undefined : reply(id, {})
  }
}

async function answer(id: number | undefined, prompt: string): Promise<void> {
  const { kind, count, rate, turn } = parsePlay(prompt)
  const { deltas } = makeAnswer(count, turn)
  const own = (recorder = new Recorder())
  const listed = new Set(kind === 'commands' ? LISTED_AT.map(share => Math.floor(count * share)) : [])
  await pace(count, rate, index => {
    if (listed.has(index)) process.stdout.write(COMMANDS)
    const content = { type: 'text', text: deltas[index] }
    const line = frame({ sessionUpdate: 'agent_message_chunk', content, messageId: MESSAGE })
    own.time(() => process.stdout.write(line))
    return own.abortedAt === null
  })
  reply(id, { stopReason: own.abortedAt === null ? 'end_turn' : 'cancelled' })
  recorder = null
  own.finish()
}

function frame(update: object): string {
  return `${JSON.stringify({ jsonrpc: '2.0', method: 'session/update', params: { sessionId: SESSION, update } })}\n`
}

function reply(id: number | undefined, result: object): void {
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id, result })}\n`)
}
