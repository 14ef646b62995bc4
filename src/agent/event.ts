/**
 * The vocabulary: all events of agents, with zotui's names, in the past tense. Backends make these events, the conversation is
 * folded from them (`conversation/reduce.ts`) and a session file holds them, one per line.
 *
 * A new field must be optional: session files hold events of earlier versions, and a line without a required field is skipped.
 *
 * Every event carries `at`, the time in milliseconds since the Unix epoch at which we learned of it: the reducer has no clock.
 */
import { z } from 'zod'
import { attachedFileSchema } from './attached-file.ts'
import { answerContentSchema, contentSchema, usageSchema } from './content.ts'
import { makePermissionEvents } from './permission-events.ts'
import { makeSessionEvents } from './session-events.ts'
import { makeSteerEvents } from './steer-events.ts'
import { makeTaskEvents } from './task-events.ts'
import { makeTurnEvents } from './turn-events.ts'

export type { AnswerContent, Content, Usage } from './content.ts'

const at = z.number()
const command = z.string().optional()
const inTurn = z.literal(true).optional()

/** The part of the conversation that a fresh agent received: numbers of turns, and estimated tokens. */
export const memorySchema = z.object({
  tokens: z.number(),
  turns: z.number(),
  /** The newest turns, which it received in full. */
  whole: z.number(),
  /** The oldest turns, which it did not receive. */
  leftOut: z.number(),
  /** Whether the summary of a compaction stands for earlier turns. */
  summary: z.boolean(),
  /** The turns without the results of tools, which another provider got. */
  withheld: z.number().optional(),
})
export type MemoryFacts = z.infer<typeof memorySchema>

/** The end of a step (one model call). Unknown values of a newer agent are kept as they are. */
const stopSchema = z.string()
export type Stop = 'end' | 'length' | 'tool_use' | 'error' | 'aborted' | (string & {})

/** The model in use. `contextWindow` is in tokens, null if unknown. */
const modelFields = {
  provider: z.string(),
  model: z.string(),
  contextWindow: z.number().nullable(),
}

