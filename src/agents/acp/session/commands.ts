/** The commands of an agent, read without a schema: a list may have half a megabyte, and is told several times. Pure. */
import type { AgentCommand } from '../../../agent/session-events.ts'

/** How many are kept, and how much of the description of each. */
const MOST = 2000
const LONGEST = 300

/** The commands of a list that can be read. */
export function readCommands(list: unknown): AgentCommand[] {
  const commands: AgentCommand[] = []
  if (!Array.isArray(list)) return commands
  for (const each of list.slice(0, MOST)) {
    const { name, description, input } = fieldsOf(each)
    if (typeof name !== 'string') continue
    const { hint } = fieldsOf(input)
    const about = typeof description === 'string' ? beginningOf(description) : ''
    commands.push({ name, description: about, ...(typeof hint === 'string' && hint !== '' && { hint }) })
  }
  return commands
}

/** The beginning as far as a whole word: half a secret would not be recognised as one. */
function beginningOf(text: string): string {
  if (text.length <= LONGEST) return text
  const cut = text.slice(0, LONGEST + 1)
  return /[\x21-\x7e\p{Surrogate}]$/u.test(cut)
    ? cut.replace(/[\x21-\x7e\p{Surrogate}]+$/u, '').trimEnd()
    : text.slice(0, LONGEST)
}

function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return isObject(value) ? value : NONE
}

const NONE = {}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null
}
