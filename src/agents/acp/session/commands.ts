/** The commands of an agent, parsed without a schema: a list may have half a megabyte, and is sent several times. Pure. */
import { isObject } from '../../../text/json.ts'
import type { AgentCommand } from '../../../agent/session-events.ts'

/** The number of commands that are kept, and the length of each description. */
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

function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return isObject(value) ? value : NONE
}

const NONE = {}
