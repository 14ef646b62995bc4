/** What `zot rpc` may write: one frame a line, in zot's own words. */
import { z } from 'zod'
import { parseJson } from '../../text/json.ts'
import { count, flag, identifier, list, maybeCount, maybeText, text } from './lenient.ts'

const contentBlock = z.discriminatedUnion('type', [
  z.object({ type: z.literal('text'), text }),
  // Pixels are never sent back: `bytes` is all that is known of them.
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
      // Absent before July 2026; null where the provider does not say.
      reasoning: maybeCount,
      auxiliary: flag,
    }),
    event('assistant_message', { content: list(answerBlock) }),
    // `args` is null where the model wrote invalid JSON.
    event('tool_call', { id: identifier, name: text, args: z.unknown().optional() }),
    event('turn_end', { stop: text, error: maybeText }),
    event('tool_progress', { id: identifier, text }),
    event('tool_result', { id: identifier, is_error: flag, content: list(contentBlock) }),
    // `message` is upstream's, `error` is a fork's.
    event('error', { message: maybeText, error: maybeText }),
    event('done', {}),
    event('compact_done', { summary: text }),
    event('ext_notify', { extension: text, level: text, message: text }),
    event('ext_display', { extension: text, text }),
    event('ext_clear_notes', { extension: text }),
  ])

/** Made when zot says its first word: the first prompt does not wait for it. */
let eventSchema: ReturnType<typeof makeEventSchema> | undefined

/** Something zot tells on its own account. Events never say which command they belong to. */
export type ZotEvent = z.infer<ReturnType<typeof makeEventSchema>>

const responseSchema = z.object({
  type: z.literal('response'),
  // Absent where zot could not read the command.
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
  /** A line that says nothing to us: no JSON, or an event of another version. `reason` is for a log. */
  | { kind: 'unknown'; reason: string }

/** Reads one line. Never throws: what is not understood is a kind of its own. */
export function decode(line: string): WireFrame {
  const value = parseJson(line)
  if (value === undefined) return { kind: 'unknown', reason: 'not JSON' }
  eventSchema ??= makeEventSchema()
  const event = eventSchema.safeParse(value)
  if (event.success) return { kind: 'event', event: event.data }
  const response = responseSchema.safeParse(value)
  if (response.success) return { kind: 'response', response: response.data }
  const named = z.object({ type: z.string() }).safeParse(value)
  return { kind: 'unknown', reason: named.success ? `unknown event "${named.data.type}"` : 'not a frame' }
}
