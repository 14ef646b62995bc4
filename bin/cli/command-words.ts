import { nearest } from '../../src/text/spelling/nearest.ts'
import type { CommandCall, ProgramCommand } from './command.ts'
import { usage } from './flag-reading.ts'
import { lookup } from '../../src/text/lookup.ts'

/** Reads the arguments after the command's name where they are words only; null where a flag is among them. */
export function readWords(command: ProgramCommand, argv: readonly string[]): CommandCall | null {
  return argv.some(argument => argument.startsWith('-')) ? null : callOf(command, argv, {})
}

/** @throws UserError with exit code 2 for words that are unknown, missing or too many. */
export function callOf(
  command: ProgramCommand,
  words: readonly string[],
  flags: Readonly<Record<string, unknown>>,
): CommandCall {
  const { words: known } = command
  const [first] = words
  if (known && first !== undefined && !known.includes(first)) {
    const similar = nearest(first, known)
    const hint = similar === null ? `Use ${known.join(', ')}.` : `Did you mean ${similar}?`
    throw usage(`There is no \`zotui ${command.name} ${first}\`. ${hint}`, command.name)
  }
  const needed = command.takes.filter(word => !word.startsWith('['))
  const missing = needed.find((_, at) => (words[at] ?? '') === '')
  if (missing !== undefined) throw usage(`\`zotui ${command.name}\` needs ${missing}.`, command.name)
  const extra = words[command.takes.length]
  if (extra !== undefined) {
    const without = command.takes.length === 0 ? `Did you mean \`zotui ${command.name}\`? ` : ''
    const prompt = `${without}To send it to the agent, use \`zotui --prompt "${command.name} ..."\`.`
    throw usage(`\`zotui ${command.name}\` takes no argument "${extra}".`, command.name, prompt)
  }
  return {
    words,
    has: flag => lookup(flags, flag) !== undefined,
    value(flag) {
      const value = lookup(flags, flag)
      return typeof value === 'string' ? value : null
    },
  }
}
