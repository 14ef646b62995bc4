/** Events about words to a running turn. */
import { z } from 'zod'
import { attachedFileSchema } from './attached-file.ts'

export const makeSteerEvents = (at: z.ZodNumber) =>
  [
    /** The user's words have reached the agent at this point of the open turn. `id` is that of the `Steer`. */
    z.object({
      type: z.literal('steer_delivered'),
      at,
      id: z.string(),
      text: z.string(),
      /** As in `prompt_sent`. */
      typed: z.string().optional(),
      images: z.array(z.object({ mimeType: z.string(), bytes: z.number(), path: z.string().optional() })),
      before: z.array(z.string()).optional(),
      files: z.array(attachedFileSchema).optional(),
      from: z.string().optional(),
    }),
    /** This call did not run, because the user's words came first. It was not wrong. `id` is as in `tool_called`. */
    z.object({ type: z.literal('call_steered'), at, id: z.string() }),
  ] as const
