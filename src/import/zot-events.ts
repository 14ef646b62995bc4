/** Turns the messages in zot's files into events. Pure. */
import { isContainer } from '../text/json.ts'
import type { AgentEvent, AnswerContent, Content, Usage } from '../agent/event.ts'
import { createImplied } from '../agent/implied.ts'
import type { PlainBlock, ZotBlock, ZotLine, ZotMessage, ZotMeta, ZotUsage } from './zot-line.ts'
import { withoutEnd } from '../text/without-end.ts'

/** Arguments nested deeper are dropped, since they would make readers fail. */
const DEEPEST = 64

/** The beginning of zot's message that summarises all earlier ones. */
const SUMMARY_TITLE = /^## Context Summary \(compacted\)\s*/

export type ZotReader = {
  /** The events of the next line. */
  read: (line: ZotLine) => AgentEvent[]
  /** The last events. */
  end: () => AgentEvent[]
}

/** A turn ends where the next one begins, since its usage comes after its messages. */
export function createZotReader(): ZotReader {
  let isStarted = false
  let isOpen = false
  let step = 0
  let at = 0
  let before: ZotUsage | null = null

  const addImplied = createImplied()
  return {
    read: line => read(line).flatMap(addImplied),
    end: () => end().flatMap(addImplied),
  }

  function read(line: ZotLine): AgentEvent[] {
    switch (line.type) {
      case 'meta':
        return started(line.meta)
      case 'message':
        return messageEvents(line.message)
      case 'compaction':
        return compacted(line.messages.find(message => message !== null) ?? null)
      case 'usage':
        return usageEvents(line.cumulative)
      case 'rename':
        return []
    }
  }

  function end(): AgentEvent[] {
    const wasOpen = isOpen
    isOpen = false
    return wasOpen ? [{ type: 'turn_ended', at }] : []
  }

  /** A second meta line means that the model was switched. */
  function started({ version, provider, model, started }: ZotMeta): AgentEvent[] {
    const fields = { provider, model, contextWindow: null, reasoningLevels: [] }
    if (isStarted) return [{ type: 'model_changed', at, ...fields }]
    // zot does not store where it sent the conversation.
    const server = 'an unknown server'
    isStarted = true
    // In an imported session this is the time of the import: the messages may be older.
    const begun = Date.parse(started)
    return [
      {
        type: 'agent_started',
        at: Number.isNaN(begun) ? 0 : begun,
        agent: 'zot',
        version,
        reasoning: null,
        ...fields,
        server,
      },
    ]
  }

  function messageEvents(message: ZotMessage): AgentEvent[] {
    if (message.meta['compaction'] === 'true') return compacted(message)
    const blocks = message.content.filter(block => block !== null)
    switch (message.role) {
      case 'user':
        return prompted(blocks, message.time)
      case 'assistant':
        return answered(blocks, message.time)
      case 'tool':
        return finished(blocks, message.time)
    }
  }

  function prompted(blocks: readonly ZotBlock[], time: string): AgentEvent[] {
    const ending = end()
    tick(time)
    const text = blocks
      .map(block => block.text)
      .filter(Boolean)
      .join('\n')
    const images = blocks.filter(block => block.mime_type !== '').map(imageOf)
    isOpen = true
    step = 0
    return [...ending, { type: 'prompt_sent', at, text, images }, { type: 'prompt_accepted', at }]
  }

  function answered(blocks: readonly ZotBlock[], time: string): AgentEvent[] {
    tick(time)
    step += 1
    const content = blocks.flatMap(answerOf)
    const calls = content.filter(block => block.type === 'tool_call')
    return [
      { type: 'step_started', at, step },
      { type: 'answer_started', at },
      { type: 'answer_finished', at, content },
      ...calls.map(({ id, name, arguments: given }) => ({
        type: 'tool_called' as const,
        at,
        id,
        name,
        arguments: given,
      })),
      { type: 'step_ended', at, stop: calls.length > 0 ? 'tool_use' : 'end' },
    ]
  }

  function finished(blocks: readonly ZotBlock[], time: string): AgentEvent[] {
    tick(time)
    return blocks
      .filter(block => block.call_id !== '')
      .map(({ call_id: id, is_error: failed, content }) => {
        return { type: 'tool_finished', at, id, failed, content: content.map(contentOf) }
      })
  }

  function compacted(summary: ZotMessage | null): AgentEvent[] {
    const ending = end()
    if (summary === null) return [...ending, { type: 'conversation_cleared', at }]
    tick(summary.time)
    const text = summary.content.map(block => block?.text ?? '').join('\n')
    return [
      ...ending,
      { type: 'compaction_started', at },
      { type: 'compaction_finished', at, summary: text.replace(SUMMARY_TITLE, '') },
    ]
  }

  /** Some versions of zot write the running total into both fields of a line, so only `cumulative` can be trusted. */
  function usageEvents(cumulative: ZotUsage): AgentEvent[] {
    const usage = difference(cumulative, before)
    before = cumulative
    if (usage.input + usage.output + usage.cacheRead + usage.cacheWrite + (usage.costUsd ?? 0) === 0) return []
    return [{ type: 'usage_reported', at, usage, auxiliary: false }]
  }

  /** Keeps times rising, even where those in the file do not. */
  function tick(time: string): void {
    const parsed = Date.parse(time)
    if (parsed > at) at = parsed
  }
}

/** The usage since the last sum. A sum that is smaller than before was reset. */
function difference(now: ZotUsage, before: ZotUsage | null): Usage {
  const more = (key: keyof ZotUsage): number => {
    const was = before?.[key] ?? 0
    return now[key] < was ? now[key] : now[key] - was
  }
  return {
    input: more('input_tokens'),
    output: more('output_tokens'),
    cacheRead: more('cache_read_tokens'),
    cacheWrite: more('cache_write_tokens'),
    costUsd: more('cost_usd'),
    reasoning: null,
  }
}

/** The content of a block, checked in zot's order. Reasoning is omitted. */
function answerOf(block: ZotBlock): AnswerContent[] {
  const { id, name, text } = block
  if (block.reasoning_id + block.summary + block.encrypted_content !== '') return []
  if (name !== '' && id !== '') {
    const given = block.arguments ?? null
    return [{ type: 'tool_call', id, name, arguments: isShallow(given, DEEPEST) ? given : null }]
  }
  if (block.mime_type !== '') return [{ type: 'image', ...imageOf(block) }]
  return text === '' ? [] : [{ type: 'text', text }]
}

function contentOf(block: PlainBlock): Content {
  return block.mime_type === '' ? { type: 'text', text: block.text } : { type: 'image', ...imageOf(block) }
}

/** The image without its data: only the size is kept. */
function imageOf({ mime_type: mimeType, data }: PlainBlock): { mimeType: string; bytes: number } {
  return { mimeType, bytes: Math.floor((withoutEnd(data, /=/).length * 3) / 4) }
}

function isShallow(value: unknown, levels: number): boolean {
  if (!isContainer(value)) return true
  return levels > 0 && Object.values(value).every(member => isShallow(member, levels - 1))
}
