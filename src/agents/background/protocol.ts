/**
 * The wire between the holder of a conversation and the programs that attach to it: one JSON object a line, in both directions.
 * The events and requests are those of the vocabulary. A client first sends its request; the holder answers with its own
 * description.
 */
import { z } from 'zod'
import type { OwnSession, Prompt } from '../../agent/backend.ts'
import { attachedFileSchema } from '../../agent/attached-file.ts'
import { agentEventSchema } from '../../agent/event-schema.ts'
import { permissionModes } from '../../agent/permission.ts'
import { formValuesSchema } from '../../agent/session-events.ts'

/** The version of this wire. Programs of different versions refuse each other. */
export const PROTOCOL = 2

const hello = z.object({ type: z.literal('hello'), protocol: z.number(), wants: z.enum(['attach', 'status', 'stop']) })

const prompt = z
  .object({
    text: z.string(),
    typed: z.string().optional(),
    images: z.array(
      z.object({
        mimeType: z.string(),
        data: z.string(),
        path: z.string().optional(),
        sha256: z.string().optional(),
      }),
    ),
    before: z.array(z.string()).optional(),
    files: z.array(attachedFileSchema).optional(),
    memory: z
      .object({
        text: z.string(),
        facts: z.object({
          tokens: z.number(),
          turns: z.number(),
          whole: z.number(),
          leftOut: z.number(),
          summary: z.boolean(),
        }),
      })
      .optional(),
  })
  // JSON has no undefined.
  .transform(parsed => parsed as Prompt)

const ownSession = z
  .object({ id: z.string(), costUsd: z.number().optional(), copy: z.boolean().optional(), mode: z.string().optional() })
  .transform(parsed => parsed as OwnSession)

const permissionAnswer = z.discriminatedUnion('answer', [
  z.object({ answer: z.literal('allow') }),
  z.object({ answer: z.literal('allow_changed'), command: z.string() }),
  z.object({ answer: z.literal('refuse'), words: z.string(), because: z.string().optional() }),
  z.object({ answer: z.literal('stop') }),
  z.object({ answer: z.literal('option'), option: z.string() }),
])

const call = <Name extends string, Given extends z.ZodRawShape>(name: Name, given: Given) =>
  z.object({ type: z.literal('call'), id: z.number(), call: z.literal(name), ...given })

/** A request to the agent, by the name of its method in `Backend`. */
const request = z.discriminatedUnion('call', [
  call('open', { session: ownSession.optional() }),
  call('close', {}),
  call('kill', {}),
  /** `checkpoint` is of the files before it. */
  call('prompt', { prompt, checkpoint: z.string().optional() }),
  call('abort', {}),
  call('compact', {}),
  call('clear', {}),
  call('points', {}),
  call('goBack', { turns: z.number(), words: z.string() }),
  call('rename', { title: z.string() }),
  call('noteRestored', { checkpoint: z.string(), undo: z.string(), count: z.number() }),
  call('ping', { timeout: z.number() }),
  call('listModels', {}),
  call('listEveryModel', {}),
  call('setModel', { model: z.string() }),
  call('setReasoning', { level: z.string() }),
  call('setOption', { option: z.string(), value: z.union([z.string(), z.boolean()]) }),
  call('answerQuestion', {
    question: z.string(),
    values: formValuesSchema.nullable(),
    how: z.enum(['given', 'declined', 'cancelled']),
  }),
  call('answerPermission', { question: z.string(), answer: permissionAnswer, by: z.enum(['user', 'rule']) }),
  /** Answers a call from a list, once. The reply is whether the call was pending for more than a moment. */
  call('answerCall', { question: z.string(), isAllowed: z.boolean() }),
  call('setPermissionMode', { mode: z.enum(permissionModes) }),
  call('listRunning', {}),
  call('endRunning', { pid: z.number() }),
])

export type HolderCall = z.infer<typeof request>
/** A request without its envelope. */
export type HolderRequest = HolderCall extends infer Each
  ? Each extends unknown
    ? Omit<Each, 'type' | 'id'>
    : never
  : never

/** The requests that an agent may be unable to take. */
export const ABILITIES = [
  'clear',
  'compact',
  'ping',
  'listModels',
  'listEveryModel',
  'setModel',
  'setReasoning',
  'setOption',
  'answerQuestion',
  'answerPermission',
  'setPermissionMode',
  'listRunning',
  'endRunning',
] as const
export type HolderAbility = (typeof ABILITIES)[number]

export const clientLineSchema = z.union([hello, request])
export type ClientLine = z.infer<typeof clientLineSchema>

/** A conversation in the background, as `zotui conversations` lists it. Texts are unsanitised. */
export const backgroundStatusSchema = z.object({
  state: z.enum(['starting', 'working', 'waiting', 'asks', 'done', 'failed', 'idle', 'resting']),
  title: z.string(),
  /** When its turn began, or its last turn ended, in milliseconds since the Unix epoch; null before the first. */
  since: z.number().nullable(),
  lastLine: z.string(),
  costUsd: z.number().nullable(),
  /** The first call that waits for an answer; null if none does. */
  call: z.object({ id: z.string(), subject: z.string(), isWhole: z.boolean() }).nullable(),
})
export type BackgroundStatus = z.infer<typeof backgroundStatusSchema>

const welcomeSchema = z.object({
  type: z.literal('welcome'),
  id: z.string(),
  /** The agent's name. */
  name: z.string(),
  folder: z.string(),
  /** Null if the agent runs everything without permission. */
  mode: z.enum(permissionModes).nullable(),
  demo: z.boolean(),
  toolLimit: z.enum(['read-only', 'chosen']).nullable(),
  /** The command line that started it, without the prompt. It can start it again, with the same limits. */
  argv: z.array(z.string()),
})
export type HolderWelcome = z.infer<typeof welcomeSchema>

export const holderLineSchema = z.discriminatedUnion('type', [
  welcomeSchema,
  /** The holder refuses the client. The reason is a sentence for the user. */
  z.object({ type: z.literal('refused'), reason: z.string() }),
  z.object({ type: z.literal('abilities'), names: z.array(z.enum(ABILITIES)) }),
  z.object({ type: z.literal('event'), event: agentEventSchema }),
  /** The session in which it keeps the conversation; null for none. */
  z.object({ type: z.literal('session'), id: z.string().nullable() }),
  /** All events follow again: the conversation has been replaced. */
  z.object({ type: z.literal('begun_again') }),
  /** All events so far have been sent; the next ones follow as they happen. */
  z.object({ type: z.literal('caught_up') }),
  z.object({ type: z.literal('reply'), id: z.number(), value: z.unknown() }),
  z.object({ type: z.literal('status'), status: backgroundStatusSchema }),
  z.object({ type: z.literal('stopping') }),
])
export type HolderLine = z.infer<typeof holderLineSchema>
