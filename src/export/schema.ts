/**
 * The JSON form of an exported session: what was said and done, without what was withdrawn and what only the screen
 * needs. Nothing in it is shortened. Times are milliseconds since the Unix epoch.
 *
 * Fields may be added within a version; readers must ignore unknown ones.
 */
import { z } from 'zod'
import { attachedFileSchema } from '../agent/attached-file.ts'
import { contentSchema, usageSchema } from '../agent/content.ts'
import { taskStates } from '../agent/task-events.ts'
import { turnCauses } from '../agent/turn-events.ts'

const at = z.number()
const endedAt = z.number().nullable()
/** The device from which the user did it; absent for the terminal of the conversation. */
const from = z.string().optional()

const text = z.object({ kind: z.literal('text'), text: z.string() })

const thought = z.object({
  kind: z.literal('thought'),
  text: z.string(),
  startedAt: z.number(),
  endedAt,
})

/** The user's words to the running turn, where the agent got them. The fields are those of a turn's prompt. */
const steer = z.object({
  kind: z.literal('steer'),
  at,
  text: z.string(),
  typed: z.string().optional(),
  images: z.array(z.object({ mimeType: z.string(), bytes: z.number() })),
  before: z.array(z.string()).optional(),
  files: z.array(attachedFileSchema).optional(),
  from,
})

const decidedBy = z.enum(['user', 'rule', 'program', 'end'])

const tool = z.object({
  kind: z.literal('tool'),
  /** Unique within a step of the agent only. */
  id: z.string(),
  /** The id of the call that made this one; null for a call of the model itself. */
  parent: z.string().nullable(),
  name: z.string(),
  /** Its effect, in the agent's own words; absent if it does not say. */
  title: z.string().optional(),
  /** The changes in files as the agent reports them: the text before (null for a new file) and after. */
  diffs: z.array(z.object({ path: z.string(), before: z.string().nullable(), after: z.string() })).optional(),
  /** The files that it is about, as the agent reports them; lines count from 1. */
  locations: z.array(z.object({ path: z.string(), line: z.number().optional() })).optional(),
  /** Null where the model wrote no valid JSON, or never finished it. */
  arguments: z.unknown(),
  state: z.enum(['composing', 'waiting', 'running', 'ok', 'failed', 'not_run', 'aborted']),
  /** The question before it ran, and the decision; absent if nobody was asked and nothing refused it. */
  permission: z
    .discriminatedUnion('state', [
      z.object({ state: z.literal('asked') }),
      z.object({ state: z.literal('allowed'), by: decidedBy, command: z.string().optional(), from }),
      z.object({ state: z.literal('refused'), by: decidedBy, because: z.string(), words: z.string(), from }),
    ])
    .optional(),
  /** The box in which a command ran, or that it was let out of the sandbox; absent for any other. */
  heldIn: z.enum(['reading', 'sandbox', 'outside']).optional(),
  /** Set if it did not run because the user's words to the running turn came first. */
  steered: z.literal(true).optional(),
  letOutBy: decidedBy.optional(),
  startedAt: z.number().nullable(),
  endedAt,
  result: z.array(contentSchema).nullable(),
})

const notice = z.object({
  kind: z.literal('notice'),
  at,
  level: z.enum(['quiet', 'info', 'success', 'warn', 'error']),
  /** The extension that says it; null for the agent and zotui. */
  source: z.string().nullable(),
  text: z.string(),
  hint: z.string().nullable(),
  /** A long text of the agent that belongs to it, in Markdown, such as a summary. */
  details: z.string().optional(),
})

/** A command that the user ran. */
const shell = z.object({
  kind: z.literal('shell'),
  command: z.string(),
  /** Whether the agent gets it with the next prompt. */
  shared: z.boolean(),
  state: tool.shape.state,
  startedAt: z.number().nullable(),
  endedAt,
  /** Null where it was ended by a signal, or not started. */
  exitCode: z.number().nullable(),
  output: z.string(),
})

const plainParts = [text, thought, tool, notice, shell, steer] as const

