/**
 * A session in zot's own portable format, a `.zotsession`: zot's session file without the folder. It has one JSON value on each
 * line: `meta`, then `message`, `usage` and `compaction`, which replaces everything before it. The blocks of a message have no
 * type; zot distinguishes them by their fields. Notices and images are omitted where the format has no place for them.
 */
import { toJson } from '../text/json.ts'
import type { Content, Usage } from '../agent/event.ts'
import { unpromptedWords } from '../conversation/queries/shown-prompt.ts'
import { addUsage, type UsageSoFar } from '../conversation/usage.ts'
import { initialChat } from '../conversation/state.ts'
import type { Transcript, TranscriptEntry, TranscriptPart, TranscriptTool, TranscriptTurn } from './schema.ts'

type ZotsessionLine = Readonly<Record<string, unknown>>

const LAST_DATE = 8.64e15

export function* toZotsession(transcript: Transcript): Generator<string> {
  const { id, title, startedAt, agent } = transcript
  const meta = {
    id: id ?? '',
    cwd: '',
    model: agent.model,
    provider: agent.provider,
    started: timestamp(startedAt ?? 0),
    version: agent.version,
    title,
  }
  yield encoded({ type: 'meta', meta })
  const cumulative = { sum: { usage: initialChat.usage, isPartial: false } }
  for (const entry of transcript.entries) yield linesOf(entry, cumulative).map(encoded).join('')
}

function encoded(line: ZotsessionLine): string {
  return `${toJson(line)}\n`
}

function linesOf(entry: TranscriptEntry, cumulative: { sum: UsageSoFar }): ZotsessionLine[] {
  switch (entry.kind) {
    case 'turn': {
      cumulative.sum = addUsage(cumulative.sum, entry.usage)
      const [usage, sum] = [toUsage(entry.usage), toUsage(cumulative.sum.usage)]
      return [...messagesOf(entry), { type: 'usage', usage, cumulative: sum }]
    }
    case 'compaction': {
      if (entry.outcome !== 'done') return []
      // zot's own wording for a summary.
      const text = `## Context Summary (compacted)\n\n${entry.summary}`
      const summary = { ...message('user', [{ text }], entry.endedAt ?? entry.at), meta: { compaction: 'true' } }
      return [{ type: 'compaction', messages: [summary] }]
    }
    case 'cleared':
      return [{ type: 'compaction', messages: [] }]
    case 'notice':
    case 'shell':
    case 'agent_ended':
      return []
  }
}

function messagesOf(turn: TranscriptTurn): ZotsessionLine[] {
  // The format has no turn without a message of the user, and providers refuse an empty one.
  const prompt = turn.unprompted ? `(${unpromptedWords(turn.unprompted)})` : turn.prompt
  const said = answers(turn).flatMap(each => {
    if (each.kind === 'steer') return [userLine(each.before ?? [], each.text, each.images, each.at)]
    const { texts, tools } = each
    const at = tools.findLast(tool => tool.endedAt !== null)?.endedAt ?? turn.endedAt ?? turn.at
    const calls = tools.map(({ id, name, arguments: args }) => ({ id, name, arguments: args ?? {} }))
    const answer = asLine(message('assistant', [...texts.map(each => ({ text: each })), ...calls], at))
    return tools.length === 0 ? [answer] : [answer, asLine(message('tool', tools.map(resultOf), at))]
  })
  return [userLine(turn.before, prompt, turn.images, turn.at), ...said]
}

function userLine(
  before: readonly string[],
  words: string,
  images: TranscriptTurn['images'],
  at: number,
): ZotsessionLine {
  const text = [...before, words, ...images.map(({ mimeType }) => `[image ${mimeType}]`)].join('\n')
  return asLine(message('user', [{ text }], at))
}

type TranscriptSteer = Extract<TranscriptPart, { kind: 'steer' }>
type ModelAnswer = { kind: 'answer'; texts: string[]; tools: TranscriptTool[] }

/** Groups parts into answers. A text after a call begins the next answer, and so do the user's words and a call with a repeated id. */
function answers({ parts }: TranscriptTurn): (ModelAnswer | TranscriptSteer)[] {
  const found: (ModelAnswer | TranscriptSteer)[] = []
  for (const part of parts) {
    if (part.kind === 'steer') {
      found.push(part)
      continue
    }
    // Calls that a tool made are not messages of the model.
    if (part.kind !== 'text' && (part.kind !== 'tool' || part.parent !== null)) continue
    const before = found.at(-1)
    const last = before?.kind === 'answer' ? before : undefined
    const isNext = part.kind === 'text' ? last?.tools.length !== 0 : last?.tools.some(({ id }) => id === part.id)
    const answer = last === undefined || isNext === true ? newAnswer() : last
    if (answer !== last) found.push(answer)
    if (part.kind === 'text') answer.texts.push(part.text)
    else answer.tools.push(part)
  }
  return found
}

function newAnswer(): ModelAnswer {
  return { kind: 'answer', texts: [], tools: [] }
}

/** The result of a call. Providers reject a conversation with a call that has none. */
function resultOf({ id, state, result }: TranscriptTool): ZotsessionLine {
  const content = result?.map(contentOf) ?? [{ text: 'tool call was aborted; no result recorded.' }]
  return { call_id: id, content, is_error: state !== 'ok' }
}

function contentOf(content: Content): ZotsessionLine {
  return content.type === 'text' ? { text: content.text } : { text: `[image ${content.mimeType}]` }
}

function message(role: 'user' | 'assistant' | 'tool', content: readonly ZotsessionLine[], at: number): ZotsessionLine {
  return { role, content, time: timestamp(at) }
}

function asLine(said: ZotsessionLine): ZotsessionLine {
  return { type: 'message', message: said }
}

function timestamp(at: number): string {
  return new Date(Math.abs(at) <= LAST_DATE ? at : 0).toISOString()
}

function toUsage({ input, output, cacheRead, cacheWrite, costUsd }: Usage): ZotsessionLine {
  return {
    input_tokens: input,
    output_tokens: output,
    cache_read_tokens: cacheRead,
    cache_write_tokens: cacheWrite,
    // The format has no word for an unknown cost.
    cost_usd: costUsd ?? 0,
  }
}
