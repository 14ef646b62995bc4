/**
 * Events about tasks: what works for the agent beside its own turn, such as a subagent, a command in the background or a wake-up that it
 * has scheduled. Every text is the agent's own, unsanitised.
 */
import { z } from 'zod'

export const taskKinds = ['subagent', 'command', 'wakeup', 'monitor', 'other'] as const
export type TaskKind = (typeof taskKinds)[number]

/**
 * `waiting`: it waits for the user's answer. `idle`: a subagent has done its work, and may get more. `unknown`: it is no longer observed.
 * The last three are final, though an agent may begin a subagent again.
 */
export const taskStates = ['running', 'waiting', 'idle', 'unknown', 'done', 'failed', 'stopped'] as const
export type TaskState = (typeof taskStates)[number]

/** Whether a task works, or waits for the user. */
export function isAtWork({ state }: { readonly state: TaskState }): boolean {
  return state === 'running' || state === 'waiting'
}

export const makeTaskEvents = (at: z.ZodNumber) =>
  [
    /** Facts about a task. What is absent stays as it was. The first report of an id begins the task. */
    z.object({
      type: z.literal('task_reported'),
      at,
      /** Made by zotui: unique among all tasks of a conversation. */
      id: z.string(),
      kind: z.exactOptional(z.enum(taskKinds)),
      /** The id of the task that has begun this one. Not to be trusted: it may be unknown, or go in a circle. */
      parent: z.exactOptional(z.string()),
      name: z.exactOptional(z.string()),
      /** What it is to do. */
      about: z.exactOptional(z.string()),
      model: z.exactOptional(z.string()),
      state: z.exactOptional(z.enum(taskStates)),
      /** Whether `Backend.stopTask` can stop it now. */
      canStop: z.exactOptional(z.boolean()),
      /** The call that has begun it, as in `tool_called`. */
      callId: z.exactOptional(z.string()),
      /** The file into which a command writes its output. */
      outputPath: z.exactOptional(z.string()),
      /** When a wake-up is due, in milliseconds since the Unix epoch. */
      dueAt: z.exactOptional(z.number()),
      /** How it ended, in words. */
      summary: z.exactOptional(z.string()),
      /** Set if the agent repeated it from its history: without its times, and it does not run. */
      remembered: z.exactOptional(z.literal(true)),
    }),
  ] as const
