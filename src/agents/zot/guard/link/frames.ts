/** The lines between the guard and zotui: zot's extension protocol, and message types of the guard. */
import { z } from 'zod'
import { isObject, parseJson } from '../../../../text/json.ts'
import { count, identifier, text } from '../../../transport/lenient.ts'

const makeSchema = () =>
  z.discriminatedUnion('type', [
    z.object({ type: z.literal('hello_ack'), cwd: text, zot_version: text }),
    /** zot asks the guard from now on. `pid` is the guard's process id, `zot` that of its zot. */
    z.object({ type: z.literal('ready'), pid: count, zot: count }),
    z.object({ type: z.literal('pong') }),
    z.object({
      type: z.literal('event_intercept'),
      id: identifier,
      event: text,
      tool_id: text,
      tool_name: text,
      tool_args: z.unknown().optional(),
      /** The number of the step of a `turn_start`, from 1 in each prompt. */
      step: count,
    }),
    /** zot is about to call a tool that the guard registered, and got the mark in the place of the arguments. */
    z.object({
      type: z.literal('own_call'),
      mark: identifier,
      call: z.object({ tool_id: text, tool_name: text, tool_args: z.unknown().optional() }),
    }),
    /** A step has ended, and zot did not make all the calls of which it got the marks. */
    z.object({ type: z.literal('unmade') }),
    /**
     * A call of a tool that the guard registered, unless its result comes by its mark. It does not have the id of the model's call.
     */
    z.object({ type: z.literal('tool_call'), id: identifier, name: text, args: z.unknown().optional() }),
    z.object({ type: z.literal('tool_cancel'), id: identifier }),
  ])

let schema: ReturnType<typeof makeSchema> | undefined

export type GuardFrame = z.infer<ReturnType<typeof makeSchema>>

/** A part of a tool's answer; `data` is base64. */
export type WireBlock = { type: 'text'; text: string } | { type: 'image'; mime_type: string; data: string }

/** A tool that the guard registers; zot gives `description` and `schema` to the model. */
export type RegisteredTool = { name: string; description: string; schema: unknown }

export type GuardReply =
  /** The first line: the tools that the guard registers, and the names of those whose results come by their marks. */
  | { type: 'tools'; tools: readonly RegisteredTool[]; early: readonly string[] }
  | { type: 'event_intercept_response'; id: string; block?: true; reason?: string }
  | { type: 'tool_result'; id: string; content: readonly WireBlock[]; is_error: boolean }
  /** The result of a call by its mark, for a tool of `early`: zot gets it when it makes the call. In this order. */
  | { type: 'tool_result'; mark: string; content: readonly WireBlock[]; is_error: boolean }
  | { type: 'ping' }

/** Null for a line that is not understood. */
export function decodeGuardFrame(line: string): GuardFrame | null {
  const value = parseJson(line)
  return readUsualGuardFrame(value) ?? readGuardFrame(value)
}

/** As the schema reads it; null for what it does not understand. */
export function readGuardFrame(value: unknown): GuardFrame | null {
  schema ??= makeSchema()
  return schema.safeParse(value).data ?? null
}

/** A call for which zot waits is read without the schema, which takes several times as long. Null for any other frame or shape. */
export function readUsualGuardFrame(value: unknown): GuardFrame | null {
  if (!isObject(value) || value['type'] !== 'own_call') return null
  const { mark, call } = value
  if (typeof mark !== 'string' || !isObject(call)) return null
  const { tool_id, tool_name, tool_args } = call
  if (typeof tool_id !== 'string' || typeof tool_name !== 'string') return null
  return { type: 'own_call', mark, call: { tool_id, tool_name, ...('tool_args' in call && { tool_args }) } }
}
