/** A file that a prompt mentions, and the part of it that was sent. */
import { z } from 'zod'

export const attachedFileSchema = z.object({
  /** The path as mentioned: relative to the folder, absolute, or relative to the home folder. */
  path: z.string(),
  /** `name`: only the mention itself was sent. `missing`: there is no such file, so it may not be meant as one. */
  sent: z.enum(['content', 'listing', 'image', 'name', 'missing']),
  /** The lines of `content`, if it is not the whole file; the first is 1, and both ends are included. */
  lines: z.object({ from: z.number(), to: z.number() }).optional(),
  /** Estimated tokens of `content` and `listing`. */
  tokens: z.number().optional(),
  /** The size of an `image` file. */
  bytes: z.number().optional(),
  /** For `name` and `missing`: the reason, as the end of a sentence that begins with the file. */
  because: z.string().optional(),
})
export type AttachedFile = z.infer<typeof attachedFileSchema>
