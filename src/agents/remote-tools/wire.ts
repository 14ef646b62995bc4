/** The lines between zotui and its tools on another machine. Each is one JSON value. */
import { z } from 'zod'

const fileState = z.object({ path: z.string(), mark: z.string().nullable() })

const box = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('reading'), git: z.array(z.tuple([z.string(), z.string()])).nullable() }),
  z.object({ kind: z.literal('writing') }),
])

/** What zotui asks for. */
export const asked = z.discriminatedUnion('type', [
  z.object({ type: z.literal('preview'), id: z.number(), tool: z.string(), args: z.unknown() }),
  z.object({
    type: z.literal('run'),
    id: z.number(),
    tool: z.string(),
    args: z.unknown(),
    expected: fileState.nullish(),
    paths: z.array(z.string()).optional(),
    box: box.optional(),
    mayLeaveFolder: z.boolean().optional(),
    limit: z.number().optional(),
  }),
  z.object({ type: z.literal('stop'), id: z.number() }),
])

export type RemoteToolRequest = z.infer<typeof asked>

const content = z.discriminatedUnion('type', [
  z.object({ type: z.literal('text'), text: z.string() }),
  z.object({ type: z.literal('image'), mimeType: z.string(), data: z.string() }),
])

const outcome = z.object({
  content: z.array(content),
  isError: z.boolean(),
  exitCode: z.number().optional(),
  isCut: z.boolean().optional(),
})

const preview = z.discriminatedUnion('ok', [
  z.object({
    ok: z.literal(true),
    paths: z.array(z.string()),
    named: z.array(z.string()),
    diff: z.string(),
    state: fileState.nullable(),
  }),
  z.object({ ok: z.literal(false), outcome }),
])

/** What comes back from there. */
export const answered = z.discriminatedUnion('type', [
  z.object({ type: z.literal('ready') }),
  z.object({ type: z.literal('progress'), id: z.number(), text: z.string() }),
  z.object({ type: z.literal('preview'), id: z.number(), preview }),
  z.object({ type: z.literal('outcome'), id: z.number(), outcome }),
])

export type Answered = z.infer<typeof answered>
