/**
 * Schemas that never reject: a field that is missing, null or of the wrong type gets a default, so that one odd field of a
 * newer or older agent does not lose the whole frame.
 */
import { z } from 'zod'
import { markList, UNUSUAL, usualReader } from '../../agent/schema-reader.ts'

export const text = z.string().catch('')
export const maybeText = z.string().optional().catch(undefined)
/** An id. Agents send strings; a number is converted. */
export const identifier = z.union([z.string(), z.number().transform(String)]).catch('')
export const flag = z.boolean().catch(false)
export const count = z.number().catch(0)
/** A number that may be unknown. */
export const maybeCount = z.number().nullable().catch(null)

/** A list without its invalid items; anything else becomes an empty list. */
export function list<Item>(item: z.ZodType<Item>): z.ZodType<Item[]> {
  const read = usualReader(item)
  const lenient = z
    .unknown()
    .optional()
    .transform(items =>
      Array.isArray(items)
        ? items.flatMap((candidate: unknown) => {
            const known = read(candidate)
            // The derived reader returns what its schema describes.
            return known === UNUSUAL ? validOf(item, candidate) : [known as Item]
          })
        : [],
    )
  return markList(lenient, item)
}

function validOf<Item>(item: z.ZodType<Item>, candidate: unknown): Item[] {
  const { success, data } = item.safeParse(candidate)
  return success ? [data] : []
}
