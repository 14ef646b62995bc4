/** The output of `zot rpc`: one frame per line, with zot's own field names. */
import { z } from 'zod'
import { count, flag, identifier, list, maybeCount, maybeText, text } from '../transport/lenient.ts'

const contentBlock = z.discriminatedUnion('type', [
  z.object({ type: z.literal('text'), text }),
  // zot never sends pixels back, only their size.
  z.object({ type: z.literal('image'), mime_type: text, bytes: count }),
])
export type WireContent = z.infer<typeof contentBlock>

const answerBlock = z.discriminatedUnion('type', [
  ...contentBlock.options,
  z.object({ type: z.literal('tool_call'), id: identifier, name: text, args: z.unknown().optional() }),
])
export type WireAnswerContent = z.infer<typeof answerBlock>

const event = <Type extends string, Shape extends z.ZodRawShape>(type: Type, shape: Shape) =>
  z.object({ type: z.literal(type), ...shape })

const makeEventSchema = () =>
  z.discriminatedUnion('type', [
    event('user_message', {}),
    event('turn_start', { step: count }),
    event('assistant_start', {}),
    event('text_delta', { delta: text }),
    event('tool_use_start', { id: identifier, name: text }),
    event('tool_use_args', { id: identifier, delta: text }),
    event('tool_use_end', { id: identifier }),
    event('usage', {
      input: count,
      output: count,
      cache_read: count,
      cache_write: count,
      cost_usd: count,
      // Absent before July 2026; null if the provider does not say.
      reasoning: maybeCount,
      auxiliary: flag,
    }),
    event('assistant_message', { content: list(answerBlock) }),
    // `args` is null if the model wrote invalid JSON.
    event('tool_call', { id: identifier, name: text, args: z.unknown().optional() }),
    event('turn_end', { stop: text, error: maybeText }),
    event('tool_progress', { id: identifier, text }),
    event('tool_result', { id: identifier, is_error: flag, content: list(contentBlock) }),
    // Upstream sends `message`; a fork sends `error`.
    event('error', { message: maybeText, error: maybeText }),
    event('done', {}),
    event('compact_done', { summary: text }),
    event('ext_notify', { extension: text, level: text, message: text }),
    event('ext_display', { extension: text, text }),
    event('ext_clear_notes', { extension: text }),
  ])

/** The schema is made at zot's first line, so that the first screen does not wait for it. */
let eventSchema: ReturnType<typeof makeEventSchema> | undefined

/** An event that zot sends. Events never say which command they belong to. */
export type ZotEvent = z.infer<ReturnType<typeof makeEventSchema>>

const responseSchema = z.object({
  type: z.literal('response'),
  // Absent if zot could not read the command.
  id: maybeText,
  command: text,
  success: flag,
  error: maybeText,
  data: z.unknown().optional(),
})

/** The answer to one command. */
export type Response = z.infer<typeof responseSchema>

export type WireFrame =
  | { kind: 'response'; response: Response }
  | { kind: 'event'; event: ZotEvent }
  /** A line that is not understood: no JSON, or an event of another version. `reason` is for a log. */
  | { kind: 'unknown'; reason: string }

/** Reads a frame of any shape, by the schema. Never throws: a frame that is not understood is `unknown`. */
export function readFrame(value: unknown): WireFrame {
  eventSchema ??= makeEventSchema()
  const event = eventSchema.safeParse(value)
  if (event.success) return { kind: 'event', event: event.data }
  const response = responseSchema.safeParse(value)
  if (response.success) return { kind: 'response', response: response.data }
  const named = z.object({ type: z.string() }).safeParse(value)
  return { kind: 'unknown', reason: named.success ? `unknown event "${named.data.type}"` : 'not a frame' }
}
