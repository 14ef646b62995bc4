/** Says what a fresh agent remembers of the conversation. */
import type { MemoryFacts } from '../../../agent/event.ts'
import { memoryCost } from '../../../conversation/queries/session/memory-cost.ts'
import { withheldFrom } from '../../../conversation/queries/session/result-owner.ts'
import type { ChatState } from '../../../conversation/state.ts'
import { counted } from '../../../text/counted.ts'
import { formatCost, formatTokens } from '../../../text/format.ts'

/** Sentences on the part of the conversation that a fresh agent gets with the next prompt; null for nothing. */
export function memoryText(facts: MemoryFacts | null, chat: ChatState): string {
  if (facts === null) return 'It remembers nothing of the conversation above.'
  const { turns, whole, leftOut, summary, tokens, withheld = 0 } = facts
  const shortened = turns - whole - leftOut
  const parts = [
    summary ? 'a summary of the oldest part' : '',
    whole > 0 ? `${counted(whole, 'turn')} in full` : '',
    shortened > 0 ? `${whole > 0 ? shortened : counted(shortened, 'turn')} shortened` : '',
    leftOut > 0 ? `${leftOut === 1 ? 'the oldest' : `the ${leftOut} oldest`} omitted` : '',
    `about ${formatTokens(tokens)} tokens${costWords(memoryCost(chat, tokens))}`,
  ].filter(part => part !== '')
  const omitted =
    withheld === 0
      ? ''
      : ` The tool results of ${counted(withheld, 'turn')} are left out: ${withheldFrom(chat).join(' and ')} got them.`
  return `Your next prompt includes this conversation: ${parts.join(', ')}.${omitted} /memory shows it, /clear drops it.`
}

function costWords(dollars: number | null): string {
  if (dollars === null) return ''
  const cost = formatCost(dollars)
  return cost.startsWith('<') ? ` (${cost})` : ` (about ${cost})`
}
