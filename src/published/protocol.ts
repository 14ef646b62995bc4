/**
 * The wire between a process that has conversations (a UI, or the process of one in the background) and `zotui serve`, or a board: one JSON
 * object a line, in both directions, over the private socket that the process publishes. It begins with `hello` of the server. All texts are
 * unsanitised, except `html`.
 */
import { z } from 'zod'
import { agentEventSchema } from '../agent/event-schema.ts'
import { permissionModes } from '../agent/permission.ts'
import { boardCallSchema, deviceSchema, LONGEST_PROMPT, outsideCallSchema, outsideReplySchema } from './outside-call.ts'

/** The version of this wire. Programs of different versions refuse each other. */
export const SERVE_PROTOCOL = 3

/** A conversation in the list. `fleet/board-row.ts` repeats much of it: a shared schema would be loaded by commands that need only one of them. */
const publishedRowSchema = z.object({
  /** Unique within its process, for as long as that runs. */
  key: z.string(),
  kind: z.enum(['ui', 'background']),
  /** Its saved session; null for none. */
  session: z.string().nullable(),
  /** Absolute. */
  folder: z.string(),
  branch: z.string().nullable(),
  agent: z.string(),
  model: z.string(),
  title: z.string(),
  state: z.enum(['starting', 'working', 'waiting', 'asks', 'done', 'failed', 'idle', 'resting']),
  /** When its turn began, or its last turn ended, in milliseconds since the Unix epoch; null before the first. */
  since: z.number().nullable(),
  lastLine: z.string(),
  costUsd: z.number().nullable(),
  /** Null if the agent asks nothing. */
  mode: z.enum(permissionModes).nullable(),
  /** What it takes besides prompts. */
  takes: z.array(z.enum(['steer', 'set_model'])).readonly(),
  /** Why it cannot be moved to the background, as a sentence; '' if it can, or is there. */
  stays: z.string(),
})
export type PublishedRow = z.infer<typeof publishedRowSchema>

/** A question that waits, as it is to be shown. */
const servedQuestionSchema = z.object({
  id: z.string(),
  kind: z.enum(['call', 'form', 'plan']),
  /** In a few words, for lists and notifications. */
  title: z.string(),
  /** All of it, with its dangers, as safe HTML (`export/markup.ts`). */
  html: z.string(),
  /** The SHA-256 of `digestedText` in UTF-8, in hex. */
  digest: z.string(),
  /** All of it, with the fields of a form, in plain lines (`export/question-text.ts`). A server gets only the HTML, a board only this. */
  text: z.string(),
  /** The SHA-256 of `text`. An answer names the digest of what was shown: this one or the other. */
  textDigest: z.string(),
  /** The answers that may come from outside. `say`: a refusal may have words for the model. */
  answers: z.array(z.enum(['allow', 'refuse', 'say', 'fill_in', 'decline', 'change'])).readonly(),
  /** Why an answer is missing, as a sentence; '' if none is. */
  note: z.string(),
  /** The fields of a form. */
  fields: z
    .array(
      z.object({
        name: z.string(),
        label: z.string(),
        about: z.string(),
        kind: z.enum(['text', 'number', 'boolean', 'choice', 'choices']),
        required: z.boolean(),
        choices: z.array(z.object({ value: z.string(), label: z.string(), about: z.string() })).readonly(),
        initial: z.union([z.string(), z.number(), z.boolean(), z.array(z.string())]).nullable(),
      }),
    )
    .readonly(),
})
export type ServedQuestion = z.infer<typeof servedQuestionSchema>

const servedQueueSchema = z.object({
  /** The id of an entry stays while it waits. `text` is what was typed. */
  entries: z.array(z.object({ id: z.string(), text: z.string() })).readonly(),
  /** True if it waits for the person. */
  paused: z.boolean(),
})
export type ServedQueue = z.infer<typeof servedQueueSchema>

const servedModelSchema = z.object({ id: z.string(), name: z.string() })
export type ServedModel = z.infer<typeof servedModelSchema>

/** What the person at the terminal lets this server do: only show, or also pass on what devices ask. */
export const trusts = ['show', 'all'] as const
export type ServerTrust = (typeof trusts)[number]

