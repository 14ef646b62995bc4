/**
 * Frames of the Agent Client Protocol, version 1, with the protocol's own field names. Unknown fields and kinds are accepted:
 * agents send more than the schema has, and null means an absent field.
 */
import { z } from 'zod'
import { isObject } from '../../text/json.ts'
import { createReader } from '../../agent/schema-reader.ts'
import { flag, list, maybeCount, maybeText, text } from '../transport/lenient.ts'
import { readCommands } from './session/commands.ts'

const meta = z.record(z.string(), z.unknown()).catch({})
/** A text that may be absent, null or of another type. */
const note = z.string().nullish().catch(null)
/** A text that null clears; absent, it stays. */
const patched = z.string().nullish().catch(undefined)
/** An ability that null takes away; absent, it stays. */
const switched = z
  .unknown()
  .optional()
  .transform(value => (value === undefined ? undefined : isObject(value)))
/** A set of abilities; only the keys matter. */
const has = z.unknown().optional().transform(isObject)

const contentBlock = z.object({
  type: text,
  text: maybeText,
  mimeType: maybeText,
  /** Base64. */
  data: maybeText,
  uri: maybeText,
  name: maybeText,
  resource: z.object({ uri: text, text: maybeText }).optional().catch(undefined),
})
export type AcpBlock = z.infer<typeof contentBlock>

const toolContent = z.object({
  type: text,
  content: contentBlock.optional().catch(undefined),
  path: maybeText,
  oldText: note,
  newText: maybeText,
  terminalId: maybeText,
})
export type WireToolContent = z.infer<typeof toolContent>

const toolFields = {
  toolCallId: z.string(),
  title: note,
  name: note,
  kind: note,
  status: note,
  content: list(toolContent).nullish().catch(null),
  locations: list(z.object({ path: z.string(), line: maybeCount.optional() }))
    .nullish()
    .catch(null),
  rawInput: z.unknown().optional(),
  rawOutput: z.unknown().optional(),
  _meta: meta.optional(),
}
/** A call in a request. Everything except the id may be absent. */
const toolCall = z.object(toolFields)
export type WireToolCall = z.infer<typeof toolCall>

const choice = z.object({ value: z.string(), name: text, description: note })
const group = z.object({ options: z.array(z.unknown()) })
const choices = z
  .unknown()
  .optional()
  .transform(value => {
    if (!Array.isArray(value)) return []
    // Choices may be grouped.
    return value.flatMap((each: unknown) => {
      const grouped = group.safeParse(each)
      const members = grouped.success ? grouped.data.options : [each]
      return members.flatMap(member => {
        const { success, data } = choice.safeParse(member)
        return success ? [data] : []
      })
    })
  })
const configOption = z.object({
  id: z.string(),
  name: text,
  description: note,
  category: note,
  type: text,
  currentValue: z.union([z.string(), z.boolean()]).catch(''),
  options: choices,
})
export type WireOption = z.infer<typeof configOption>

const modes = z
  .object({ currentModeId: text, availableModes: list(z.object({ id: z.string(), name: text, description: note })) })
  .nullish()
  .catch(null)
const models = z
  .object({
    currentModelId: text,
    availableModels: list(z.object({ modelId: z.string(), name: text, description: note })),
  })
  .nullish()
  .catch(null)

/** The properties of an opened session. Absent ones keep their values. */
const sessionSchema = z.object({
  sessionId: maybeText,
  modes,
  models,
  configOptions: list(configOption).nullish().catch(null),
})
export type WireSession = z.infer<typeof sessionSchema>

const usage = z
  .object({
    inputTokens: maybeCount.optional(),
    outputTokens: maybeCount.optional(),
    totalTokens: maybeCount.optional(),
    thoughtTokens: maybeCount.optional(),
    cachedReadTokens: maybeCount.optional(),
    cachedWriteTokens: maybeCount.optional(),
  })
  .nullish()
  .catch(null)
export type WireUsage = NonNullable<z.infer<typeof usage>>

const update = <Kind extends string, FieldShape extends z.ZodRawShape>(kind: Kind, shape: FieldShape) =>
  z.object({ sessionUpdate: z.literal(kind), ...shape })

const chunk = {
  content: contentBlock,
  messageId: note,
  _meta: z.object({ usage }).optional().catch(undefined),
}

