/**
 * The conversation so far as text, for an agent that does not know it. An agent's process cannot be given a transcript
 * (docs/zot-protocol.md, 26), but the next prompt can begin with a digest: every prompt, the answers, a line for each
 * tool call, the files that changed, and the summary of a compaction in place of everything before it.
 */
import { attachedWords } from '../attached-words.ts'
import { hunksOf } from '../edit-result.ts'
import type { ChatState, Entry, Turn } from '../../state.ts'
import type { Notice, Shell, ToolCall } from '../../part.ts'
import { counted } from '../../../text/counted.ts'
import { estimateTokens } from '../../../text/tokens.ts'

type DigestFacts = {
  /** Estimated. */
  tokens: number
  /** All turns. */
  turns: number
  /** The newest turns, which the digest repeats in full. */
  whole: number
  /** The oldest turns, which the digest omits. */
  leftOut: number
  /** Whether a compaction's summary replaces everything before these turns. */
  summary: boolean
}

export type Digest = { text: string; facts: DigestFacts }

type Saying = Turn | Shell | Notice
/** The part of a turn that the digest repeats. */
type Level = 'none' | 'prompt' | 'short' | 'whole'

/** Characters of a prompt and of an answer when there is room only for their beginnings. */
const SHORT_PROMPT = 400
const SHORT_ANSWER = 600
/** Characters of a command or path in a call's line. */
const SUBJECT = 160

const OPENINGS = {
  restart:
    "This was said earlier in this conversation, before you were restarted. It is a digest: tool outputs are not in it, and files may have changed since, so read them again before you rely on them. The user's new message follows it.",
  side: 'This was said so far between the user and another agent, which is called "you" here and continues its work. It is a digest: tool outputs are not in it. The user asks you a question on the side, which follows it: answer only that, and briefly. You can read files and change nothing.',
} as const
const CLOSING = '</earlier-conversation>'

/**
 * The digest for an agent that remembers nothing, in at most about `budget` tokens; null if there is nothing to repeat or no
 * room for it. The newest turns stay complete longest; of older ones the prompt stays longest.
 */
export function digest(
  { entries }: Pick<ChatState, 'entries'>,
  budget: number,
  reader: keyof typeof OPENINGS = 'restart',
): Digest | null {
  const { summary, said } = sinceClear(entries)
  const beginning = head(summary, OPENINGS[reader])
  const turns = said.filter(entry => entry.kind === 'turn').length
  const levels = chosenLevels(said, budget - estimateTokens(beginning) - estimateTokens(CLOSING))
  const leftOut = countTurns(said, levels, 'none')
  if (budget <= 0 || (levels.every(level => level === 'none') && summary === null)) return null
  const parts = said.map((entry, index) => sayingText(entry, levels[index] ?? 'none')).filter(text => text !== '')
  const gap = leftOut === 0 ? [] : [`(${counted(leftOut, 'earlier turn is', 'earlier turns are')} omitted here.)`]
  const text = [beginning, ...gap, ...parts, CLOSING].join('\n\n')
  const whole = countTurns(said, levels, 'whole')
  return { text, facts: { tokens: estimateTokens(text), turns, whole, leftOut, summary: summary !== null } }
}

/** The share of a model's window that a digest may fill. */
const WINDOW_SHARE = 0.4

/**
 * The digest for the agent's next prompt, bounded by `tokens` and by its window, times `share`. Undefined if the agent knows
 * the conversation, or if nothing was said.
 */
export function memoryFor(chat: ChatState, tokens: number, share = 1): Digest | undefined {
  if (chat.memory !== 'none') return undefined
  const window = chat.agent.contextWindow ?? Number.POSITIVE_INFINITY
  return digest(chat, Math.floor(Math.min(tokens, window * WINDOW_SHARE) * share)) ?? undefined
}

/** Everything said since the last clear or, if later, the last compaction. */
function sinceClear(entries: readonly Entry[]): { summary: string | null; said: Saying[] } {
  const start = entries.findLastIndex(
    entry => entry.kind === 'cleared' || (entry.kind === 'compaction' && entry.outcome === 'done'),
  )
  const first = entries[start]
  return { summary: first?.kind === 'compaction' ? first.summary : null, said: entries.slice(start + 1).filter(isSaid) }
}

function isSaid(entry: Entry): entry is Saying {
  if (entry.kind === 'turn') return entry.outcome !== 'refused'
  return entry.kind === 'notice' ? entry.isTakenOver === true : entry.kind === 'shell' && entry.shared
}

function countTurns(said: readonly Saying[], levels: readonly Level[], level: Level): number {
  return said.filter((entry, index) => entry.kind === 'turn' && levels[index] === level).length
}

/** `spares` is the share of the room that a pass leaves for the later passes. */
const PASSES = [
  { level: 'whole', spares: 0.5 },
  { level: 'prompt', spares: 0 },
  { level: 'whole', spares: 0 },
  { level: 'short', spares: 0 },
] as const satisfies readonly { level: Level; spares: number }[]

/**
 * Keeps the newest turns complete in half of the room; then all prompts; then more complete turns, and shortened ones. Each
 * pass goes from the newest back and ends at the first entry that does not fit, so that the digest has no holes.
 */
function chosenLevels(said: readonly Saying[], budget: number): Level[] {
  const levels: Level[] = said.map(() => 'none')
  let left = budget
  for (const { level, spares } of PASSES) {
    const kept = budget * spares
    for (let index = said.length - 1; index >= 0; index -= 1) {
      const entry = said[index]
      const present = levels[index]
      if (!entry || !present || present === 'whole') continue
      const cost = costOf(entry, level) - costOf(entry, present)
      if (cost > left - kept) break
      left -= cost
      levels[index] = level
    }
  }
  return levels
}

