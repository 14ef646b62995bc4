/** The commands of an agent. A list may have half a megabyte, and is sent several times. Pure. */
import { z } from 'zod'
import { createReader } from '../../../agent/schema-reader.ts'
import { list, text } from '../../transport/lenient.ts'
import type { AgentCommand } from '../../../agent/session-events.ts'

/** The number of commands that are kept, and the length of each description. */
const MOST = 2000
const LONGEST = 300

const readAll = createReader(() =>
  list(z.object({ name: z.string(), description: text, input: z.object({ hint: text }).nullish().catch(null) })),
)

/** The commands of a list that can be read. */
export function readCommands(value: unknown): AgentCommand[] {
  const first: unknown = Array.isArray(value) ? value.slice(0, MOST) : []
  return (readAll(first) ?? []).map(({ name, description: whole, input }) => {
    const description = beginningOf(whole)
    return input?.hint ? { name, description, hint: input.hint } : { name, description }
  })
}

/** Whether two lists are the same. */
export function areSame(some: readonly AgentCommand[], others: readonly AgentCommand[]): boolean {
  return (
    some.length === others.length &&
    some.every(({ name, description, hint }, index) => {
      const other = others[index]
      return name === other?.name && description === other.description && hint === other.hint
    })
  )
}

/** The beginning, cut after a whole word: half a secret would not be recognised as one. */
function beginningOf(text: string): string {
  if (text.length <= LONGEST) return text
  let end = LONGEST
  while (end > 0 && isInWord(text.charCodeAt(end)) && isInWord(text.charCodeAt(end - 1))) end -= 1
  return text.slice(0, end).trimEnd()
}

/** Whether it is a visible character of ASCII, or half of a character. */
function isInWord(code: number): boolean {
  return (code > 0x20 && code < 0x7f) || (code >= 0xd800 && code < 0xe000)
}
