/**
 * Adds what zotui finds out about an event of the agent, as events of the same vocabulary: a stored session then needs
 * no files. Only facts such as numbers leave this module, never the content of a file.
 */
import { lstatSync } from 'node:fs'
import type { AgentEvent, EventOf, PlainEvent } from '../../agent/event.ts'
import type { CallDiff } from '../../agent/turn-events.ts'
import { hunksOf, locateChanges, locateHunks } from '../../conversation/queries/edit-result.ts'
import { lastCall } from '../../conversation/calls/nesting.ts'
import type { ChatState, Turn } from '../../conversation/state.ts'
import type { ToolCall } from '../../conversation/part.ts'
import { inspectImage } from '../../platform/images/inspect.ts'
import { PICTURE_LIMIT } from '../../platform/images/read-image.ts'
import { readRegularFileSync } from '../../platform/regular-file.ts'
import { allowedPath } from './allowed-path.ts'
import type { ToolLimit } from '../../state/state.ts'
import { missingTool } from './missing-tool.ts'
import { lookup } from '../../text/lookup.ts'
import { textAt } from '../../text/member.ts'

/** Bytes of the largest file that is read. */
const LARGEST_FILE = 2 * 1024 * 1024

type Finished = EventOf<'tool_finished'>
type OfCall = Finished | EventOf<'tool_described'>
type Annotated = OfCall | EventOf<'task_event'>

/** Whether zotui may have facts to add to it. */
export function mayBeAnnotated(event: AgentEvent): event is Annotated {
  return event.type === 'task_event' ? isOfCall(event.event) : isOfCall(event)
}

function isOfCall(event: AgentEvent): event is OfCall {
  return event.type === 'tool_finished' || event.type === 'tool_described'
}

/**
 * The events to fold in place of `event`: itself, and what zotui adds to it. `chat` is the conversation so far,
 * `folder` that of the agent, `limit` the reason why it lacks tools. Never throws.
 */
export function annotated(
  chat: ChatState,
  event: AgentEvent,
  folder: string,
  limit: ToolLimit | null = null,
): AgentEvent[] {
  if (event.type === 'task_event') {
    const { id, at, event: inner } = event
    const known = withNoted(chat.tasks.get(id)?.chat ?? null, inner, folder, limit)
    return known.map(each => (each === inner ? event : { type: 'task_event', id, at, event: each }))
  }
  return withNoted(chat, event, folder, limit)
}

function withNoted(chat: ChatState | null, event: PlainEvent, folder: string, limit: ToolLimit | null): PlainEvent[] {
  if (!isOfCall(event) || chat?.open?.kind !== 'turn') return [event]
  if (event.type === 'tool_described')
    return event.diff ? [event, ...changesLocated(event, event.diff, folder, chat.open)] : [event]
  const tool = toolOf(chat.open, event.id)
  if (event.failed) return tool && limit ? [event, ...missingTool(chat.open, tool, event, limit)] : [event]
  const find = lookup(finders, tool?.name ?? '')
  const file = tool && find && fileOf(tool, folder, chat.open)
  const found = tool && file ? find(event, file, tool) : null
  return found ? [found, event] : [event]
}

/** Functions that look up facts about a call, by the name of its tool. */
const finders: Partial<Record<string, (event: Finished, file: string, tool: ToolCall) => PlainEvent | null>> = {
  edit: located,
  read: pictured,
  write: created,
}

/** Milliseconds by which a file system's clock may be behind. */
const TICK = 20

/**
 * A file that is older than the call was overwritten. On a file system without birth times they are 0. A file that was replaced
 * as a whole is younger: zotui does so, and says which it was.
 */
function created({ at, id }: Finished, file: string, call: ToolCall): PlainEvent | null {
  const { startedAt, draftedAt, created, replaced } = call
  if (created || replaced) return null
  try {
    return lstatSync(file).birthtimeMs >= (startedAt ?? draftedAt) - TICK ? { type: 'file_created', at, id } : null
  } catch {
    // The file is gone already.
    return null
  }
}

function located(event: Finished, file: string): PlainEvent | null {
  const hunks = hunksOf(event.content.map(block => (block.type === 'text' ? block.text : '')).join('\n'))
  // If the file cannot be read, the difference is shown without line numbers.
  const text = hunks && readRegularFileSync(file, LARGEST_FILE)?.toString()
  if (typeof text !== 'string') return null
  const lines = locateHunks(text, hunks ?? [])
  if (lines.every(line => line === null)) return null
  return { type: 'edit_located', at: event.at, id: event.id, lines }
}

/** An agent reports a change as a part of the file, perhaps without its place. */
function changesLocated(
  { at, id }: EventOf<'tool_described'>,
  diffs: readonly CallDiff[],
  folder: string,
  turn: Turn,
): PlainEvent[] {
  const lines = diffs.map((): number | null => null)
  for (const path of new Set(diffs.map(diff => diff.path))) {
    const file = allowedPath(path, folder, turn.prompt)
    const text = file && readRegularFileSync(file, LARGEST_FILE)?.toString()
    if (typeof text !== 'string') continue
    const ofFile = [...diffs.entries()].filter(([, diff]) => diff.path === path)
    const found = locateChanges(
      text,
      ofFile.map(([, diff]) => diff),
    )
    for (const [nth, [index]] of ofFile.entries()) lines[index] = found[nth] ?? null
  }
  return lines.every(line => line === null) ? [] : [{ type: 'edit_located', at, id, lines }]
}

function pictured(event: Finished, file: string): PlainEvent | null {
  if (!event.content.some(block => block.type === 'image')) return null
  const bytes = readRegularFileSync(file, PICTURE_LIMIT)
  const facts = bytes && inspectImage(bytes)
  return facts && { type: 'image_located', at: event.at, id: event.id, path: file, ...facts }
}

function toolOf(turn: Turn, id: string): ToolCall | null {
  const part = turn.parts.get(lastCall(turn, id))
  return part?.kind === 'tool' ? part : null
}

/** The file of a call, if zotui may read it. */
function fileOf({ arguments: args }: ToolCall, folder: string, turn: Turn): string | null {
  const path = textAt(args, 'path')
  return path === undefined ? null : allowedPath(path, folder, turn.prompt)
}
