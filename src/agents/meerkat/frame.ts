/** The messages of `rkat-rpc` that zotui reads. An invalid field is dropped without the rest of its message. */
import { z } from 'zod'
import { createReader } from '../../agent/schema-reader.ts'
import { count, flag, identifier, list, maybeCount, maybeText, text } from '../transport/lenient.ts'

const accountingSchema = z.object({ provider: text, model: text, convention: text }).optional().catch(undefined)

const usageSchema = z.object({
  input_tokens: count,
  output_tokens: count,
  cache_creation_tokens: maybeCount.optional(),
  cache_read_tokens: maybeCount.optional(),
  reasoning_tokens: maybeCount.optional(),
  accounting: accountingSchema,
})
/** The tokens of a model call. */
export type WireMeerkatUsage = z.infer<typeof usageSchema>
const maybeUsage = usageSchema.optional().catch(undefined)

const blockSchema = z.object({
  type: text,
  text: maybeText,
  media_type: maybeText,
  data: z.unknown().optional(),
  url: maybeText,
})
/** A part of a result. */
export type WireMeerkatBlock = z.infer<typeof blockSchema>

const message = { assistant_message_id: text }
const call = { id: identifier, name: text }
const identity = z.object({ run_id: text }).catch({ run_id: '' })

const modelIdentity = z.object({ model: text }).catch({ model: '' })

const makeEventSchema = () =>
  z.discriminatedUnion('type', [
    z.object({ type: z.literal('run_started'), identity }),
    z.object({ type: z.literal('run_completed'), identity, result: text, terminal_cause_kind: maybeText }),
    z.object({
      type: z.literal('run_failed'),
      identity,
      error_report: z
        .object({ class: text, message: text, reason: z.object({ reason_type: text }).optional().catch(undefined) })
        .catch({ class: '', message: '', reason: undefined }),
      terminal_cause_kind: maybeText,
    }),
    z.object({ type: z.literal('turn_started'), turn_number: count, ...message }),
    z.object({ type: z.literal('turn_completed'), stop_reason: text, usage: maybeUsage, ...message }),
    z.object({ type: z.literal('text_delta'), delta: text, ...message }),
    z.object({ type: z.literal('text_complete'), content: text, ...message }),
    z.object({ type: z.literal('reasoning_delta'), delta: text, ...message }),
    z.object({ type: z.literal('reasoning_complete'), content: text, ...message }),
    z.object({ type: z.literal('tool_call_requested'), ...call, args: z.unknown().optional() }),
    z.object({ type: z.literal('tool_execution_started'), ...call }),
    z.object({ type: z.literal('tool_execution_completed'), ...call, is_error: flag }),
    z.object({ type: z.literal('tool_execution_timed_out'), ...call, timeout_ms: count }),
    z.object({ type: z.literal('tool_result_received'), ...call, content: list(blockSchema), is_error: flag }),
    z.object({
      type: z.literal('retrying'),
      retry: z
        .object({
          failure: z.object({ kind: text, message: text }).catch({ kind: '', message: '' }),
          plan: z
            .object({ attempt: maybeCount, max_retries: maybeCount, selected_delay_ms: maybeCount })
            .catch({ attempt: null, max_retries: null, selected_delay_ms: null }),
        })
        .catch({
          failure: { kind: '', message: '' },
          plan: { attempt: null, max_retries: null, selected_delay_ms: null },
        }),
    }),
    z.object({ type: z.literal('budget_warning'), budget_type: text, used: count, limit: count }),
    z.object({ type: z.literal('hook_denied'), message: text }),
    z.object({
      type: z.literal('skill_resolution_failed'),
      skill_key: z.object({ skill_name: text }).optional().catch(undefined),
    }),
    z.object({ type: z.literal('stream_truncated') }),
    z.object({ type: z.literal('model_fallback_committed'), previous: modelIdentity, target: modelIdentity }),
    z.object({ type: z.literal('compaction_started') }),
    z.object({ type: z.literal('compaction_completed') }),
    z.object({ type: z.literal('compaction_failed'), reason: z.unknown().optional() }),
  ])