const conversation = z.string().max(200)
/** A public key (X25519), in base64. */
const key = z.string().max(200)

/** Lines of the process. */
export const publisherLineSchema = z.discriminatedUnion('type', [
  /** It refuses the server. The reason is a sentence. */
  z.object({ type: z.literal('refused'), reason: z.string() }),
  /** The first line of a UI. `handshake.ts` says what it is for. */
  z.object({ type: z.literal('key'), key }),
  /**
   * The first line after `key`, or of a process in the background the first, and again when it changes. `isAsked`: the person is asked to
   * trust the server, and both terminals show the code.
   */
  z.object({ type: z.literal('trust'), trust: z.enum(trusts), isAsked: z.boolean() }),
  /** All its conversations, whenever one changes. */
  z.object({ type: z.literal('rows'), rows: z.array(publishedRowSchema).readonly() }),
  /** All questions of a conversation that wait, the first to answer first, whenever they change. */
  z.object({ type: z.literal('questions'), conversation, questions: z.array(servedQuestionSchema).readonly() }),
  /**
   * A watched conversation begins, or is another one from now on. Its events so far are those in the first `bytes` of this file of a session,
   * if there is one, and those of `event` until `caught_up`. The server reads no file that is a link, or of somebody else.
   */
  z.object({
    type: z.literal('past'),
    conversation,
    file: z.object({ path: z.string(), bytes: z.int().nonnegative() }).nullable(),
  }),
  z.object({ type: z.literal('event'), conversation, event: agentEventSchema }),
  z.object({ type: z.literal('caught_up'), conversation }),
  z.object({ type: z.literal('queue'), conversation, queue: servedQueueSchema }),
  /** The models to choose from, for a watched conversation, whenever they or the model in use may have changed. */
  z.object({ type: z.literal('models'), conversation, models: z.array(servedModelSchema).readonly() }),
  z.object({ type: z.literal('reply'), id: z.int(), reply: outsideReplySchema }),
])
export type PublisherLine = z.infer<typeof publisherLineSchema>

/** What a device asks for, as JSON in a line. Its number is higher than that of each before. */
export const calledSchema = z.object({
  id: z.int(),
  conversation,
  device: deviceSchema,
  call: z.union([outsideCallSchema, boardCallSchema]),
  /** The person has said yes, in the terminal of the server, to prompts of this device in a mode that does not ask. */
  confirmed: z.boolean(),
})
export type Called = z.infer<typeof calledSchema>

/** Characters of a call in a line. */
const LONGEST_CALL = 8 * LONGEST_PROMPT

/** A server for browsers, or the board of a person at a terminal of this machine. */
const purposes = ['serve', 'board'] as const
export type ServedPurpose = (typeof purposes)[number]

/** Lines of the server. */
export const serverLineSchema = z.discriminatedUnion('type', [
  /** A UI asks its person to trust a board when its first request comes, and a server at once. `pid` is for the person. `commitment`: the SHA-256 of its key, in hex. */
  z.object({
    type: z.literal('hello'),
    protocol: z.number(),
    wants: z.literal('serve'),
    // Earlier versions do not send it; they are refused with a sentence.
    purpose: z.enum(purposes).default('serve'),
    pid: z.int(),
    commitment: z.string().max(64),
  }),
  /** Its answer to the key of a UI. `proof`: that this UI has started it; '' for none. */
  z.object({ type: z.literal('key'), key, proof: z.string().max(64) }),
  z.object({ type: z.literal('watch'), conversation }),
  z.object({ type: z.literal('unwatch'), conversation }),
  /** The devices and readers of a share that look at it now, for the status line. */
  z.object({ type: z.literal('watchers'), conversation, names: z.array(z.string().max(100)).max(50).readonly() }),
  /** `body` is a `Called`. `mac` shows that it comes from the holder of the key; '' to a process in the background, which has none. */
  z.object({ type: z.literal('call'), body: z.string().max(LONGEST_CALL), mac: z.string().max(64) }),
])
export type ServerLine = z.infer<typeof serverLineSchema>