/** The schemas of all events but those of a task's own conversation. */
const makePlainEvents = () =>
  [
    // The agent itself.
    z.object({ type: z.literal('agent_starting'), at, agent: z.string() }),
    z.object({
      type: z.literal('agent_started'),
      at,
      agent: z.string(),
      version: z.string(),
      ...modelFields,
      /** '' is off; null means that this agent's reasoning level can be neither read nor set. */
      reasoning: z.string().nullable(),
      /** The levels that can be set, weakest first; empty if none can. */
      reasoningLevels: z.array(z.string()),
      /** The host of the server that its prompts go to, with a port if it has one; absent for the provider's own, or if it is not known. */
      server: z.string().optional(),
    }),
    z.object({
      type: z.literal('agent_ended'),
      at,
      code: z.number().nullable(),
      signal: z.string().nullable(),
      /** The agent's last message, or zotui's if it had none; one or two lines, never a stack trace. */
      reason: z.string(),
      /** Advice: the user's next step. */
      hint: z.string(),
      /** Set if it did not start because it has no key of a provider. */
      lacks: z.literal('credential').optional(),
      /** True when we asked it to end. */
      expected: z.boolean(),
      /** Set if zotui itself was ended, and the agent with it. */
      withZotui: z.literal(true).optional(),
    }),
    z.object({ type: z.literal('warning_raised'), at, message: z.string() }),

    // A turn: one prompt and all that follows until the agent is idle again.
    z.object({
      type: z.literal('prompt_sent'),
      at,
      text: z.string(),
      /** The words that the user typed, such as `/review main`, if `text` was made of them. Screens and lists show these. */
      typed: z.string().optional(),
      /** Set if zotui wrote it, not the user. */
      by: z.literal('zotui').optional(),
      /** The device from which the user sent it, in words for people; absent for this terminal. */
      from: z.string().optional(),
      /** Type and size of each image, and its file and hash (hex) if zotui attached it. Never its content. */
      images: z.array(
        z.object({
          mimeType: z.string(),
          bytes: z.number(),
          path: z.string().optional(),
          sha256: z.string().optional(),
        }),
      ),
      /** Texts sent before the prompt that are not the user's words: the output of commands that they ran, and files. */
      before: z.array(z.string()).optional(),
      /** The files that the prompt mentions. Each content and listing is one of the last texts of `before`, in the same order. */
      files: z.array(attachedFileSchema).optional(),
      /** Set if the agent first received the conversation so far, which it did not have. */
      memory: memorySchema.optional(),
      /** Set if the agent repeated an earlier turn of its session, without its times. */
      remembered: z.literal(true).optional(),
    }),
    /** The agent began to work on the prompt. From here on it can be aborted. */
    z.object({ type: z.literal('prompt_accepted'), at }),
    /** The agent rejected the prompt; the turn is over. */
    z.object({ type: z.literal('prompt_refused'), at, message: z.string() }),
    z.object({ type: z.literal('step_started'), at, step: z.number() }),
    /** The model began to answer. Earlier text is withdrawn only by `answer_withdrawn`. */
    z.object({ type: z.literal('answer_started'), at }),
    z.object({ type: z.literal('text_received'), at, text: z.string() }),
    z.object({ type: z.literal('tool_drafted'), at, id: z.string(), name: z.string() }),
    /** A piece of the JSON text of the arguments, as the model writes it. */
    z.object({ type: z.literal('tool_arguments_received'), at, id: z.string(), text: z.string() }),
    z.object({ type: z.literal('tool_arguments_finished'), at, id: z.string() }),
    /** With `side` it is the usage of a whole side question, which belongs to no turn. */
    z.object({
      type: z.literal('usage_reported'),
      at,
      usage: usageSchema,
      auxiliary: z.boolean(),
      side: z.literal(true).optional(),
    }),
    /** The final answer of the step: it replaces what was streamed. */
    z.object({ type: z.literal('answer_finished'), at, content: z.array(answerContentSchema) }),
    /** The call waits until `tool_started`. `arguments` is null if the model wrote invalid JSON. */
    z.object({
      type: z.literal('tool_called'),
      at,
      id: z.string(),
      name: z.string(),
      arguments: z.unknown(),
      /** The id of the call whose tool made this one. */
      parent: z.string().optional(),
    }),
    /** The model call ended. An error is final only if `turn_ended` follows. */
    /** `retryMs`: the agent repeats the failed call after so many milliseconds, unless the turn ends first. */
    z.object({
      type: z.literal('step_ended'),
      at,
      stop: stopSchema,
      error: z.string().optional(),
      retryMs: z.number().optional(),
    }),
    /** A piece of a running tool's output: incremental, not line-aligned, and it may contain escape sequences. */
    z.object({ type: z.literal('tool_progressed'), at, id: z.string(), text: z.string() }),
    /**
     * zotui itself found this, just before the edit's `tool_finished`: the line at which each hunk of the diff begins, counted
     * from 1 in the file as it was then; null if unknown.
     */
    z.object({ type: z.literal('edit_located'), at, id: z.string(), lines: z.array(z.number().nullable()) }),
    /** zotui itself found this, just before the `tool_finished` of a write: the call made the file, which did not exist before. */
    z.object({ type: z.literal('file_created'), at, id: z.string() }),
    /** zotui itself carried this write out, over a file that existed: the lines that it added and removed. */
    z.object({ type: z.literal('file_replaced'), at, id: z.string(), added: z.number(), removed: z.number() }),
    /**
     * zotui itself found this, just before the `tool_finished` of a call that read an image: the file and its type. Sizes
     * are in pixels.
     */
    z.object({
      type: z.literal('image_located'),
      at,
      id: z.string(),
      path: z.string(),
      mimeType: z.string(),
      width: z.number(),
      height: z.number(),
    }),
    /**
     * zotui itself found this after commands ran: the files that they changed in this turn, at most 100 of `count`.
     * `isEstimate` marks line counts that may be wrong. A later event replaces an earlier one.
     */
    z.object({
      type: z.literal('commands_changed'),
      at,
      count: z.number(),
      files: z.array(z.object({ path: z.string(), added: z.number(), removed: z.number(), isEstimate: z.boolean() })),
    }),
    z.object({
      type: z.literal('tool_finished'),
      at,
      id: z.string(),
      failed: z.boolean(),
      content: z.array(contentSchema),
    }),
    /** `isOverLimit`: the agent says that a limit of the user's plan is reached. */
    z.object({
      type: z.literal('error_reported'),
      at,
      message: z.string(),
      isOverLimit: z.literal(true).optional(),
    }),
    /** `from` as in `prompt_sent`. */
    z.object({ type: z.literal('abort_requested'), at, from: z.string().optional() }),
    /** The agent was asked to stop and has not done so in time: the user may want to kill it. */
    z.object({ type: z.literal('abort_overdue'), at }),
    z.object({
      type: z.literal('turn_ended'),
      at,
      /**
       * The reason, unless it is a normal end: `refusal`, `max_tokens`, `max_turn_requests`, `budget`, `error`, `cancelled`, or
       * other words of the agent.
       */
      stop: z.string().optional(),
    }),

    // The conversation as a whole.
    /** `inTurn` marks a compaction inside a turn, which continues meanwhile. */
    z.object({ type: z.literal('compaction_started'), at, inTurn }),
    /** `summary` is '' if the agent does not send it. */
    z.object({ type: z.literal('compaction_finished'), at, summary: z.string(), inTurn }),
    /** `nothing` if there was nothing to compact, which is no error. */
    z.object({
      type: z.literal('compaction_failed'),
      at,
      message: z.string(),
      nothing: z.literal(true).optional(),
      inTurn,
    }),
    z.object({ type: z.literal('compaction_aborted'), at }),
    z.object({ type: z.literal('conversation_cleared'), at }),
    /** `command` is the command that asked for it, as it was typed. */
    z.object({ type: z.literal('model_changed'), at, ...modelFields, reasoningLevels: z.array(z.string()), command }),
    z.object({ type: z.literal('reasoning_changed'), at, reasoning: z.string(), command }),

    /** A message of zotui itself in the conversation. `quiet` marks information that the user did not ask for. */
    z.object({
      type: z.literal('remark_made'),
      at,
      level: z.enum(['quiet', 'info', 'success', 'warn', 'error']),
      text: z.string(),
      hint: z.string().nullable(),
      /** Whether the text is Markdown that we wrote. */
      markdown: z.boolean(),
      /** The command that this message answers, as it was typed. */
      command,
      /** Set if it concerns the program rather than the conversation, such as the path of an export. Exports omit it. */
      aside: z.literal(true).optional(),
      /** The answer to a side question, in Markdown, which the user took over. The agent gets both with the next prompt. */
      sideAnswer: z.string().optional(),
      /** Set if it shows what an answer to the question that follows would do. */
      isPreview: z.literal(true).optional(),
      /** Set if the preview directly before it was cancelled, which this message then stands for: `details` is its text. */
      cancels: z.literal(true).optional(),
      /** A long text in Markdown that belongs to it. */
      details: z.string().optional(),
      /** Set if the user lets this provider have the results of tools that another provider's agent got. */
      sharesWith: z.string().optional(),
    }),

    // Commands that the user runs. One runs at a time.
    /** `shared` says whether the agent gets the output with the next prompt. */
    z.object({ type: z.literal('shell_started'), at, command: z.string(), shared: z.boolean() }),
    /** A piece of the output, unchanged. */
    z.object({ type: z.literal('shell_printed'), at, text: z.string() }),
    z.object({ type: z.literal('shell_stop_requested'), at }),
    z.object({
      type: z.literal('shell_ended'),
      at,
      /** Null if a signal ended it, or if it did not start. */
      exitCode: z.number().nullable(),
      stopped: z.boolean(),
      durationMs: z.number(),
      /** The whole output, or its beginning and end. */
      output: z.string(),
      /** The bytes that `output` lacks; absent if it is whole. */
      omittedBytes: z.number().optional(),
      /** True if it had the terminal, so that its output is not known. */
      onTerminal: z.literal(true).optional(),
      /** The reason why it could not be started; null if it was. */
      problem: z.string().nullable(),
    }),

    ...makePermissionEvents(at),
    /** The files as they were before this turn are kept under `id`. */
    z.object({ type: z.literal('checkpoint_made'), at, id: z.string() }),
    /** Files were restored from a checkpoint. `undo` is the checkpoint of the files as they were before that. */
    z.object({ type: z.literal('files_restored'), at, checkpoint: z.string(), undo: z.string(), count: z.number() }),

    ...makeTurnEvents(at),
    ...makeSteerEvents(at),
    ...makeTaskEvents(at),
    ...makeSessionEvents(at),

    // Extensions of the agent.
    z.object({
      type: z.literal('extension_noted'),
      at,
      extension: z.string(),
      level: z.enum(['info', 'success', 'warn', 'error']),
      message: z.string(),
    }),
    z.object({ type: z.literal('extension_displayed'), at, extension: z.string(), text: z.string() }),
    z.object({ type: z.literal('extension_notes_cleared'), at, extension: z.string() }),
  ] as const

/** Makes the schema of all events. It takes as long as drawing the first prompt, so only code that reads events makes it. */
export const makeEventSchema = () => {
  const plain = makePlainEvents()
  const event = z.discriminatedUnion('type', plain)
  /** An event of the conversation of the subagent `id`, as if it were a conversation of its own. */
  return z.discriminatedUnion('type', [
    ...plain,
    z.object({ type: z.literal('task_event'), at, id: z.string(), event }),
  ])
}

export type AgentEvent = z.infer<ReturnType<typeof makeEventSchema>>

/** Any event but one of a task's own conversation. */
export type PlainEvent = Exclude<AgentEvent, { type: 'task_event' }>

export type EventOf<Type extends AgentEvent['type']> = Extract<AgentEvent, { type: Type }>
