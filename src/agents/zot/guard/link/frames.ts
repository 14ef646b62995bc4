/** The lines between the guard and zotui: zot's extension protocol, and message types of the guard. */
import { z } from 'zod'
import { createReader } from '../../../../agent/schema-reader.ts'
import { parseJson } from '../../../../text/json.ts'
import { count, identifier, text } from '../../../transport/lenient.ts'

export const makeGuardSchema = () =>
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

export type GuardFrame = z.infer<ReturnType<typeof makeGuardSchema>>

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

const read = createReader(makeGuardSchema)

/** Null for a line that is not understood. */
export function decodeGuardFrame(line: string): GuardFrame | null {
  return read(parseJson(line))
}
