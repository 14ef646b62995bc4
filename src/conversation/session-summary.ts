/** The facts of one session that lists show and that programs are told. */
import * as z from 'zod'

/** `turn` is how many turns of the parent this session began with; null for all that it had then. */
export const parentSchema = z.object({ id: z.string(), turn: z.number().nullable() })

export type SessionParent = z.infer<typeof parentSchema>

export const summarySchema = z.object({
  id: z.string(),
  /** The project's folder, as an absolute path; empty where it is not known. */
  folder: z.string(),
  createdAt: z.number(),
  /** When something happened in it last. Both in milliseconds since the Unix epoch. */
  at: z.number(),
  /** What a person called it; else empty. */
  title: z.string(),
  provider: z.string(),
  /** The model in use last. */
  model: z.string(),
  turns: z.number(),
  costUsd: z.number(),
  /** Whether something was paid for that no agent reports. */
  costIsPartial: z.boolean(),
  /** The beginning of it. */
  firstPrompt: z.string(),
  lastPrompt: z.string(),
  /** How the last answer began. */
  lastAnswer: z.string(),
  /** The beginnings of the prompts, a line each. */
  prompts: z.string(),
  parent: parentSchema.nullable(),
  /** Who keeps it, where that is not zotui: it can be read and gone on with, and not be changed. */
  origin: z.literal('zot').optional(),
})

export type SessionSummary = z.infer<typeof summarySchema>

/** One as programs are told of it: without what is there for searching only. */
export const listedSchema = summarySchema.omit({ prompts: true })

/** Those of this folder, or of all. */
export type SessionScope = 'folder' | 'all'
