/** A place in a session that the user has marked. */
import * as z from 'zod'
import { sessionPlaceSchema } from './session-place.ts'

export const markSchema = z.object({
  id: z.string(),
  place: sessionPlaceSchema,
  /** The user's words for it; '' for none. */
  word: z.string(),
  /** The line that is there. */
  line: z.string(),
  madeAt: z.number(),
  /** Of two versions with the same ID the one that was changed later counts. */
  changedAt: z.number(),
  isRemoved: z.literal(true).optional(),
})
export type SessionMark = z.infer<typeof markSchema>
