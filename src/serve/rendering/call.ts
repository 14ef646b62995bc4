/** A call with those that its tool made, and with what it has printed so far while it runs. */
import type { ToolCall } from '../../conversation/part.ts'
import { isOpen } from '../../conversation/calls/tool-calls.ts'
import { toolMarkup, whole } from '../../export/fragments.ts'
import { markup, type Markup } from '../../export/markup.ts'
import { toolWords } from '../../export/tool-words.ts'
import { toolOf } from '../../export/transcript.ts'
import { counted } from '../../text/counted.ts'
import { sanitizeTerminalOutput } from '../../text/sanitize.ts'
import type { Cuts } from './cuts.ts'

export type NestedCall = { call: ToolCall; calls: () => readonly NestedCall[] }

/** Calls that are deeper inside of others are only counted. */
const DEEPEST = 12
/** Characters of the output of a running call: its end. */
const MOST_LIVE = 8000

/** `cuts`: null draws everything. */
export function callMarkup({ call, calls }: NestedCall, cuts: Cuts | null, depth = 0): Markup {
  const words = toolWords(toolOf(call), isOpen(call.state) ? call.argumentsText : '')
  const isRunning = isOpen(call.state) && call.progress !== ''
  const live = isRunning ? { output: { text: sanitizeTerminalOutput(liveOutput(call)), language: '' } } : {}
  return toolMarkup({ ...words, ...live }, [nestedMarkup(calls(), cuts, depth)].flat(), cuts?.drawing ?? whole)
}

function nestedMarkup(calls: readonly NestedCall[], cuts: Cuts | null, depth: number): Markup[] {
  if (calls.length === 0) return []
  if (depth === DEEPEST) return [markup`<p class="note">${counted(calls.length, 'call')} inside</p>`]
  const draws = calls.map(each => (some: Cuts | null) => callMarkup(each, some, depth + 1))
  return cuts ? [cuts.some(draws, 'call')] : draws.map(draw => draw(null))
}

/** The end of what it has printed. */
export function liveOutput({ progress, progressDropped }: Pick<ToolCall, 'progress' | 'progressDropped'>): string {
  if (progress.length <= MOST_LIVE && progressDropped === 0) return progress
  const end = progress.slice(-MOST_LIVE)
  return `…\n${end.slice(end.indexOf('\n') + 1)}`
}
