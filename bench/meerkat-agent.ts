/** The bench's agent in Meerkat's protocol. */
import process from 'node:process'
import { now } from './clock.ts'
import { abort, line, play, reply, serve } from './rpc-agent.ts'

const MODEL = 'bench-model'
const SESSION = '0199d3a4-5b6c-7d8e-9f00-a1b2c3d4e5f6'
const MESSAGE = '01a2026a-671b-73d0-bbc6-30fc82cebcb1'
const METHODS = ['initialize', 'session/create', 'turn/start', 'turn/interrupt', 'runtime/health']

let seq = 0

serve(({ id, method, params }) => {
  switch (method) {
    case 'initialize': {
      const server = { name: 'meerkat-rpc', version: '0.9.8' }
      return reply(id, { server_info: server, contract_version: '0.9.8', methods: METHODS })
    }
    case 'models/catalog': {
      const models = [{ id: MODEL, context_window: 200_000 }]
      return reply(id, { providers: [{ provider: 'bench', default_model_id: MODEL, models }] })
    }
    case 'session/create':
      return reply(id, { session_id: SESSION })
    case 'session/read':
      return reply(id, { message_count: 0, model: MODEL, provider: 'bench' })
    case 'turn/start':
      return answer(id, String(params?.['prompt']))
    case 'turn/interrupt':
      abort()
      return reply(id, { interrupted: true })
    default:
      return reply(id, {})
  }
})

function answer(id: number | undefined, prompt: string): void {
  const identity = { run_id: '01a2026a-65d2-7bc1-a737-2ee319358708' }
  tell({ type: 'run_started', identity })
  tell({ type: 'turn_started', turn_number: 0, assistant_message_id: MESSAGE })
  void play({
    prompt,
    delta: text => event({ type: 'text_delta', delta: text, assistant_message_id: MESSAGE }),
    end(isAborted) {
      const usage = { input_tokens: 1000, output_tokens: 1000 }
      const report = { class: 'cancelled', message: 'Run was cancelled' }
      if (isAborted) tell({ type: 'run_failed', identity, error_report: report })
      else tell({ type: 'turn_completed', stop_reason: 'end_turn', usage, assistant_message_id: MESSAGE })
      if (!isAborted) tell({ type: 'run_completed', identity, result: '' })
      reply(id, { text: '', request_usage: [usage] })
    },
  })
}

function tell(payload: object): void {
  process.stdout.write(event(payload))
}

/** An event in the envelope of a real one. */
function event(payload: object): string {
  seq += 1
  const params = {
    session_id: SESSION,
    event: {
      event_id: `01a2026a-6792-7620-a3e0-${String(seq).padStart(12, '0')}`,
      source: { type: 'session', session_id: SESSION },
      seq,
      timestamp_ms: Math.round(now()),
      payload,
    },
  }
  return line({ method: 'session/event', params })
}
