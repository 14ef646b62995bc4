/** Holds frames that a client writes against the schema of the protocol. */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { z } from 'zod'

const file = createRequire(import.meta.url).resolve('@agentclientprotocol/sdk/schema/v1/schema.json')
const definition = z.looseObject({ 'x-method': z.string().optional() })
const schema = z.looseObject({ $defs: z.record(z.string(), definition) }).parse(JSON.parse(readFileSync(file, 'utf8')))

const ajv = new Ajv2020({ strict: false, validateFormats: false })
ajv.addSchema(schema, 'acp')

const frameSchema = z.looseObject({
  jsonrpc: z.literal('2.0'),
  id: z.union([z.number(), z.string()]).optional(),
  method: z.string().optional(),
  params: z.unknown().optional(),
  result: z.unknown().optional(),
  error: z.object({ code: z.number().int(), message: z.string() }).optional(),
})

/** The fields that agents take beyond the stable schema. */
const BEYOND: Readonly<Record<string, z.ZodType>> = {
  'session/fork': z.strictObject({ sessionId: z.string(), cwd: z.string(), mcpServers: z.array(z.never()) }),
  'session/set_model': z.strictObject({ sessionId: z.string(), modelId: z.string() }),
  '_zotui/ping': z.strictObject({}),
}

/** The faults of a client's frames, given the requests of the agent that they may answer. Empty if all are valid. */
export function faultsOf(frames: readonly unknown[], asked: ReadonlyMap<string, string>): string[] {
  return frames.flatMap(each => {
    const { success, data: frame } = frameSchema.safeParse(each)
    if (!success) return [`no frame: ${JSON.stringify(each)}`]
    if (frame.method === undefined) {
      const method = asked.get(String(frame.id))
      if (method === undefined) return [`an answer to nothing: ${JSON.stringify(each)}`]
      return frame.error ? [] : faults(method, 'Response', frame.result)
    }
    const kind = frame.id === undefined ? 'Notification' : 'Request'
    const beyond = BEYOND[frame.method]
    if (beyond)
      return beyond.safeParse(frame.params).success ? [] : [`${frame.method}: ${JSON.stringify(frame.params)}`]
    return faults(frame.method, kind, frame.params)
  })
}

function faults(method: string, kind: 'Request' | 'Response' | 'Notification', value: unknown): string[] {
  const name = Object.entries(schema.$defs).find(([key, def]) => def['x-method'] === method && key.endsWith(kind))?.[0]
  if (name === undefined) return [`${method}: the schema has no such ${kind}`]
  const validate = ajv.getSchema(`acp#/$defs/${name}`)
  if (!validate) return [`${method}: the schema cannot be read`]
  return validate(value) ? [] : [`${method}: ${ajv.errorsText(validate.errors)} in ${JSON.stringify(value)}`]
}
