/** A place in a session that is found again when the session is read from its file: what a search found, or a mark. */
import * as z from 'zod'

export const sessionPlaceSchema = z.object({
  session: z.string(),
  /** The time of the event that is there, in milliseconds since the Unix epoch. Events have the same time in each reading. */
  at: z.number(),
  /** The id of the call that the place is in; null for text. */
  call: z.string().nullable(),
})
export type SessionPlace = z.infer<typeof sessionPlaceSchema>
