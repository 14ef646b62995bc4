/**
 * What somebody who is not at the terminal may ask of a conversation: the only requests that come from a browser. None of them runs a
 * command, changes a mode, a rule or an option, or answers with anything that lasts.
 */
import { z } from 'zod'
import { formValuesSchema } from '../agent/session-events.ts'

/** Characters of a prompt from outside. */
export const LONGEST_PROMPT = 100_000
const words = z.string().max(LONGEST_PROMPT)
const id = z.string().min(1).max(200)
/** The SHA-256, in hex, of the question as it was shown (`digested-text.ts`), in UTF-8. */
const digest = z.string().regex(/^[\da-f]{64}$/)

/** What a device may do. Each may also do what those before it may. */
export const roles = ['view', 'answer', 'steer'] as const
export type Role = (typeof roles)[number]

/** `id` is unique among the requests of a device: one that comes twice is carried out once, and answered alike. */
export const outsideCallSchema = z.discriminatedUnion('do', [
  /** Allows a waiting call once, or refuses it, with words for the model. */
  z.object({ do: z.literal('answer_call'), id, question: id, digest, allow: z.boolean(), words: words.optional() }),
  /** Fills in a form of the agent; null declines it. */
  z.object({ do: z.literal('answer_form'), id, question: id, digest, values: formValuesSchema.nullable() }),
  /** Does not accept a proposed plan: the agent changes it as the words say. */
  z.object({ do: z.literal('change_plan'), id, question: id, digest, words }),
  /** Stops the running turn. */
  z.object({ do: z.literal('stop'), id }),
  /** A prompt, sent now or after the running turn. No character of it has a meaning of zotui's, except that `@` mentions a file of the folder. */
  z.object({ do: z.literal('prompt'), id, text: words.min(1) }),
  /** Words for the running turn. */
  z.object({ do: z.literal('steer'), id, text: words.min(1) }),
  /** Changes a waiting prompt. `was` is the text that was shown. An empty `text` removes it. */
  z.object({ do: z.literal('change_queued'), id, entry: id, was: words, text: words }),
  /** Sends a waiting prompt before the others, also out of a paused queue, which stays so. */
  z.object({ do: z.literal('send_queued'), id, entry: id, was: words }),
  /** A model of the same provider, by its id. */
  z.object({ do: z.literal('set_model'), id, model: id }),
])
export type OutsideCall = z.infer<typeof outsideCallSchema>

/** What only a board asks for: its person sits at a terminal, and continues there. No browser can. */
export const boardCallSchema = z.object({ do: z.literal('move_to_background'), id })
export type BoardCall = z.infer<typeof boardCallSchema>

/** The least role for each request. */
export const roleFor: Readonly<Record<OutsideCall['do'], Role>> = {
  answer_call: 'answer',
  answer_form: 'answer',
  change_plan: 'answer',
  stop: 'answer',
  prompt: 'steer',
  steer: 'steer',
  change_queued: 'steer',
  send_queued: 'steer',
  set_model: 'steer',
}

/** What makes the agent work. In a mode that does not ask, the person at the terminal must have said yes to the device. */
export const makesAgentWork: ReadonlySet<OutsideCall['do']> = new Set([
  'change_plan',
  'prompt',
  'steer',
  'change_queued',
  'send_queued',
  'set_model',
])

/** The modes in which a person is asked before the agent does something. */
export const askingModes: ReadonlySet<string> = new Set(['ask', 'plan', 'read'])

/**
 * `changed`: it is not what was shown; the new question follows. `answered`: somebody was faster. `gone`: there is no such question, entry or
 * turn. `needs_yes`: the person must say yes in the terminal first. `forbidden`: not from outside. `failed`: it was tried. `message` is a
 * sentence for the person.
 */
export const outsideReplySchema = z.discriminatedUnion('ok', [
  z.object({ ok: z.literal(true), how: z.enum(['done', 'sent', 'queued', 'steered']) }),
  z.object({
    ok: z.literal(false),
    why: z.enum(['changed', 'answered', 'gone', 'needs_yes', 'forbidden', 'failed']),
    message: z.string(),
  }),
])
export type OutsideReply = z.infer<typeof outsideReplySchema>

/** Who asks: a paired device. The name is what its owner called it: unsanitised. */
export const deviceSchema = z.object({ id: z.string(), name: z.string().max(100), role: z.enum(roles) })
export type Device = z.infer<typeof deviceSchema>
