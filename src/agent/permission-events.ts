/** Events about permissions: the mode, the calls that wait for an answer, and the plan of a turn. */
import { z } from 'zod'
import { permissionModes, toolKinds } from './permission.ts'

const wants = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('host'), host: z.string(), port: z.int() }),
  z.object({ kind: z.literal('outside'), hint: z.string(), path: z.string().nullable() }),
  z.object({
    kind: z.literal('left'),
    places: z
      .array(
        z.object({
          path: z.string(),
          kind: z.enum(['repository', 'protected', 'link', 'unknown']),
          isNew: z.boolean(),
        }),
      )
      .readonly(),
  }),
])

export const makePermissionEvents = (at: z.ZodNumber) =>
  [
    /** `mode` is null once an agent is in use to which these modes do not apply. */
    z.object({ type: z.literal('permission_mode_changed'), at, mode: z.enum(permissionModes).nullable() }),
    /** A call waits for an answer: see `ToolRequest` in `permission.ts`. `because` says why it is asked. */
    z.object({
      type: z.literal('permission_requested'),
      at,
      id: z.string(),
      callId: z.string().nullable(),
      tool: z.string(),
      kind: z.enum(toolKinds),
      arguments: z.unknown(),
      folder: z.string(),
      command: z.string().optional(),
      paths: z.array(z.string()).optional(),
      diff: z.string().optional(),
      because: z.string(),
      /** The agent's own description of the call. */
      title: z.string().optional(),
      /** The answers that the agent offers, in its order; absent if it takes those of zotui. */
      options: z.array(z.object({ id: z.string(), name: z.string(), kind: z.string() })).optional(),
      /** What a command that runs or ran in the sandbox wants beyond it. */
      wants: wants.optional(),
      /** If the user allows it, it runs outside the sandbox. */
      outside: z.literal(true).optional(),
      /** It switches the agent's own mode. */
      switchesMode: z.literal(true).optional(),
      /** The subagent that asks; absent for the agent itself. */
      task: z.string().optional(),
    }),
    /** Every `permission_requested` ends with this, also when the turn or the agent ends first. */
    z.object({
      type: z.literal('permission_decided'),
      at,
      id: z.string(),
      allowed: z.boolean(),
      /** `end`: the turn or the agent ended before an answer. `program`: the program of `--permission-tool`. */
      by: z.enum(['user', 'rule', 'program', 'end']),
      /** The text that the model got; absent if none. */
      words: z.string().optional(),
      /** The rule or mode that refused it, in words for the user. */
      because: z.string().optional(),
      /** The command that ran instead of the requested one. */
      command: z.string().optional(),
      /** The name of the agent's option that was chosen. */
      option: z.string().optional(),
      /** The device from which the user did it, in words for people; absent for this terminal. */
      from: z.string().optional(),
    }),
    /**
     * A call was refused without a question. `callId` is as in `tool_called`. With `wants` only that was refused: the command itself runs, or
     * has run.
     */
    z.object({
      type: z.literal('call_refused'),
      at,
      callId: z.string().nullable(),
      tool: z.string(),
      because: z.string(),
      wants: wants.optional(),
    }),
    /**
     * Where a command runs: in the box for reading, in the sandbox, or outside of the sandbox since the user has said so. `id` is as in
     * `tool_called`. Without this event it runs as any program does.
     */
    z.object({
      type: z.literal('call_held'),
      at,
      id: z.string(),
      where: z.enum(['reading', 'sandbox', 'outside']),
    }),
    /** A turn in `plan` mode ended with this plan, in Markdown. */
    z.object({ type: z.literal('plan_proposed'), at, text: z.string() }),
    z.object({
      type: z.literal('plan_answered'),
      at,
      answer: z.enum(['accepted', 'changed', 'rejected']),
      /** The mode to continue with, if accepted. */
      mode: z.enum(permissionModes).optional(),
      /** As in `permission_decided`. */
      from: z.string().optional(),
    }),
  ] as const