export type MeerkatEvent = z.infer<ReturnType<typeof makeEventSchema>>

const envelope = <Payload extends z.ZodType>(payload: Payload) =>
  z.object({ session_id: z.string(), event: z.object({ payload }) })

export const makeParamsSchema = () => envelope(makeEventSchema())
const readKnown = createReader(makeParamsSchema)
const readAny = createReader(() => envelope(z.object({ type: z.string() })))

/** An event of a session; `event` is null for one of a type that zotui does not read. */
export type SessionEvent = { sessionId: string; type: string; event: MeerkatEvent | null }

/** Reads the parameters of `session/event`; null if there is no event in them. */
export function readSessionEvent(params: unknown): SessionEvent | null {
  const known = readKnown(params)
  if (known) {
    const event = known.event.payload
    return { sessionId: known.session_id, type: event.type, event }
  }
  const other = readAny(params)
  return other && { sessionId: other.session_id, type: other.event.payload.type, event: null }
}

const initializeSchema = z.object({
  server_info: z.object({ name: text, version: text }).catch({ name: '', version: '' }),
  contract_version: z.string(),
  methods: list(z.string()),
})
export const readInitialize = (value: unknown) => initializeSchema.safeParse(value).data ?? null

const sessionSchema = z.object({ session_id: z.string() })
/** The id in the answer to `session/create` and `session/fork_at`. */
export const readSessionId = (value: unknown) => sessionSchema.safeParse(value).data?.session_id ?? null

const turnSchema = z.object({
  text: text.default(''),
  terminal_cause_kind: maybeText,
  request_usage: list(usageSchema),
})
/** The answer to `turn/start`. */
export type WireTurnResult = z.infer<typeof turnSchema>
export const readTurn = (value: unknown): WireTurnResult =>
  turnSchema.safeParse(value).data ?? { text: '', terminal_cause_kind: undefined, request_usage: [] }

/** The enumerated settings of a model. */
const paramsSchema = z
  .object({ properties: z.record(z.string(), z.object({ enum: list(z.string()) }).catch({ enum: [] })) })
  .optional()
  .catch(undefined)

const modelSchema = z.object({
  id: z.string(),
  context_window: maybeCount.optional(),
  max_output_tokens: maybeCount.optional(),
  profile: z
    .object({ image_input: z.boolean().optional().catch(undefined), params_schema: paramsSchema })
    .optional()
    .catch(undefined),
})
const catalogSchema = z.object({
  providers: list(z.object({ provider: z.string(), default_model_id: maybeText, models: list(modelSchema) })),
})
export type WireCatalog = z.infer<typeof catalogSchema>
export const readCatalog = (value: unknown): WireCatalog => catalogSchema.safeParse(value).data ?? { providers: [] }

const skillSchema = z.object({
  key: z.object({ source_uuid: z.string(), skill_name: z.string() }),
  name: z.string(),
  description: text,
  is_active: z.boolean().catch(true),
})
export type WireSkill = z.infer<typeof skillSchema>
const skillsSchema = z.object({ skills: list(skillSchema) })
export const readSkills = (value: unknown) => skillsSchema.safeParse(value).data?.skills ?? []

const summarySchema = z.object({
  session_id: z.string(),
  updated_at: maybeCount.optional(),
  message_count: count,
})
const listedSchema = z.object({ sessions: list(summarySchema) })
export const readList = (value: unknown) => listedSchema.safeParse(value).data?.sessions ?? null

const readSchema = z.object({ message_count: z.number(), model: text.default(''), provider: text.default('') })
/** The answer to `session/read`. */
export const readSummary = (value: unknown) => readSchema.safeParse(value).data ?? null

const historySchema = z.object({ messages: z.array(z.unknown()), has_more: flag })
export const readHistory = (value: unknown) => historySchema.safeParse(value).data ?? null

const executeSchema = z.object({ tool_use_id: z.string(), name: z.string(), arguments: z.unknown().optional() })
/** The parameters of `tool/execute`. */
export const readExecute = (value: unknown) => executeSchema.safeParse(value).data ?? null
