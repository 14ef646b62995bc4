/** The messages between the program that starts a conversation in the background and the process that holds it. */
import { z } from 'zod'

/** The first argument of a process that holds a conversation. Without a channel to the parent it is a prompt. */
export const HOLD = 'hold-conversation'

/** The prompt, and the words that it was made of. `isTyped`: nothing was made of them yet. */
const typedPrompt = z.object({
  text: z.string(),
  typed: z.string().optional(),
  isTyped: z.literal(true).optional(),
})

/**
 * The start message. It is sent through the channel, because other users can see arguments, which may be keys or
 * private prompts. Without a prompt the process waits for a UI.
 */
export const handoverSchema = z.object({
  argv: z.array(z.string()),
  prompt: typedPrompt.nullable(),
  /** The model to begin with, as the agent lists it; absent for the agent's own choice. */
  model: z.string().optional(),
})
export type Handover = z.infer<typeof handoverSchema>

export const holdReplySchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('held'), id: z.string() }),
  z.object({
    type: z.literal('failed'),
    message: z.string(),
    hint: z.string(),
    exitCode: z.union([z.literal(1), z.literal(2)]),
  }),
])
export type HoldReply = z.infer<typeof holdReplySchema>
