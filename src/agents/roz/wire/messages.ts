/** The decoded messages of roz (`proto.ts`). An unknown arm leaves the field of its oneof absent. */
import type { WireStruct } from './struct.ts'

export type WireContentPart =
  | { text: { text: string } }
  | { tool_use: { id: string; name: string; input: WireStruct } }
  | { tool_result: { tool_use_id: string; name: string; content: string; is_error: boolean } }
  | { image: { media_type: string; data: Buffer } }

export type WireMessage = { role: 'user' | 'assistant'; parts: WireContentPart[] }

export type WireToolSchema = {
  name: string
  description: string
  parameters_schema: WireStruct
  timeout_ms: number
  category: number
}

export type WireContext = { label: string; text: string }

export type WireToolResult = {
  tool_call_id: string
  success: boolean
  result: string
  exit_code?: number
  truncated: boolean
  duration_ms: number
}

export type StartSession = {
  environment_id: string
  model?: string
  tools: readonly WireToolSchema[]
  history: readonly WireMessage[]
  project_context: readonly string[]
}

export type SessionRequestMessage =
  | { start: StartSession }
  | { user_message: { content: string; context: readonly WireContext[]; message_id: string } }
  | { tool_result: WireToolResult }
  | { cancel_turn: { reason: string } }
  | { cancel_session: { reason: string } }
  | { ping: object }
  | { permission_decision: { approval_id: string; approved: boolean } }

type Delta = { content: string; message_id?: string }
type ServerCall = { call_id: string; tool_name: string; words: string }
export type WireCallRequest = {
  call_id: string
  tool_name: string
  parameters: WireStruct | null
  timeout_ms: number
}
export type WireTurnFinished = {
  input_tokens: number
  output_tokens: number
  cache_creation_tokens: number
  cache_read_tokens: number
  stop_reason: string
  message_id?: string
}

/** The events of a session, by the names of their arms. */
type RozPayloads = {
  session_started: { session_id: string; model_name?: string }
  session_rejected: { code: string; message: string; retryable: boolean }
  session_failed: { failure: string }
  text_delta: Delta
  thinking_delta: Delta
  turn_finished: WireTurnFinished
  tool_call_started: ServerCall
  tool_call_requested: WireCallRequest
  tool_call_finished: ServerCall
  safe_pause_entered: { reason: string }
  activity_changed: { state: string; reason: string }
  presence_hinted: { level: string; reason: string }
  turn_started: { turn_index: number }
  session_completed: { summary: string }
  context_compacted: { level: string; messages_affected: number; tokens_before: number; tokens_after: number }
  tool_unavailable: { tool_name: string; reason: string }
  approval_requested: { approval_id: string; action: string; reason: string; timeout_secs: string }
  approval_resolved: { approval_id: string }
  safe_pause_cleared: { reason: string }
  safety_intervention: { channel: string; kind: string; reason: string }
  mcp_server_degraded: { server_name: string; failure_count: number; last_error: string }
  skill_loaded: { name: string; version: string }
  skill_crystallized: { name: string; version: string }
}

export type RozEvent = { [Type in keyof RozPayloads]: { type: Type } & RozPayloads[Type] }[keyof RozPayloads]
export type RozEventOf<Type extends RozEvent['type']> = Extract<RozEvent, { type: Type }>

export type WireEnvelope = {
  event_id: string
  event_type: string
  typed_event?: keyof RozPayloads
} & Partial<RozPayloads>

export type SessionResponseMessage = {
  response?: string
  keepalive?: { tokens_used?: number; tokens_max?: number }
  task_progress?: { task_id: string; phase: string; description: string }
  session_event?: WireEnvelope
}

/** The event in an envelope; null for one of a newer server. */
export function eventIn(envelope: WireEnvelope): RozEvent | null {
  const { typed_event: type } = envelope
  const payload = type && envelope[type]
  return payload ? ({ type, ...payload } as RozEvent) : null
}

/** Whether an answer is of the previous generation of the protocol, which zotui does not support. */
export function isOlder({ response }: SessionResponseMessage): boolean {
  return response?.startsWith('older_') === true
}

type TeamPayloads = {
  worker_started: { worker_id: string; about: string }
  worker_phase: { worker_id: string; phase: number; mode: string }
  worker_tool_call: { worker_id: string; about: string }
  worker_completed: { worker_id: string; about: string }
  worker_failed: { worker_id: string; about: string }
  worker_exited: { worker_id: string; about: string }
  worker_approval_requested: { worker_id: string }
  worker_approval_resolved: { worker_id: string }
}
export type TeamEvent = { [Type in keyof TeamPayloads]: { type: Type } & TeamPayloads[Type] }[keyof TeamPayloads]
export type TeamEventMessage = { event?: keyof TeamPayloads } & Partial<TeamPayloads>

/** The event of a worker; null for one of a newer server. */
export function teamEventIn(message: TeamEventMessage): TeamEvent | null {
  const { event: type } = message
  const payload = type && message[type]
  return payload ? ({ type, ...payload } as TeamEvent) : null
}
