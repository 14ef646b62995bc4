/** The command in the arguments of a call, which agents give as one text or as words. Pure. */
import { isObject } from '../../../text/json.ts'

/** Null if there is none. */
export function commandIn(input: unknown): string | null {
  if (!isObject(input)) return null
  const { command } = input
  if (typeof command === 'string') return command
  return Array.isArray(command) && command.every(word => typeof word === 'string') ? command.join(' ') : null
}
