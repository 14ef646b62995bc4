/** A Meerkat that a test speaks for: what comes before a turn it answers itself. */
import { onTestFinished } from 'vitest'
import type { Backend } from '../../../src/agent/backend.ts'
import type { AgentEvent } from '../../../src/agent/event.ts'
import { createMeerkatBackend } from '../../../src/agents/meerkat/backend.ts'
import type { MeerkatBackendOptions } from '../../../src/agents/meerkat/options.ts'
import { createMemoryPair } from '../../../src/agents/transport/memory-pair.ts'

export type FakeFrame = {
  id?: number | string
  method?: string
  params?: Record<string, unknown>
  result?: unknown
  error?: unknown
}

type Answer = (params: Record<string, unknown>) => object

const skill = { source_uuid: 'u', skill_name: 'look' }
const levels = { properties: { effort: { enum: ['low', 'high'] } } }

export function fakeMeerkat(options: Partial<MeerkatBackendOptions> = {}, more: Record<string, Answer> = {}) {
  const { near, far } = createMemoryPair()
  const sent: FakeFrame[] = []
  const events: AgentEvent[] = []
  let count = 0
  const answers: Record<string, Answer> = {
    initialize: () => ({
      server_info: { name: 'meerkat-rpc', version: '0.9.8' },
      contract_version: '0.9.8',
      methods: ['turn/stop_run', 'skills/list'],
    }),
    'tools/register': () => ({ registered: 1 }),
    'models/catalog': () => ({
      providers: [
        {
          provider: 'self_hosted',
          models: [
            { id: 'fake', context_window: 9000 },
            { id: 'blind', profile: { image_input: false } },
          ],
        },
        {
          provider: 'anthropic',
          models: [{ id: 'clever', context_window: 200000, profile: { params_schema: levels } }],
        },
      ],
    }),
    'session/create': () => ({ session_id: `s${(count += 1)}` }),
    'session/read': () => ({ message_count: 3, model: 'fake', provider: 'self_hosted' }),
    'session/fork_at': () => ({ session_id: `s${(count += 1)}` }),
    'session/archive': () => ({ archived: true }),
    'session/history': () => ({ messages: [], has_more: false }),
    'skills/list': () => ({ skills: [{ key: skill, name: 'look', description: 'Looks.' }] }),
    'turn/interrupt': () => ({ interrupted: true }),
    'turn/stop_run': () => ({ receipt: { outcome: 'stopped' } }),
    ...more,
  }
  far.receive(line => {
    const frame = JSON.parse(line) as FakeFrame
    sent.push(frame)
    const result = answers[frame.method ?? '']?.(frame.params ?? {})
    if (result) far.write(JSON.stringify({ id: frame.id, ...('error' in result ? result : { result }) }))
  })
  far.onInputClosed(() => far.end())
  const backend: Backend = createMeerkatBackend({
    connect: () => near,
    model: 'fake',
    provider: 'self_hosted',
    limits: { grace: 20, answer: 50, closeAbort: 20, closeExit: 20 },
    ...options,
  })
  backend.subscribe(event => events.push(event))
  onTestFinished(() => backend.kill())
  const requests = (method: string) => sent.filter(frame => frame.method === method)
  const turn = () => requests('turn/start').at(-1)
  return {
    backend,
    events,
    sent,
    requests,
    turn,
    types: () => events.map(({ type }) => type),
    /** Says events of the session of the last turn. */
    say(...payloads: object[]) {
      for (const payload of payloads) {
        const params = { session_id: turn()?.params?.['session_id'], event: { payload } }
        far.write(JSON.stringify({ method: 'session/event', params }))
      }
    },
    /** Answers the last turn. */
    answer: (answer: object) => far.write(JSON.stringify({ id: turn()?.id, ...answer })),
    write: (frame: object) => far.write(JSON.stringify(frame)),
  }
}

export const begun = { type: 'run_started', identity: { run_id: 'r1' } }
export const delta = (text: string) => ({ type: 'text_delta', delta: text, assistant_message_id: 'm' })
export const completed = [
  {
    type: 'turn_completed',
    stop_reason: 'end_turn',
    assistant_message_id: 'm',
    usage: { input_tokens: 5, output_tokens: 1 },
  },
  { type: 'run_completed', identity: { run_id: 'r1' }, result: '' },
]
export const cancelled = [
  {
    type: 'run_failed',
    identity: { run_id: 'r1' },
    error_report: { class: 'cancelled', message: 'Run was cancelled' },
  },
]
