/** The command in the arguments of a call, which agents give as one text, as words, or as several commands. Pure. */
import { isObject } from '../../../text/json.ts'

/** Null if there is none. */
export function commandIn(input: unknown): string | null {
  if (!isObject(input)) return null
  const { command, commands } = input
  if (typeof command === 'string') return command
  return joined(command, ' ') ?? joined(commands, '\n')
}

function joined(words: unknown, between: string): string | null {
  return Array.isArray(words) && words.length > 0 && words.every(word => typeof word === 'string')
    ? words.join(between)
    : null
}
