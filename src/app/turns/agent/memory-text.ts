/** Says what a fresh agent remembers of the conversation. */
import type { MemoryFacts } from '../../../agent/event.ts'
import { counted } from '../../../text/counted.ts'
import { formatTokens } from '../../../text/format.ts'

/** A sentence on the part of the conversation that a fresh agent gets with the next prompt; null for nothing. */
export function memoryText(facts: MemoryFacts | null): string {
  if (facts === null) return 'It remembers nothing of the conversation above.'
  const { turns, whole, leftOut, summary, tokens } = facts
  const shortened = turns - whole - leftOut
  const parts = [
    summary ? 'the summary' : '',
    turns - leftOut > 0 ? counted(turns - leftOut, 'turn') : '',
    shortened > 0 ? `${shortened} of them shortened` : '',
    leftOut > 0 ? `the ${leftOut === 1 ? 'oldest' : `${leftOut} oldest`} omitted` : '',
  ].filter(part => part !== '')
  return `Your next prompt includes a summary of this conversation (${parts.join(', ')}, about ${formatTokens(tokens)} tokens, without tool output). /clear drops it.`
}