const makeUpdateSchema = () =>
  z.discriminatedUnion('sessionUpdate', [
    update('user_message_chunk', chunk),
    update('agent_message_chunk', chunk),
    update('agent_thought_chunk', chunk),
    update('tool_call', toolFields),
    update('tool_call_update', toolFields),
    update('plan', { entries: list(z.object({ content: text, status: text, priority: maybeText })) }),
    // There may be hundreds, with pages of text: checking each with a schema takes longer than a frame.
    update('available_commands_update', { availableCommands: z.unknown().optional().transform(readCommands) }),
    update('current_mode_update', { currentModeId: z.string() }),
    update('config_option_update', { configOptions: list(configOption) }),
    update('session_info_update', { title: note, _meta: meta.optional() }),
    update('usage_update', {
      used: z.number(),
      size: maybeCount.optional(),
      cost: z.object({ amount: z.number(), currency: text }).nullish().catch(null),
      _meta: meta.optional(),
    }),
    update('notice', { severity: text, title: text, description: note }),
    update('compaction_update', {
      compactionId: text,
      status: text,
      summary: list(contentBlock).nullish().catch(null),
      error: note,
    }),
    // A change of what is known about a subagent: what is absent stays, and null clears.
    update('subagent_update', {
      sessionId: z.string(),
      title: patched,
      description: patched,
      capabilities: z.object({ cancel: switched }).nullish().catch(undefined),
      state: z
        .object({ state: text, stopReason: note, error: z.object({ message: text }).nullish().catch(null) })
        .nullish()
        .catch(undefined),
    }),
    // A message between an agent and its subagent, once in the session of each.
    update('session_message', {
      messageId: text,
      senderSessionId: note,
      recipientSessionId: note,
      content: list(contentBlock),
    }),
  ])

export type WireUpdate = z.infer<ReturnType<typeof makeUpdateSchema>>

export const makeParamsSchema = () => z.object({ sessionId: z.string(), update: makeUpdateSchema() })

/** Reads an update of a session; null for an unknown kind or an invalid one. */
export const readUpdate = createReader(makeParamsSchema)

const permissionSchema = z.object({
  sessionId: z.string(),
  toolCall,
  options: list(z.object({ optionId: z.string(), name: text, kind: text })),
})
export type WirePermission = z.infer<typeof permissionSchema>

const namedValue = z.object({ const: z.string(), title: text, description: note })
export type WireNamedValue = z.infer<typeof namedValue>

const propertySchema = z.object({
  type: text,
  title: note,
  description: note,
  default: z.unknown().optional(),
  enum: list(z.string()).nullish().catch(null),
  oneOf: list(namedValue).nullish().catch(null),
  items: z
    .object({
      enum: list(z.string()).nullish().catch(null),
      anyOf: list(namedValue).nullish().catch(null),
    })
    .nullish()
    .catch(null),
})
export type WireProperty = z.infer<typeof propertySchema>

const elicitationSchema = z.object({
  mode: text,
  message: text,
  sessionId: maybeText,
  requestedSchema: z
    .object({
      properties: z.record(z.string(), propertySchema).catch({}),
      required: list(z.string()).nullish().catch(null),
    })
    .optional()
    .catch(undefined),
})
export type WireElicitation = z.infer<typeof elicitationSchema>

const authMethod = z.object({
  id: z.string(),
  name: text,
  description: note,
  type: maybeText,
  args: list(z.string()),
  _meta: z
    .object({
      type: maybeText,
      args: list(z.string()),
      'terminal-auth': z
        .object({ command: z.string(), args: list(z.string()) })
        .optional()
        .catch(undefined),
      'api-key': z.unknown().optional(),
    })
    .optional()
    .catch(undefined),
})

const greetingSchema = z.object({
  protocolVersion: z.number().catch(0),
  agentInfo: z.object({ name: text, title: note, version: text }).nullish().catch(null),
  authMethods: list(authMethod),
  _meta: z
    .object({ steering: z.object({ supported: flag }).optional().catch(undefined) })
    .optional()
    .catch(undefined),
  agentCapabilities: z
    .object({
      loadSession: flag,
      auth: z.object({ logout: has }).optional().catch(undefined),
      promptCapabilities: z.object({ image: flag, embeddedContext: flag }).optional().catch(undefined),
      mcpCapabilities: z.object({ http: flag, sse: flag }).optional().catch(undefined),
      sessionCapabilities: z
        .object({
          list: has,
          resume: has,
          close: has,
          fork: has,
          subagents: has,
          title: has,
          additionalDirectories: has,
        })
        .optional()
        .catch(undefined),
    })
    .optional()
    .catch(undefined),
})
export type WireGreeting = z.infer<typeof greetingSchema>

const promptSchema = z.object({
  stopReason: text,
  usage,
  _meta: z
    .object({
      quota: z
        .object({
          token_count: z
            .object({ input_tokens: maybeCount.optional(), output_tokens: maybeCount.optional() })
            .nullish()
            .catch(null),
        })
        .optional()
        .catch(undefined),
    })
    .nullish()
    .catch(null),
})
export type WirePromptResult = z.infer<typeof promptSchema>

const listedSchema = z.object({
  sessions: list(z.object({ sessionId: z.string(), cwd: text, title: note, updatedAt: note })),
  nextCursor: note,
})

/** Reads a value; null if it has another shape. */
const reader = <Value>(schema: z.ZodType<Value>) => createReader(() => schema)

export const readGreeting = reader(greetingSchema)
export const readSession = reader(sessionSchema)
export const readPermission = reader(permissionSchema)
export const readElicitation = reader(elicitationSchema)
export const readPromptResult = reader(promptSchema)
export const readListed = reader(listedSchema)
/** The options after one of them was set. */
export const readOptions = reader(z.object({ configOptions: list(configOption).nullish().catch(null) }))