function costOf(entry: Saying, level: Level): number {
  const text = sayingText(entry, level)
  return text === '' ? 0 : estimateTokens(text) + 1
}

function head(summary: string | null, words: string): string {
  const opening = `<earlier-conversation>\n${words}`
  return summary === null ? opening : `${opening}\n\nA summary of the oldest part:\n${quoted(summary)}`
}

function sayingText(entry: Saying, level: Level): string {
  if (level === 'none') return ''
  if (entry.kind === 'notice') return noticeText(entry, level)
  if (entry.kind === 'shell') return `The user ran a command themselves:\n- ${callLine(entry.tool)}`
  return turnText(entry, level)
}

function noticeText({ text, details = '' }: Notice, level: Exclude<Level, 'none'>): string {
  const answer = level === 'whole' ? details : beginning(details, SHORT_ANSWER)
  return `The user asked another agent a side question and added its answer:\n${quoted(`${text}\n${answer}`)}`
}

function turnText(turn: Turn, level: Exclude<Level, 'none'>): string {
  const prompt = level === 'whole' ? turn.prompt : beginning(turn.prompt, SHORT_PROMPT)
  const lines = ['The user:', quoted(prompt)]
  const images = turn.images.length
  if (images > 0)
    lines.push(
      images === 1 ? '(With an image, which is not repeated.)' : `(With ${images} images, which are not repeated.)`,
    )
  const files = attachedWords(turn.mentions)
  if (files !== '') lines.push(`(With the content of files, which is not repeated: ${quoted(files)}.)`)
  if (level === 'prompt') return lines.join('\n')
  const calls = [...turn.parts].filter(part => part.kind === 'tool' && !part.withdrawn && part.parent === null)
  if (calls.length > 0 && level === 'short') lines.push(`(${counted(calls.length, 'tool call')})`)
  else if (calls.length > 0) lines.push('Your tool calls:', ...calls.map(call => `- ${callLine(call as ToolCall)}`))
  const changed = changedFiles(turn)
  if (changed.length > 0) lines.push(`Files that you changed: ${changed.join(', ')}`)
  for (const part of turn.parts) if (part.kind === 'notice' && part.isTakenOver) lines.push(noticeText(part, level))
  const answer = answerOf(turn)
  if (answer !== '') lines.push('You:', quoted(level === 'whole' ? answer : beginning(answer, SHORT_ANSWER)))
  return [...lines, ...endingOf(turn)].join('\n')
}

function endingOf({ outcome }: Turn): string[] {
  switch (outcome) {
    case 'aborted':
      return ['(The user stopped you there.)']
    case 'failed':
      return ['(Then an error ended it.)']
    case 'agent_ended':
    case 'zotui_ended':
      return ['(Then you were cut off.)']
    case 'done':
    case 'refused':
    case null:
      return []
  }
}

/** The last text of a turn; earlier ones only comment on the calls between them. */
function answerOf(turn: Turn): string {
  const last = turn.parts.findLast(part => part.kind === 'text' && !part.withdrawn && part.text.trim() !== '')
  return last?.kind === 'text' ? last.text.trim() : ''
}

function callLine(tool: ToolCall): string {
  const end = tool.state === 'ok' ? '' : ` (${tool.state.replace('_', ' ')})`
  const subject = quoted(subjectOf(tool.arguments)).replaceAll(/\s+/g, ' ')
  return `${beginning(`${tool.name} ${subject}`.trim(), SUBJECT)}${countsOf(tool)}${end}`
}

/** The argument that a call is about: the first of the usual names that it has. */
function subjectOf(args: unknown): string {
  if (typeof args !== 'object' || args === null) return ''
  const named = new Map<string, unknown>(Object.entries(args))
  for (const key of ['command', 'path', 'pattern', 'name', 'query', 'url']) {
    const value = named.get(key)
    if (typeof value === 'string') return value
  }
  return JSON.stringify(args)
}

function countsOf(tool: ToolCall): string {
  const text = tool.name === 'edit' ? tool.result?.find(content => content.type === 'text') : undefined
  const lines = (text?.type === 'text' ? hunksOf(text.text) : null)?.flat() ?? []
  if (lines.length === 0) return ''
  const count = (sign: string): number => lines.filter(line => line.sign === sign).length
  const { added = 0, removed = 0 } = tool.omitted?.result ?? {}
  return ` (+${count('+') + added} -${count('-') + removed})`
}

function changedFiles(turn: Turn): string[] {
  const paths = [...turn.parts].flatMap(part => {
    if (part.kind !== 'tool' || part.withdrawn || part.state !== 'ok') return []
    if (part.diffs.length > 0) return part.diffs.map(({ path }) => quoted(path))
    return part.name === 'write' || part.name === 'edit' ? [quoted(subjectOf(part.arguments))] : []
  })
  return [...new Set([...paths, ...turn.byCommands.files.map(({ path }) => quoted(path))])]
}

/** A high surrogate whose second half was cut off. */
const HALF = /[\ud800-\udbff]$/

function beginning(text: string, length: number): string {
  return text.length <= length ? text : `${text.slice(0, length).replace(HALF, '').trimEnd()} [...]`
}

/** Neutralises the digest's own tags, so that quoted text cannot end it. */
function quoted(text: string): string {
  return text.replaceAll(/<(\/?)earlier-conversation>/gi, '<$1earlier_conversation>')
}
