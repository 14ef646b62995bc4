/** What the agent reads by itself, in the few words that the start has room for. */
import type { Instructions, Reading, Shelf, Skill } from '../agent/reading.ts'
import { oneLine, sanitize } from '../text/sanitize.ts'
import type { Fact } from './facts.ts'

/** None where there is nothing to say, or it is not known yet. */
export function readingFacts(reading: Reading | 'awaited' | null, agent: string): Fact[] {
  if (reading === null || reading === 'awaited') return []
  const { instructions, skills, systemPrompt } = reading
  const words = [
    systemPrompt === null ? '' : `${agent} reads SYSTEM.md`,
    instructionWords(instructions, systemPrompt === null ? agent : ''),
    skillWords(skills),
    brokenWords(skills),
  ].filter(part => part !== '')
  if (words.length === 0) return []
  return [...words, '/context tells more'].map((text, rank) => ({ text: oneLine(sanitize(text)), rank }))
}

function instructionWords({ items, read }: Shelf<Instructions>, agent: string): string {
  const count = items.filter(({ problem }) => problem === null).length
  if (count === 0) return ''
  const what = count === 1 ? 'AGENTS.md' : `${count} AGENTS.md`
  if (read === 'no') return `${what} not read`
  return `${agent} ${read === 'yes' ? 'reads' : 'may read'} ${what}`.trimStart()
}

function skillWords({ items, read }: Shelf<Skill>): string {
  const count = items.filter(({ state }) => state === 'taken').length
  if (count === 0) return ''
  const what = count === 1 ? '1 skill' : `${count} skills`
  if (read === 'no') return `${what} not taken up`
  return read === 'yes' ? what : `perhaps ${what}`
}

function brokenWords({ items, read }: Shelf<Skill>): string {
  const count = items.filter(({ state }) => state === 'broken').length
  if (count === 0 || read === 'no') return ''
  return `${count === 1 ? '1 skill' : `${count} skills`} left out`
}
