/** Events of a turn that only some agents report. Every text is the agent's own: unsanitised, and not shortened. */
import { z } from 'zod'
import { contentSchema } from './content.ts'
import { toolKinds } from './permission.ts'

/** An item of the agent's to-do list. Unknown words for its priority pass through as they are. */
const planEntrySchema = z.object({
  text: z.string(),
  status: z.enum(['pending', 'in_progress', 'completed']),
  priority: z.string().optional(),
})
export type PlanEntry = z.infer<typeof planEntrySchema>

/** The change of a file by a call: the file before and after, or the parts of it that differ. */
const callDiffSchema = z.object({
  path: z.string(),
  /** Null for a new file. */
  before: z.string().nullable(),
  after: z.string(),
})
export type CallDiff = z.infer<typeof callDiffSchema>

/** `line` counts from 1. */
const callLocationSchema = z.object({ path: z.string(), line: z.number().optional() })
export type CallLocation = z.infer<typeof callLocationSchema>

/** Why an agent began a turn without a prompt. */
export const turnCauses = ['task', 'wakeup', 'goal', 'other'] as const
export type TurnCause = (typeof turnCauses)[number]

export const makeTurnEvents = (at: z.ZodNumber) =>
  [
    /** The agent began a turn without a prompt, and has announced it or marked it as such. It ends as any turn. */
    z.object({
      type: z.literal('turn_begun'),
      at,
      cause: z.enum(turnCauses),
      /** The agent's words for the cause; absent if it gives none. */
      about: z.string().optional(),
      /** The task whose end is the cause. */
      task: z.string().optional(),
    }),
    /** A piece of the model's thinking. It ends with the first text, the first call or the turn. */
    z.object({ type: z.literal('thought_received'), at, text: z.string() }),
    /** The agent tries again: the text of this attempt, and its calls that never ran, no longer count. */
    z.object({ type: z.literal('answer_withdrawn'), at }),
    /** The agent tries again: only the texts of this attempt no longer count. */
    z.object({ type: z.literal('text_withdrawn'), at }),
    /** The call runs from now on. Several may run at a time. */
    z.object({ type: z.literal('tool_started'), at, id: z.string() }),
    /** Facts about a call beside its arguments. What is absent stays as it was; `diff` and `locations` replace. */
    z.object({
      type: z.literal('tool_described'),
      at,
      id: z.string(),
      /** A few words of the agent for the call. */
      title: z.string().optional(),
      kind: z.enum(toolKinds).optional(),
      locations: z.array(callLocationSchema).optional(),
      diff: z.array(callDiffSchema).optional(),
    }),
    /** Replaces what a running call has shown so far; its `tool_finished` has the last word. */
    z.object({ type: z.literal('tool_shown'), at, id: z.string(), content: z.array(contentSchema) }),
    /** The agent's to-do list, whole each time. `inAnswer`: it is a list in the text of the answer. */
    z.object({
      type: z.literal('plan_changed'),
      at,
      entries: z.array(planEntrySchema),
      inAnswer: z.literal(true).optional(),
    }),
    /** The agent's own words for what it does now, such as `planning`; '' if it does nothing. They hold until the next ones. */
    z.object({ type: z.literal('activity_told'), at, text: z.string() }),
    /** A model call failed and will be repeated. Each number is null if the agent does not report it. */
    z.object({
      type: z.literal('retry_announced'),
      at,
      /** Counts from 1. */
      attempt: z.number().nullable(),
      /** The most attempts that it will make. */
      of: z.number().nullable(),
      delayMs: z.number().nullable(),
      message: z.string(),
    }),
    /** The context now, in tokens, and the cost since this agent was started, in US dollars; null where unknown. */
    z.object({
      type: z.literal('context_reported'),
      at,
      used: z.number(),
      size: z.number().nullable(),
      /** The cost since the agent has started or the conversation was cleared; null if that is unknown. */
      costUsd: z.number().nullable(),
      /** The cost of the agent's own session with its earlier runs, where that is another amount. */
      sessionCostUsd: z.number().optional(),
    }),
  ] as const
