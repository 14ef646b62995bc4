/** What goes into requests to an agent and comes back in its replies, as schemas: a conversation in the background gets them as JSON. */
import { z } from 'zod'
import { attachedFileSchema } from './attached-file.ts'
import { memorySchema } from './event.ts'

/** `path` is the source file and `sha256` the hash of its content in hex. Both go into events, not to the agent. */
export const promptImageSchema = z.object({
  mimeType: z.string(),
  data: z.string(),
  path: z.exactOptional(z.string()),
  sha256: z.exactOptional(z.string()),
})
export type PromptImage = z.infer<typeof promptImageSchema>

/** A mentioned file, or lines of it, for an agent that takes files apart from its text. `instead`: the text of `before` for the others. */
const promptResourceSchema = z.object({
  /** The absolute path. */
  path: z.string(),
  lines: z.exactOptional(z.object({ from: z.number(), to: z.number() })),
  text: z.string(),
  instead: z.string(),
})
export type PromptResource = z.infer<typeof promptResourceSchema>

const memoryTextSchema = z.object({ text: z.string(), facts: memorySchema })
export type Memory = z.infer<typeof memoryTextSchema>

/** A user's request. The text goes to the agent unchanged; `images` are base64 of the file's bytes. */
export const promptSchema = z.object({
  text: z.string(),
  /** The words that the user typed, if the text was made of them: people see these. They go into the event, not to the agent. */
  typed: z.exactOptional(z.string()),
  /** Set if zotui wrote it, not the user. It goes into the event, not to the agent. */
  by: z.exactOptional(z.literal('zotui')),
  /** The device from which the user sent it, in words for people. It goes into the event, not to the agent. */
  from: z.exactOptional(z.string()),
  images: z.array(promptImageSchema).readonly(),
  /** Texts sent before the prompt that are not the user's words: the output of commands that they ran, and files. */
  before: z.exactOptional(z.array(z.string()).readonly()),
  /** The files that it mentions. They go into the event, not to the agent: `before` and `images` have what is sent of them. */
  files: z.exactOptional(z.array(attachedFileSchema).readonly()),
  /** What `before` has of mentioned files. */
  resources: z.exactOptional(z.array(promptResourceSchema).readonly()),
  /** The conversation so far, sent first, for an agent that does not know it. */
  memory: z.exactOptional(memoryTextSchema),
})
export type Prompt = z.infer<typeof promptSchema> & {
  /**
   * The prompt is announced at once, and sent when this has settled, because the checkpoint before it is being made. Never
   * rejects.
   */
  ready?: Promise<unknown>
}

/** Words for the running turn. `id` is unique among the steers of a conversation. The prompt has no `memory`. */
export const steerSchema = z.object({ id: z.string(), prompt: promptSchema })
export type Steer = z.infer<typeof steerSchema>

/**
 * `delivered`: after `steer_delivered`. `over`: the turn ended first, and nothing was sent. `refused`: the agent does not take it, and has
 * not got it. `withdrawn`: by `withdrawSteer`. `unknown`: it may have got it, but has not said so.
 */
export const steerOutcomeSchema = z.discriminatedUnion('how', [
  z.object({ how: z.literal('delivered') }),
  z.object({ how: z.literal('over') }),
  z.object({ how: z.literal('withdrawn') }),
  z.object({ how: z.literal('refused'), message: z.string() }),
  z.object({ how: z.literal('unknown'), message: z.string() }),
])
export type SteerOutcome = z.infer<typeof steerOutcomeSchema>

/** Keeps the first `kept` prompts of a conversation and their turns. `prompts` are the texts of all prompts. */
const sessionCutSchema = z.object({ prompts: z.array(z.string()).readonly(), kept: z.number() })
export type SessionCut = z.infer<typeof sessionCutSchema>

/**
 * The agent's own session of a stored conversation, and its cost by then, if known. With `copy` the agent continues in a copy,
 * because another program has the session, or `cut` leaves out its end. `mode` is the agent's own mode that the user chose in it: the
 * session begins in it again if it is stricter than the one of `startIn`.
 */
export const ownSessionSchema = z.object({
  id: z.string(),
  costUsd: z.exactOptional(z.number()),
  copy: z.exactOptional(z.boolean()),
  cut: z.exactOptional(sessionCutSchema),
  mode: z.exactOptional(z.string()),
})
export type OwnSession = z.infer<typeof ownSessionSchema>

/** A model that the agent can switch to. Sizes are in tokens, null where unknown. */
export const modelSchema = z.object({
  id: z.string(),
  provider: z.string(),
  /** The agent's name of it for people, unsanitised; absent, '' or the id if it has none. */
  name: z.exactOptional(z.string()),
  contextWindow: z.number().nullable(),
  maxOutput: z.number().nullable(),
  /** Whether it supports reasoning levels. */
  reasoning: z.boolean(),
  /** Whether a key for its provider was found; absent if that was not checked. */
  hasKey: z.exactOptional(z.boolean()),
})
export type Model = z.infer<typeof modelSchema>

const box = z.exactOptional(
  z.discriminatedUnion('kind', [
    z.object({
      kind: z.literal('reading'),
      git: z
        .array(z.tuple([z.string(), z.string()]).readonly())
        .readonly()
        .nullable(),
    }),
    z.object({ kind: z.literal('writing') }),
  ]),
)

/** The answer to a question. `words` go to the model, '' for none; `because` is the reason for the user if a rule or mode refuses. */
export const permissionAnswerSchema = z.discriminatedUnion('answer', [
  /**
   * `box`: that of a verdict that allows it. `isForSession`: for what a command in the sandbox wants; a host is allowed for the rest of the
   * conversation, and so is writing where it was refused, and the command runs again in the sandbox.
   */
  z.object({ answer: z.literal('allow'), box, isForSession: z.exactOptional(z.literal(true)) }),
  /** Runs this command instead. Only for a `command`. */
  z.object({ answer: z.literal('allow_changed'), command: z.string(), box }),
  /** `removes`: what a command in the sandbox has left is deleted. */
  z.object({
    answer: z.literal('refuse'),
    words: z.string(),
    because: z.string().optional(),
    removes: z.exactOptional(z.literal(true)),
  }),
  /** Refuses this and every waiting call, and aborts the turn. */
  z.object({ answer: z.literal('stop') }),
  /** One of the agent's own options. */
  z.object({ answer: z.literal('option'), option: z.string() }),
])
export type PermissionAnswer = z.infer<typeof permissionAnswerSchema>

/** How a `question_asked` ended. */
export const questionOutcomeSchema = z.enum(['given', 'declined', 'cancelled'])
export type QuestionOutcome = z.infer<typeof questionOutcomeSchema>

/** A command that runs now, or a program that an earlier one left running. */
export const runningCommandSchema = z.object({
  pid: z.number(),
  /** The command in full, unsanitised. */
  command: z.string(),
  /** Milliseconds since the Unix epoch. */
  startedAt: z.number(),
  /** Null for a background process that an earlier command left. */
  callId: z.string().nullable(),
})
export type RunningCommand = z.infer<typeof runningCommandSchema>

/**
 * A prompt that was sent, as it was typed, the first one with turn 1, and the checkpoint of the files before it. `isUnprompted`: the agent
 * began this turn itself, and `text` says why.
 */
export const rewindPointSchema = z.object({
  turn: z.number(),
  text: z.string(),
  at: z.number(),
  checkpoint: z.string().nullable(),
  isUnprompted: z.exactOptional(z.literal(true)),
})
export type RewindPoint = z.infer<typeof rewindPointSchema>
