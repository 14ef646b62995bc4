/** The lines of `-p --json`: the events of the agent, and two lines of zotui around them. */
import { z } from 'zod'
import { agentEventSchema } from '../agent/event-schema.ts'
import { usageSchema } from '../agent/content.ts'
import { printOutcomes } from './outcomes.ts'

const at = z.number()

/** The first line. */
const sessionLineSchema = z.object({
  type: z.literal('session_opened'),
  at,
  session: z.string().nullable().describe('the ID for --resume; null if the run is not saved, as with --demo'),
})

/** The last line. There is exactly one, however the run ends. */
const resultSchema = z.object({
  type: z.literal('result'),
  at,
  session: z.string().nullable().describe('the ID for --resume; null if nothing was saved'),
  outcome: z.enum(printOutcomes),
  exitCode: z.number(),
  answer: z
    .string()
    .describe('the final answer, or the checked JSON of --output-schema; if the run was stopped, what there is of it'),
  error: z.string().nullable().describe('why it failed, as on standard error; null if it did not'),
  costUsd: z.number().nullable().describe('the cost of this run in US dollars; null if the agent does not report it'),
  costIsPartial: z.boolean().describe('whether the cost of some model calls is not known'),
  sessionCostUsd: z.number().nullable().describe('the cost of the session with its earlier runs'),
  usage: usageSchema.omit({ costUsd: true }).describe('the tokens of this run'),
})

export type PrintResult = z.infer<typeof resultSchema>

export const printLineSchema = z.discriminatedUnion('type', [
  sessionLineSchema,
  ...agentEventSchema.options,
  resultSchema,
])
