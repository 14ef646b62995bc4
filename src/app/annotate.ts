/**
 * What zotui finds out by itself about what the agent has just told, as events of the same vocabulary: what is stored and
 * read again then needs no files. Only numbers leave this module, never anything that a file says.
 */
import { closeSync, constants, fstatSync, openSync, readSync, statSync } from 'node:fs'
import path from 'node:path'
import type { AgentEvent } from '../agent/event.ts'
import { hunksOf, locateHunks } from '../chat/edit-result.ts'
import type { ChatState, ToolCall } from '../chat/state.ts'

/** Bytes of the largest file that is looked into. */
const LARGEST_FILE = 2 * 1024 * 1024

/**
 * The events to fold in place of `event`: itself, and before it what we know besides. `chat` is the conversation so far,
 * `folder` the one in which the agent works. Never throws.
 */
export function annotated(chat: ChatState, event: AgentEvent, folder: string = process.cwd()): AgentEvent[] {
  if (event.type !== 'tool_finished' || event.failed) return [event]
  const file = editedFile(toolOf(chat, event.id), folder)
  if (file === null) return [event]
  const hunks = hunksOf(event.content.map(block => (block.type === 'text' ? block.text : '')).join('\n'))
  const text = hunks && readRegularFile(file)
  if (text === null) return [event]
  const lines = locateHunks(text, hunks ?? [])
  if (lines.every(line => line === null)) return [event]
  return [{ type: 'edit_located', at: event.at, id: event.id, lines }, event]
}

function toolOf(chat: ChatState, id: string): ToolCall | null {
  if (chat.open?.kind !== 'turn') return null
  const part = chat.open.parts.findLast(each => each.kind === 'tool' && each.id === id)
  return part?.kind === 'tool' ? part : null
}

/** The file that an edit changed, as zot resolves it: against its folder, and with no `~`. */
function editedFile(tool: ToolCall | null, folder: string): string | null {
  if (tool?.name !== 'edit') return null
  const { arguments: args } = tool
  if (typeof args !== 'object' || args === null || !('path' in args)) return null
  return typeof args.path === 'string' && args.path !== '' ? path.resolve(folder, args.path) : null
}

/**
 * A small regular file's text; null for anything else. A pipe or a device is not even opened: one would wait for ever, the
 * other may act on it.
 */
function readRegularFile(file: string): string | null {
  try {
    if (!statSync(file).isFile()) return null
    // In case that it was replaced meanwhile: with this flag not even a pipe waits. Windows has neither.
    const handle = openSync(file, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0))
    try {
      const stats = fstatSync(handle)
      return stats.isFile() && stats.size <= LARGEST_FILE ? readAll(handle, stats.size) : null
    } finally {
      closeSync(handle)
    }
  } catch {
    // It is gone, or not ours to read: the difference is shown without numbers.
    return null
  }
}

function readAll(handle: number, size: number): string {
  const bytes = Buffer.alloc(size)
  let length = 0
  while (length < size) {
    const read = readSync(handle, bytes, length, size - length, null)
    if (read === 0) break
    length += read
  }
  return bytes.toString('utf8', 0, length)
}
