/** The use of the context window: the agent reports the total, and the share of each kind is estimated. */
import type { Content } from '../../agent/event.ts'
import type { StartupContext } from '../../agent/startup-context.ts'
import { estimateTokens } from '../../text/tokens.ts'
import type { ChatState, Entry, Turn } from '../state.ts'
import type { Omitted, Part, ToolCall } from '../part.ts'
import { lastTurn } from './last-turn.ts'

export const usageKinds = [
  'system',
  'instructions',
  'skills',
  'memory',
  'prompts',
  'answers',
  'reasoning',
  'tools',
] as const
export type UsageKind = (typeof usageKinds)[number]

export type ContextUsage = {
  /** Tokens of each kind: they add up to `used`. */
  parts: Readonly<Record<UsageKind, number>>
  used: number
  /** Whether the agent reported the total; otherwise it is an estimate too. */
  isReported: boolean
}

/** Tokens of an image, averaged over models. */
const IMAGE_TOKENS = 1500
/** Tokens of the agent's own system prompt when nothing is known about it. */
const OWN_TOKENS = 900
/** Estimates may be too low by this factor; a larger gap is counted as `system`. */
const ERROR = 1.25

export function contextUsageOf(chat: ChatState, reading: StartupContext | null): ContextUsage {
  const said = estimatesOf(chat, reading)
  const own = reading?.systemPrompt?.tokens ?? reading?.ownTokens ?? OWN_TOKENS
  if (chat.context === null)
    return { parts: whole({ ...said, system: own }), used: own + sumOf(said), isReported: false }
  const used = chat.context
  const room = Math.max(0, used - own)
  const scale = Math.min(ERROR, room / Math.max(1, sumOf(said)))
  const scaled = Object.fromEntries(usageKinds.map(kind => [kind, Math.floor(said[kind] * scale)]))
  const parts = whole({ ...said, ...scaled })
  return { parts: { ...parts, system: used - sumOf(parts) }, used, isReported: true }
}

type Estimates = Record<UsageKind, number>

const nothing: Estimates = {
  system: 0,
  instructions: 0,
  skills: 0,
  memory: 0,
  prompts: 0,
  answers: 0,
  reasoning: 0,
  tools: 0,
}

const sumOf = (parts: Estimates): number => Object.values(parts).reduce((sum, tokens) => sum + tokens, 0)

const whole = (parts: Estimates): Estimates => ({ ...nothing, ...parts })

/** Estimates for every kind except the system prompt. */
function estimatesOf(chat: ChatState, reading: StartupContext | null): Estimates {
  const sums = { ...nothing, ...readingTokens(reading) }
  const entries = inWindow(chat)
  for (const entry of entries) {
    if (entry.kind === 'compaction') sums.memory += estimateTokens(entry.summary)
    if (entry.kind === 'turn') addTurn(sums, entry)
  }
  // Most providers drop the reasoning of earlier turns.
  sums.reasoning = lastTurn(entries)?.usage.reasoning ?? 0
  return sums
}

function readingTokens(reading: StartupContext | null): Partial<Estimates> {
  if (reading === null) return {}
  const { instructions, skills } = reading
  const read = instructions.read === 'yes' ? instructions.items : []
  const listed = skills.read === 'yes' ? skills.items.filter(({ state }) => state === 'taken') : []
  return {
    instructions: read.reduce((sum, { tokens }) => sum + (tokens ?? 0), 0),
    skills: listed.reduce((sum, { listedTokens }) => sum + listedTokens, 0),
  }
}

/** The entries in the running agent's context, including a summary or digest that replaces older ones. */
function inWindow({ entries, open, memory }: ChatState): readonly Entry[] {
  if (memory === 'none') return []
  const all: readonly Entry[] = open ? [...entries, open] : entries
  const begin = all.findLastIndex(
    entry =>
      entry.kind === 'cleared' ||
      (entry.kind === 'compaction' && entry.outcome === 'done') ||
      (entry.kind === 'turn' && entry.memory !== null),
  )
  return all.slice(Math.max(0, begin)).filter(entry => entry.kind !== 'turn' || entry.outcome !== 'refused')
}

function addTurn(sums: Estimates, turn: Turn): void {
  sums.memory += turn.memory?.tokens ?? 0
  sums.prompts += [...turn.before, turn.prompt].reduce((sum, text) => sum + estimateTokens(text), 0)
  sums.prompts += turn.images.length * IMAGE_TOKENS
  for (const part of turn.parts) addPart(sums, part)
}

function addPart(sums: Estimates, part: Part): void {
  if (part.withdrawn) return
  if (part.kind === 'steer') {
    sums.prompts += [...part.before, part.text].reduce((sum, text) => sum + estimateTokens(text), 0)
    sums.prompts += part.images.length * IMAGE_TOKENS
  }
  if (part.kind === 'text') sums.answers += estimateTokens(part.text)
  // The model never sees calls that a tool made itself.
  if (part.kind === 'tool' && part.parent === null) sums.tools += toolTokens(part)
}

function toolTokens({ name, arguments: args, argumentsText, result, omitted }: ToolCall): number {
  const written = args === undefined || args === null ? argumentsText : JSON.stringify(args)
  const answered = (result ?? []).reduce((sum, content) => sum + contentTokens(content), 0)
  return estimateTokens(name + written) + answered + omittedTokens(omitted?.arguments) + omittedTokens(omitted?.result)
}

function contentTokens(content: Content): number {
  return content.type === 'text' ? estimateTokens(content.text) : IMAGE_TOKENS
}

const omittedTokens = (omitted: Omitted | undefined): number => Math.ceil((omitted?.bytes ?? 0) / 4)
