/** The commands of `zot rpc`, and the `data` of their replies. */
import { z } from 'zod'
import { count, flag, list, maybeText, text } from '../transport/lenient.ts'

/** The supported version of zot's protocol. Every release since v0.1.62 reports 1. */
export const PROTOCOL_VERSION = 1

/** An image of a prompt: `data` is base64 of the file's bytes. */
export type WireImage = { mime_type: string; data: string }

/** One line of zot's standard input, without the `id` that the client adds. */
export type WireCommand =
  | { type: 'hello'; token?: string }
  | { type: 'prompt'; message: string; images?: readonly WireImage[] }
  | { type: 'compact' }
  | { type: 'abort' }
  | { type: 'clear' }
  | { type: 'get_state' }
  | { type: 'get_models' }
  | { type: 'set_model'; model: string }
  | { type: 'set_reasoning'; reasoning: string }
  | { type: 'ping' }

export type CommandType = WireCommand['type']

const nothing = z.unknown().transform(() => undefined)

const model = z.object({
  id: z.string(),
  provider: text,
  context_window: count,
  max_output: count,
  reasoning: flag,
})
export type WireModel = z.infer<typeof model>

/** The schema of the `data` of a successful reply, by command. `get_state` has more fields that zotui does not read. */
export const replyData = {
  // The provider and model are those that zot resolved, which may differ from the requested ones: see `startWarnings`.
  hello: z.object({ protocol_version: count, version: text, provider: text, model: text }),
  // The reply arrives when the prompt starts. Only from then on can it be aborted.
  prompt: nothing,
  compact: nothing,
  abort: nothing,
  clear: nothing,
  // `reasoning` is absent before July 2026, when it could not be set either; '' is off.
  get_state: z.object({ provider: text, model: text, reasoning: maybeText }),
  get_models: z.object({ models: list(model) }),
  set_model: z.object({ model: text }),
  set_reasoning: z.object({ reasoning: text }),
  ping: nothing,
} satisfies Record<CommandType, z.ZodType>

/** The data of a successful reply to the command of this type. */
export type ReplyData<Type extends CommandType> = z.infer<(typeof replyData)[Type]>
