/** Translates zot's events into ours. Pure: the backend tracks the operation in flight. */
import type { AgentEvent, AnswerContent, Content } from '../../agent/event.ts'
import type { WireAnswerContent, WireContent, ZotEvent } from './frame.ts'

/** Translates one event, received at `at` milliseconds since the Unix epoch. Null for one that says nothing new. */
export function translate(event: ZotEvent, at: number): AgentEvent | null {
  switch (event.type) {
    case 'user_message':
      // It repeats the prompt, which `prompt_sent` holds already.
      return null
    case 'turn_start':
      return { type: 'step_started', at, step: event.step }
    case 'assistant_start':
      return { type: 'answer_started', at }
    case 'text_delta':
      return { type: 'text_received', at, text: event.delta }
    case 'assistant_message':
      return { type: 'answer_finished', at, content: event.content.map(toAnswerContent) }
    case 'usage':
      return { type: 'usage_reported', at, usage: toUsage(event), auxiliary: event.auxiliary }
    case 'turn_end':
      return { type: 'step_ended', at, stop: toStop(event.stop), ...(event.error ? { error: event.error } : {}) }
    case 'error':
      return { type: 'error_reported', at, message: errorMessage(event) }
    case 'done':
      return { type: 'turn_ended', at }
    case 'compact_done':
      return { type: 'compaction_finished', at, summary: event.summary }
    case 'ext_notify':
    case 'ext_display':
    case 'ext_clear_notes':
      return translateExtension(event, at)
    case 'tool_use_start':
    case 'tool_use_args':
    case 'tool_use_end':
    case 'tool_call':
    case 'tool_progress':
    case 'tool_result':
      return translateTool(event, at)
  }
}

type ToolEvent = Extract<ZotEvent, { type: `tool_${string}` }>

function translateTool(event: ToolEvent, at: number): AgentEvent {
  const { id } = event
  switch (event.type) {
    case 'tool_use_start':
      return { type: 'tool_drafted', at, id, name: event.name }
    case 'tool_use_args':
      return { type: 'tool_arguments_received', at, id, text: event.delta }
    case 'tool_use_end':
      return { type: 'tool_arguments_finished', at, id }
    case 'tool_call':
      return { type: 'tool_called', at, id, name: event.name, arguments: event.args ?? null }
    case 'tool_progress':
      return { type: 'tool_progressed', at, id, text: event.text }
    case 'tool_result':
      return { type: 'tool_finished', at, id, failed: event.is_error, content: event.content.map(toContent) }
  }
}

type ExtensionEvent = Extract<ZotEvent, { type: `ext_${string}` }>

function translateExtension(event: ExtensionEvent, at: number): AgentEvent {
  const { extension } = event
  switch (event.type) {
    case 'ext_notify':
      return { type: 'extension_noted', at, extension, level: toLevel(event.level), message: event.message }
    case 'ext_display':
      return { type: 'extension_displayed', at, extension, text: event.text }
    case 'ext_clear_notes':
      return { type: 'extension_notes_cleared', at, extension }
  }
}

export function errorMessage(event: Extract<ZotEvent, { type: 'error' }>): string {
  return event.message ?? event.error ?? 'zot reported an error without saying which'
}

function toUsage(event: Extract<ZotEvent, { type: 'usage' }>) {
  const { input, output, reasoning } = event
  const [cacheRead, cacheWrite, costUsd] = [event.cache_read, event.cache_write, event.cost_usd]
  return { input, output, cacheRead, cacheWrite, costUsd, reasoning }
}

/** Maps `end_turn`, the word of zot's documentation, to `end`, the word that zot sends. */
function toStop(stop: string): string {
  return stop === 'end_turn' ? 'end' : stop
}

function toContent(block: WireContent): Content {
  return block.type === 'image' ? { type: 'image', mimeType: block.mime_type, bytes: block.bytes } : block
}

function toAnswerContent(block: WireAnswerContent): AnswerContent {
  if (block.type !== 'tool_call') return toContent(block)
  return { type: 'tool_call', id: block.id, name: block.name, arguments: block.args ?? null }
}

function toLevel(level: string): 'info' | 'success' | 'warn' | 'error' {
  if (level === 'success' || level === 'warn' || level === 'error') return level
  return level === 'warning' ? 'warn' : 'info'
}
