/**
 * The lines of zot's session files and of a `.zotsession`, which is such a file without the folder. They come from another program
 * and are shared, so missing fields have a fallback and unknown ones are omitted.
 */
import { z } from 'zod'
import { parseJson } from '../text/json.ts'

const text = z.string().catch('')
const count = z.number().min(0).catch(0)

const usageSchema = z.object({
  input_tokens: count,
  output_tokens: count,
  cache_read_tokens: count,
  cache_write_tokens: count,
  cost_usd: count,
})
export type ZotUsage = z.infer<typeof usageSchema>

const plainBlock = z.object({ text, mime_type: text, data: text })
export type PlainBlock = z.infer<typeof plainBlock>

/** Blocks have no type; their fields tell them apart. */
const block = z.object({
  ...plainBlock.shape,
  id: text,
  name: text,
  arguments: z.unknown().optional(),
  call_id: text,
  content: z.array(plainBlock).catch([]),
  is_error: z.boolean().catch(false),
  reasoning_id: text,
  summary: text,
  encrypted_content: text,
})
export type ZotBlock = z.infer<typeof block>

const message = z.object({
  role: z.enum(['user', 'assistant', 'tool']),
  content: z.array(block.nullable().catch(null)).catch([]),
  time: text,
  meta: z.record(z.string(), z.string()).catch({}),
})
export type ZotMessage = z.infer<typeof message>

const lineSchema = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('meta'),
    meta: z.object({
      id: text,
      cwd: text,
      model: text,
      provider: text,
      started: text,
      version: text,
      title: text,
      hide_from_sessions: z.boolean().catch(false),
    }),
  }),
  z.object({ type: z.literal('message'), message }),
  z.object({ type: z.literal('usage'), cumulative: usageSchema }),
  z.object({ type: z.literal('rename'), title: z.string() }),
  z.object({ type: z.literal('compaction'), messages: z.array(message.nullable().catch(null)) }),
])
export type ZotLine = z.infer<typeof lineSchema>
export type ZotMeta = Extract<ZotLine, { type: 'meta' }>['meta']

/** Null for anything else than such a line. */
export function readZotLine(line: string): ZotLine | null {
  return lineSchema.safeParse(parseJson(line)).data ?? null
}
