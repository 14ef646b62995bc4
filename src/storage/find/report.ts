/** What `zotui find --json` prints. */
import * as z from 'zod'
import { sessionPlaceSchema } from '../../conversation/queries/session/session-place.ts'
import { passageKinds, type FoundPassage } from './passage.ts'

const foundSchema: z.ZodType<FoundPassage> = z.object({
  place: sessionPlaceSchema,
  kind: z.enum(passageKinds),
  failed: z.boolean(),
  folder: z.string(),
  agent: z.string(),
  title: z.string(),
  excerpt: z.string(),
  matches: z.array(z.tuple([z.number(), z.number()])),
})

export const findReportSchema = z.object({
  /** Best first. */
  found: z.array(foundSchema),
  /** How much of all sessions was searched, from 0 to 1. */
  share: z.number(),
  /** Whether more fits. */
  isCut: z.boolean(),
})
export type FindReport = z.infer<typeof findReportSchema>
