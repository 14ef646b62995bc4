/** Events about the agent's session that only some agents report. Every text is the agent's own, unsanitised. */
import { z } from 'zod'
import { permissionModes } from './permission.ts'

/** A field of a form. `label` and `about` are for the user, `name` is the agent's. */
const formFieldSchema = z.object({
  name: z.string(),
  label: z.string(),
  /** `choices` takes any number of its choices. */
  kind: z.enum(['text', 'number', 'boolean', 'choice', 'choices']),
  required: z.boolean(),
  choices: z.array(z.object({ value: z.string(), label: z.string(), about: z.string().optional() })).optional(),
  initial: z.union([z.string(), z.number(), z.boolean(), z.array(z.string())]).optional(),
  about: z.string().optional(),
})
export type FormField = z.infer<typeof formFieldSchema>

/** The answers by the names of the fields. */
export const formValuesSchema = z.record(
  z.string(),
  z.union([z.string(), z.number(), z.boolean(), z.array(z.string())]),
)
export type FormValues = z.infer<typeof formValuesSchema>

/** Something that the agent lets the user set. A switch has the value true or false and no choices. */
const agentOptionSchema = z.object({
  id: z.string(),
  name: z.string(),
  category: z.enum(['mode', 'model', 'reasoning', 'other']),
  kind: z.enum(['choice', 'switch']),
  value: z.union([z.string(), z.boolean()]),
  /** `means`: the mode of ours that does the same, `allow` for one that may not ask. Absent if that is not known, and for other options. */
  choices: z.array(
    z.object({
      value: z.string(),
      name: z.string(),
      about: z.string().optional(),
      means: z.enum(permissionModes).optional(),
    }),
  ),
  /** The user chose its value. */
  chosen: z.literal(true).optional(),
})
export type AgentOption = z.infer<typeof agentOptionSchema>

/** A command of the agent: it is sent as the prompt `/name text`. `hint` says what the text may be. */
const agentCommandSchema = z.object({ name: z.string(), description: z.string(), hint: z.string().optional() })
export type AgentCommand = z.infer<typeof agentCommandSchema>

/** A way to log in. One with a `command` is run in a terminal; the agent itself does any other, one of them with a key. */
const loginMethodSchema = z.object({
  id: z.string(),
  name: z.string(),
  about: z.string().optional(),
  command: z.object({ file: z.string(), args: z.array(z.string()) }).optional(),
  takesKey: z.literal(true).optional(),
})
export type LoginMethod = z.infer<typeof loginMethodSchema>

/** A window of the user's plan. */
const limitWindowSchema = z.object({
  /** The agent's id of it: `five_hour`. */
  id: z.string(),
  /** The used share: 1 is all of it, more is possible. */
  used: z.number(),
  /** When it resets, in milliseconds since the Unix epoch; null if the agent does not say. */
  resetsAt: z.number().nullable(),
  /** Set if the agent refuses prompts until then. */
  isReached: z.literal(true).optional(),
})
export type LimitWindow = z.infer<typeof limitWindowSchema>

/** An MCP server as the agent reports it. */
const toolServerSchema = z.object({
  name: z.string(),
  state: z.enum(['running', 'failed', 'unknown']),
  /** Why it does not run. */
  reason: z.string().optional(),
})
export type ToolServer = z.infer<typeof toolServerSchema>

export const makeSessionEvents = (at: z.ZodNumber) =>
  [
    /** The agent asks the user something and waits for `answerQuestion`. */
    z.object({
      type: z.literal('question_asked'),
      at,
      id: z.string(),
      message: z.string(),
      fields: z.array(formFieldSchema),
      /** The subagent that asks; absent for the agent itself. */
      task: z.string().optional(),
    }),
    /** Every `question_asked` ends with this, also when the turn or the agent ends first: then it is `cancelled`. */
    z.object({
      type: z.literal('question_answered'),
      at,
      id: z.string(),
      answer: z.enum(['given', 'declined', 'cancelled']),
      values: formValuesSchema.optional(),
      /** As in `permission_decided`. */
      from: z.string().optional(),
    }),
    /** All options of the agent as they are now. Its model and reasoning are also reported by their own events. */
    z.object({ type: z.literal('options_changed'), at, options: z.array(agentOptionSchema) }),
    /** All commands of the agent. */
    z.object({ type: z.literal('agent_commands_changed'), at, commands: z.array(agentCommandSchema) }),
    /**
     * The agent works in this session of its own from now on. With `remembers` it knows the conversation so far. `problem` says why the
     * session that was asked for was not opened.
     */
    z.object({
      type: z.literal('agent_session_opened'),
      at,
      id: z.string(),
      remembers: z.literal(true).optional(),
      problem: z.string().optional(),
    }),
    /** No session of an agent holds this conversation so far: it went back to an earlier turn, or is a copy. */
    z.object({ type: z.literal('agent_sessions_left'), at }),
    /** The agent's title for this session. A title that the user gave stands before it. */
    z.object({ type: z.literal('title_changed'), at, title: z.string() }),
    /** The windows of the user's plan that the agent has reported, each as it is now. Other windows stay as they were. */
    z.object({ type: z.literal('limits_reported'), at, windows: z.array(limitWindowSchema) }),
    /** The folders beside its own that the agent may work in, all of them. Absolute paths. */
    z.object({ type: z.literal('folders_changed'), at, folders: z.array(z.string()) }),
    /** MCP servers, each as it is now. Others stay as they were. */
    z.object({ type: z.literal('servers_reported'), at, servers: z.array(toolServerSchema) }),
    /** The agent does nothing until the user has logged in. */
    z.object({ type: z.literal('login_needed'), at, methods: z.array(loginMethodSchema) }),
  ] as const
