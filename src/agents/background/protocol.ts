/**
 * The wire between the background process of a conversation and the programs that attach to it: one JSON object a line, in both directions.
 * The events and requests are those of the vocabulary. A client first sends its request; the background process answers with its own
 * description.
 */
import { z } from 'zod'
import { abilities, type Ability } from '../../agent/abilities.ts'
import type { Refused, Reply } from '../../agent/backend.ts'
import { agentEventSchema } from '../../agent/event-schema.ts'
import { heldEntrySchema, heldQueueSchema, queueChangeSchema, queueReplySchema } from '../../agent/held-queue.ts'
import { permissionModes } from '../../agent/permission.ts'
import {
  modelSchema,
  ownSessionSchema,
  permissionAnswerSchema,
  promptSchema,
  questionOutcomeSchema,
  rewindPointSchema,
  runningCommandSchema,
  steerOutcomeSchema,
  steerSchema,
} from '../../agent/requests.ts'
import { formValuesSchema } from '../../agent/session-events.ts'
import { namesOf } from '../../text/lookup.ts'

/** The version of this wire. Programs of different versions refuse each other. */
export const PROTOCOL = 2

const hello = z.object({ type: z.literal('hello'), protocol: z.number(), wants: z.enum(['attach', 'status', 'stop']) })

const refused = z.object({ ok: z.literal(false), message: z.string() })
const done = z
  .discriminatedUnion('ok', [z.object({ ok: z.literal(true) }), refused])
  .transform((reply): Reply => (reply.ok ? { ok: true, value: undefined } : reply))
const models = z.discriminatedUnion('ok', [
  z.object({ ok: z.literal(true), value: z.array(modelSchema).readonly() }),
  refused,
])
const held = z.discriminatedUnion('ok', [z.object({ ok: z.literal(true), value: z.string().nullable() }), refused])
const none = z.tuple([])
/** The reply has no content. */
const nothing = z.unknown()
const GONE: Refused = { ok: false, message: 'the conversation no longer runs in the background' }

/**
 * The requests, by the name of the method of `Backend` that they call in the background process: their arguments, their reply, and what stands
 * for the reply once the connection is lost. Both sides are made from this table.
 */
const backgroundCalls = {
  open: call(z.tuple([ownSessionSchema.optional()]), nothing, undefined),
  close: call(none, nothing, undefined),
  kill: call(none, nothing, undefined),
  /** With the checkpoint of the files before it; null for none. */
  prompt: call(z.tuple([promptSchema, z.string().nullable()]), nothing, undefined),
  abort: call(none, nothing, undefined),
  compact: call(none, nothing, undefined),
  clear: call(none, done, GONE),
  points: call(none, z.array(rewindPointSchema), []),
  /** Turns, and the words that all attached programs show. */
  goBack: call(z.tuple([z.number(), z.string()]), done, GONE),
  rename: call(z.tuple([z.string()]), done, GONE),
  /** The checkpoint, the one that undoes it, and the number of files. */
  noteRestored: call(z.tuple([z.string(), z.string(), z.number()]), nothing, undefined),
  ping: call(z.tuple([z.number()]), z.boolean().nullable(), false),
  listModels: call(none, models, GONE),
  listEveryModel: call(none, models, GONE),
  setModel: call(z.tuple([z.string()]), done, GONE),
  setReasoning: call(z.tuple([z.string()]), done, GONE),
  setOption: call(z.tuple([z.string(), z.union([z.string(), z.boolean()])]), done, GONE),
  answerQuestion: call(z.tuple([z.string(), formValuesSchema.nullable(), questionOutcomeSchema]), nothing, undefined),
  answerPermission: call(
    z.tuple([z.string(), permissionAnswerSchema, z.enum(['user', 'rule']).optional()]),
    nothing,
    undefined,
  ),
  /** Answers a call from a list, once. The reply is whether the call was pending for more than a moment. */
  answerCall: call(z.tuple([z.string(), z.boolean()]), z.boolean(), false),
  setPermissionMode: call(z.tuple([z.enum(permissionModes)]), nothing, undefined),
  listRunning: call(none, z.array(runningCommandSchema), []),
  endRunning: call(z.tuple([z.number()]), done, GONE),
  /** A lost connection leaves open whether the words arrived. */
  queue: call(z.tuple([queueChangeSchema]), queueReplySchema.nullable(), null),
  steer: call(z.tuple([steerSchema]), steerOutcomeSchema, { how: 'unknown', message: GONE.message }),
  withdrawSteer: call(z.tuple([z.string()]), nothing, undefined),
  stopTask: call(z.tuple([z.string()]), done, GONE),
  setFolders: call(z.tuple([z.array(z.string()).readonly()]), held, GONE),
  renameSession: call(z.tuple([z.string()]), done, GONE),
}

