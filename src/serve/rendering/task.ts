/** A subagent in a fold: what it does now, and its conversation for those who ask. */
import { subjectOf, subjectText, nameOf } from '../../tools/describe-call.ts'
import type { ToolCall } from '../../conversation/part.ts'
import type { AgentTask, ChatState } from '../../conversation/state.ts'
import { taskFacts } from '../../export/fact-words.ts'
import { fold, taskTurn, whole } from '../../export/fragments.ts'
import { markup, type Markup } from '../../export/markup.ts'
import { taskFactsOf, taskTurnsOf } from '../../export/transcript.ts'
import type { Cuts } from './cuts.ts'

/** Characters of its last words. */
const MOST_WORDS = 200

export function taskMarkup(task: AgentTask, cuts: Cuts): Markup {
  const facts = taskFacts({ ...taskFactsOf(task), turns: [] }).join(' · ')
  const words = task.chat ? lastWords(task.chat) : ''
  const last = words === '' ? markup`` : markup`<p class="note">${words}</p>`
  const all = cuts.gap('its conversation', () => taskTurnsOf(task).map(turn => () => taskTurn(turn, whole)))
  return fold(facts, markup`${all}${last}`)
}

/** Its last call, or the end of the last text. */
function lastWords({ open, entries }: ChatState): string {
  const turn = open?.kind === 'turn' ? open : entries.findLast(entry => entry.kind === 'turn')
  if (turn?.kind !== 'turn') return ''
  const last = turn.parts.findLast(part => !part.withdrawn && (part.kind === 'tool' || part.kind === 'text'))
  if (last?.kind === 'tool') return beginningOf(callWords(last))
  if (last?.kind !== 'text') return ''
  const end = last.text.slice(-2 * MOST_WORDS).trim()
  return beginningOf(end.slice(end.lastIndexOf('\n') + 1))
}

function beginningOf(text: string): string {
  return text.length > MOST_WORDS ? `${text.slice(0, MOST_WORDS)}…` : text
}

/** A call in a few words. */
export function callWords(call: ToolCall): string {
  return `${nameOf(call)} ${subjectText(subjectOf(call, {}))}`.trim()
}
