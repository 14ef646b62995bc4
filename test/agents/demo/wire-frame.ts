import { z } from 'zod'

const block = z.looseObject({
  type: z.string(),
  text: z.string().optional(),
  id: z.string().optional(),
  name: z.string().optional(),
  args: z.unknown().optional(),
})

/** The fields of any frame that tests use. */
export const wireFrame = z.looseObject({
  type: z.string(),
  id: z.string().optional(),
  command: z.string().optional(),
  success: z.boolean().optional(),
  data: z.looseObject({}).optional(),
  error: z.string().optional(),
  message: z.string().optional(),
  step: z.number().optional(),
  stop: z.string().optional(),
  delta: z.string().optional(),
  text: z.string().optional(),
  summary: z.string().optional(),
  auxiliary: z.boolean().optional(),
  is_error: z.boolean().optional(),
  name: z.string().optional(),
  args: z.unknown().optional(),
  content: z.array(block).optional(),
})

export type WireFrame = z.infer<typeof wireFrame>
