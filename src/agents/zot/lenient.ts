/**
 * Schemas that never reject: a field that is missing, null or of the wrong type becomes what is said here, so that one odd
 * field of a newer or older zot does not lose the frame around it.
 */
import { z } from 'zod'

export const text = z.string().catch('')
export const maybeText = z.string().optional().catch(undefined)
/** An id: the wire says string; a number is taken as its digits. */
export const identifier = z.union([z.string(), z.number().transform(String)]).catch('')
export const flag = z.boolean().catch(false)
export const count = z.number().catch(0)
/** A number that may be unknown. zot sends 0 for a size it does not know. */
export const maybeCount = z.number().nullable().catch(null)

/** A list whose bad items are left out; no list at all is an empty one. */
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
