/**
 * Schemas that never reject: a field that is missing, null or of the wrong type gets a default, so that one odd field of a
 * newer or older zot does not lose the whole frame.
 */
import { z } from 'zod'

export const text = z.string().catch('')
export const maybeText = z.string().optional().catch(undefined)
/** An id. zot sends strings; a number is converted. */
export const identifier = z.union([z.string(), z.number().transform(String)]).catch('')
export const flag = z.boolean().catch(false)
export const count = z.number().catch(0)
/** A number that may be unknown. */
export const maybeCount = z.number().nullable().catch(null)

/** A list without its invalid items; anything else becomes an empty list. */
export function list<Item>(item: z.ZodType<Item>): z.ZodType<Item[]> {
  return z
    .array(z.unknown())
    .catch([])
    .transform(items =>
      items.flatMap(candidate => {
        const { success, data } = item.safeParse(candidate)
        return success ? [data] : []
      }),
    )
}
