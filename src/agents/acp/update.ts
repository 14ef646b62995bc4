/**
 * Reads the updates of a session. Those that come by thousands are read without a schema, which takes several times as long: pieces
 * of text and of thoughts, and pieces of what a command prints. The result equals the schema's, or the update is left to it. Pure.
 */
import { isObject } from '../../text/json.ts'
import { readAnyUpdate, type WireUpdate } from './frame.ts'

type Fields = Readonly<Record<string, unknown>>

/** Reads an update of a session; null for an unknown kind or an invalid one. */
export function readUpdate(params: unknown): { sessionId: string; update: WireUpdate } | null {
  return readUsual(params) ?? readAnyUpdate(params)
}

/** The session and the update as the schema reads them; null for an update of another shape. */
export function readUsual(params: unknown): { sessionId: string; update: WireUpdate } | null {
  if (!isObject(params)) return null
  const { sessionId, update } = params
  if (typeof sessionId !== 'string' || !isObject(update)) return null
  const { sessionUpdate: kind } = update
  const read =
    kind === 'agent_message_chunk' || kind === 'agent_thought_chunk'
      ? readPiece(kind, update)
      : kind === 'tool_call_update'
        ? readOutput(update)
        : null
  return read && { sessionId, update: read }
}

function readPiece(kind: 'agent_message_chunk' | 'agent_thought_chunk', update: Fields): WireUpdate | null {
  for (const name in update) if (name !== 'sessionUpdate' && name !== 'content' && name !== 'messageId') return null
  const { content, messageId } = update
  if (!isObject(content)) return null
  for (const name in content) if (name !== 'type' && name !== 'text') return null
  const { type, text } = content
  if (type !== 'text' || typeof text !== 'string') return null
  if (typeof messageId !== 'string' && messageId !== undefined && messageId !== null) return null
  return { sessionUpdate: kind, content: { ...NO_BLOCK, type, text }, messageId, _meta: undefined }
}

function readOutput(update: Fields): WireUpdate | null {
  for (const name in update) if (name !== 'sessionUpdate' && name !== 'toolCallId' && name !== '_meta') return null
  const { toolCallId, _meta } = update
  if (typeof toolCallId !== 'string' || !isObject(_meta)) return null
  for (const name in _meta) if (name !== 'terminal_output_delta') return null
  return { ...NO_CALL, sessionUpdate: 'tool_call_update', toolCallId, _meta }
}

const NO_BLOCK = { mimeType: undefined, data: undefined, uri: undefined, name: undefined, resource: undefined }
const NO_CALL = {
  title: undefined,
  name: undefined,
  kind: undefined,
  status: undefined,
  content: undefined,
  locations: undefined,
}
