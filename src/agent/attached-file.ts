/** A file that a prompt mentions, and the part of it that went along. */
import { z } from 'zod'

export const attachedFileSchema = z.object({
  /** As it was mentioned: from the folder, absolute, or from the home folder. */
  path: z.string(),
  /** `name`: only the mention itself was sent. */
  sent: z.enum(['content', 'listing', 'image', 'name']),
  /** The lines of `content`, if it is not the whole file; the first is 1, and both ends are included. */
  lines: z.object({ from: z.number(), to: z.number() }).optional(),
  /** Estimated tokens of `content` and `listing`. */
  tokens: z.number().optional(),
  /** The size of an `image` file. */
  bytes: z.number().optional(),
  /** For `name`: why, as the end of a sentence that begins with the file. */
  because: z.string().optional(),
})
export type AttachedFile = z.infer<typeof attachedFileSchema>