const plainTurn = z.object({
  kind: z.literal('turn'),
  at,
  endedAt,
  /** `running` for one that was not over yet. */
  outcome: z.enum(['running', 'done', 'aborted', 'failed', 'refused', 'agent_ended', 'zotui_ended']),
  /** The device from which the user stopped it; absent for the terminal of the conversation. */
  stoppedFrom: z.string().optional(),
  error: z.string().nullable(),
  /** As the agent got it; '' for a turn that the agent began itself. */
  prompt: z.string(),
  /** Set for such a turn: the cause, and the agent's words for it. */
  unprompted: z.object({ cause: z.enum(turnCauses), about: z.string() }).optional(),
  /** The words that the user typed, such as `/review main`, if the prompt was made of them. */
  typed: z.string().optional(),
  /** Set if zotui wrote the prompt, not the user. */
  by: z.literal('zotui').optional(),
  from,
  /** Texts that the agent was sent before the prompt and that are not the user's words. */
  before: z.array(z.string()),
  images: z.array(z.object({ mimeType: z.string(), bytes: z.number() })),
  /** The files that the prompt mentions; the last texts of `before` are their contents. Absent if it mentions none. */
  files: z.array(attachedFileSchema).optional(),
  parts: z.array(z.discriminatedUnion('kind', plainParts)),
  usage: usageSchema,
  /** Why the agent says that the turn ended, in a word of its own; absent if it does not say. */
  stop: z.string().optional(),
  /** The agent's to-do list as the turn left it; absent if it had none. */
  plan: z.array(z.object({ text: z.string(), status: z.enum(['pending', 'in_progress', 'completed']) })).optional(),
})

/** A subagent that began in the turn, with its own conversation. It stands behind all that the agent said and did. */
const task = z.object({
  kind: z.literal('task'),
  /** Empty for what the agent does not report. */
  name: z.string(),
  about: z.string(),
  model: z.string(),
  state: z.enum(taskStates),
  /** Null if the agent repeated it from its history. */
  startedAt: z.number().nullable(),
  endedAt,
  turns: z.array(plainTurn),
})

const turn = plainTurn.extend({ parts: z.array(z.discriminatedUnion('kind', [...plainParts, task])) })

const compaction = z.object({
  kind: z.literal('compaction'),
  at,
  endedAt,
  outcome: z.enum(['running', 'done', 'nothing', 'failed', 'aborted']),
  summary: z.string(),
  error: z.string().nullable(),
})

const entry = z.discriminatedUnion('kind', [
  turn,
  compaction,
  notice,
  shell,
  /** The user began a new conversation. */
  z.object({ kind: z.literal('cleared'), at }),
  z.object({ kind: z.literal('agent_ended'), at, reason: z.string(), hint: z.string() }),
])

export const transcriptSchema = z.object({
  format: z.literal('zotui-session'),
  version: z.literal(1),
  /** The session's id; null for one that is not saved. */
  id: z.string().nullable(),
  title: z.string(),
  /** The name of the project's folder, without the path to it. */
  project: z.string().nullable(),
  startedAt: z.number().nullable(),
  endedAt,
  agent: z.object({ name: z.string(), version: z.string(), provider: z.string(), model: z.string() }),
  /** The sum over all calls of models. */
  usage: usageSchema,
  /** Whether some cost is not reported by the agent: then that of `usage` is a minimum. */
  usageIsPartial: z.boolean(),
  entries: z.array(entry),
})

export type Transcript = z.infer<typeof transcriptSchema>
export type TranscriptEntry = z.infer<typeof entry>
export type TranscriptTurn = z.infer<typeof turn>
export type TranscriptTask = z.infer<typeof task>
export type TranscriptPart = TranscriptTurn['parts'][number]
export type TranscriptCompaction = z.infer<typeof compaction>
export type TranscriptTool = z.infer<typeof tool>
export type TranscriptShell = z.infer<typeof shell>
export type TranscriptNotice = z.infer<typeof notice>
