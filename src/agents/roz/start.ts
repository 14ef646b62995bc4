/** The first message of a session. Pure. */
import type { ToolDefinition } from '../../local-tools/tool.ts'
import type { StartSession, WireMessage } from './wire/messages.ts'
import { toStruct } from './wire/struct.ts'

/** The time that the server waits for a call, in milliseconds: its own limit. */
const TIMEOUT = 120_000
/** Calls that only read may run side by side; all others are asked for one after another. */
const CATEGORY = { changing: 1, reading: 2 } as const

export type SessionBeginning = {
  environment: string
  model: string
  tools: readonly ToolDefinition[]
  history: readonly WireMessage[]
  context: readonly string[]
}

export function startMessage({ environment, model, tools, history, context }: SessionBeginning): StartSession {
  return {
    environment_id: environment,
    ...(model !== '' && { model }),
    tools: tools.map(({ name, description, schema, kind }) => ({
      name,
      description,
      parameters_schema: toStruct(schema),
      timeout_ms: TIMEOUT,
      category: kind === 'read' ? CATEGORY.reading : CATEGORY.changing,
    })),
    history,
    project_context: context,
  }
}
