/**
 * Schemas that never reject: a field that is missing, null or of the wrong type gets a default, so that one odd field of a
 * newer or older agent does not lose the whole frame.
 */
import { z } from 'zod'

export const text = z.string().catch('')
export const maybeText = z.string().optional().catch(undefined)
/** An id. Agents send strings; a number is converted. */
export const identifier = z.union([z.string(), z.number().transform(String)]).catch('')
export const flag = z.boolean().catch(false)
export const count = z.number().catch(0)
/** A number that may be unknown. */
export const maybeCount = z.number().nullable().catch(null)

/**
 * A list without its invalid items; anything else becomes an empty list. A list whose items are all `usual`, as agents write them, is
 * read in a fraction of the time.
 */
export function list<Item>(item: z.ZodType<Item>, usual: z.ZodType<Item> = item): z.ZodType<Item[]> {
  const all = z.array(usual)
  return z
    .unknown()
    .optional()
    .transform(items => {
      const { success, data } = all.safeParse(items)
      if (success) return data
      return Array.isArray(items) ? items.flatMap(candidate => validOf(item, candidate)) : []
    })
}

function validOf<Item>(item: z.ZodType<Item>, candidate: unknown): Item[] {
  const { success, data } = item.safeParse(candidate)
  return success ? [data] : []
}
