/** Values of a zod schema that have every field which the schema knows. */
import { z } from 'zod'

/** One value for each alternative of the schema's unions at its top; below, each list holds all alternatives. */
export function fullest(schema: z.core.$ZodType): unknown[] {
  if (schema instanceof z.ZodString) return ['x']
  if (schema instanceof z.ZodNumber) return [1]
  if (schema instanceof z.ZodBoolean) return [true]
  if (schema instanceof z.ZodLiteral) return [...schema.values]
  if (schema instanceof z.ZodEnum) return schema.options.slice(0, 1)
  if (schema instanceof z.ZodUnknown) return [{ x: 'x' }]
  if (
    schema instanceof z.ZodOptional ||
    schema instanceof z.ZodExactOptional ||
    schema instanceof z.ZodNullable ||
    schema instanceof z.ZodReadonly
  )
    return fullest(schema.unwrap())
  if (schema instanceof z.ZodArray) return [fullest(schema.element)]
  if (schema instanceof z.ZodRecord) return [{ x: fullest(schema.valueType)[0] }]
  if (schema instanceof z.ZodUnion) return schema.options.flatMap(fullest)
  if (schema instanceof z.ZodObject)
    return [Object.fromEntries(Object.entries(schema.shape).map(([name, field]) => [name, fullest(field)[0]]))]
  throw new Error(`no sample can be made of a ${schema.constructor.name} yet`)
}
