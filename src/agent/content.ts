/** The content of answers and results, and the usage of a model call. */
import { z } from 'zod'

/** Tokens and cost of one model call. Tokens are counts; `costUsd` is in US dollars, null if the agent does not report it. */
export const usageSchema = z.object({
  input: z.number(),
  output: z.number(),
  cacheRead: z.number(),
  cacheWrite: z.number(),
  costUsd: z.number().nullable(),
  /** The part of `output` spent on hidden reasoning; null if the provider does not say. */
  reasoning: z.number().nullable(),
})
export type Usage = z.infer<typeof usageSchema>

const textContent = z.object({ type: z.literal('text'), text: z.string() })
/** Only the type and size of an image are known: agents do not send the pixels back. `bytes` is the decoded size. */
const imageContent = z.object({ type: z.literal('image'), mimeType: z.string(), bytes: z.number() })
const toolCallContent = z.object({
  type: z.literal('tool_call'),
  id: z.string(),
  name: z.string(),
  arguments: z.unknown(),
})

export const contentSchema = z.discriminatedUnion('type', [textContent, imageContent])
export type Content = z.infer<typeof contentSchema>
export const answerContentSchema = z.discriminatedUnion('type', [textContent, imageContent, toolCallContent])
export type AnswerContent = z.infer<typeof answerContentSchema>

/** A sum of costs: null while every cost in it is unknown, and partial if only some of them are. */
export type CostSum = { costUsd: number | null; isPartial: boolean }

/** Adds the cost of a model call. `isFirst`: nothing has been added before. */
export function addCost(sum: CostSum, costUsd: number | null, isFirst: boolean): CostSum {
  if (isFirst) return { costUsd, isPartial: sum.isPartial }
  const known = costUsd === null ? sum.costUsd : (sum.costUsd ?? 0) + costUsd
  return { costUsd: known, isPartial: sum.isPartial || (costUsd === null) !== (sum.costUsd === null) }
}

/** The cost of an agent's work since its last report. An agent that counts from the beginning again reports less than before. */
export function costSince(reported: number | null, now: number): number {
  return reported === null || now < reported ? now : now - reported
}