function call<Args extends z.ZodTuple, Value extends z.ZodType>(args: Args, reply: Value, lost: z.infer<Value>) {
  return { args, reply, lost }
}

export type CallName = keyof typeof backgroundCalls
export type ArgumentsOf<Name extends CallName> = z.infer<(typeof backgroundCalls)[Name]['args']>
export type ReplyOf<Name extends CallName> = z.infer<(typeof backgroundCalls)[Name]['reply']>
export type BackgroundCall = {
  [Name in CallName]: { type: 'call'; id: number; call: Name; args: ArgumentsOf<Name> }
}[CallName]

const names = namesOf(backgroundCalls)
const request = z
  .object({ type: z.literal('call'), id: z.number(), call: z.enum(names), args: z.array(z.unknown()) })
  .transform((line, context): BackgroundCall => {
    const args = backgroundCalls[line.call].args.safeParse(line.args)
    if (args.success) return { ...line, args: args.data } as BackgroundCall
    context.addIssue('the arguments of another call')
    return z.NEVER
  })

/** The line of a request. JSON has no undefined, so arguments that are left out are not sent. */
export function callLine<Name extends CallName>(id: number, name: Name, args: ArgumentsOf<Name>): ClientLine {
  const sent: unknown[] = [...args]
  while (sent.length > 0 && sent.at(-1) === undefined) sent.pop()
  return { type: 'call', id, call: name, args: sent } as ClientLine
}

/** The value of a reply; `lost` of the call for one that it does not understand. */
export function replyOf<Name extends CallName>(name: Name, value: unknown): ReplyOf<Name> {
  const { reply, lost } = backgroundCalls[name]
  const parsed = reply.safeParse(value)
  return (parsed.success ? parsed.data : lost) as ReplyOf<Name>
}

/** The abilities that an agent may have for these requests. */
export const backgroundAbilities: readonly Ability[] = abilities.filter(name => name in backgroundCalls)

export const clientLineSchema = z.union([hello, request])
export type ClientLine = z.infer<typeof clientLineSchema>

/**
 * What comes over the socket: a server for browsers begins with its own `hello`, and speaks its own protocol from then on
 * (`published/protocol.ts`), which is checked there.
 */
export const socketLineSchema = z.union([
  hello,
  request,
  z.looseObject({
    type: z.literal('hello'),
    protocol: z.number(),
    wants: z.literal('serve'),
    purpose: z.enum(['serve', 'board']).default('serve'),
  }),
  z
    .looseObject({ type: z.enum(['key', 'watch', 'unwatch', 'watchers', 'call']) })
    .transform(line => ({ type: 'of_server' as const, line })),
])
export type SocketLine = z.infer<typeof socketLineSchema>

/** A conversation in the background, as `zotui conversations` lists it. Texts are unsanitised. */
const backgroundStatusSchema = z.object({
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
export type BackgroundWelcome = z.infer<typeof welcomeSchema>

export const backgroundLineSchema = z.discriminatedUnion('type', [
  welcomeSchema,
  /** The background process refuses the client. The reason is a sentence for the user. */
  z.object({ type: z.literal('refused'), reason: z.string() }),
  z.object({ type: z.literal('abilities'), names: z.array(z.enum(backgroundAbilities)) }),
  z.object({ type: z.literal('event'), event: agentEventSchema }),
  /** What waits for the agent, whenever it changes. It is the same for all programs. */
  z.object({ type: z.literal('queue'), queue: heldQueueSchema }),
  /** The devices that look at it in a browser, as their owners named them. */
  z.object({ type: z.literal('watchers'), names: z.array(z.string()).readonly() }),
  /** This program runs the command, and then says so: only a UI has zotui's commands. */
  z.object({ type: z.literal('run'), entry: heldEntrySchema }),
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
export type BackgroundLine = z.infer<typeof backgroundLineSchema>
