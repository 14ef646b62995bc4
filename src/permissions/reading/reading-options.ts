/**
 * Divides the words of a command into options, their values and operands, by the command's row in the reading table. Systems read options
 * in different ways, and each of these must be harmless.
 */
import type { ReadingCommand } from './reading-table.ts'
import type { CommandWord } from '../shell/line.ts'

export type ReadingWords = {
  operands: readonly CommandWord[]
  /** The short options with a leading dash, the long ones with two, without their values. */
  options: ReadonlySet<string>
  /**
   * Values and options that are files for another system: there the option before may take no value, or the options may end at the first
   * operand.
   */
  maybePaths: readonly CommandWord[]
  /** The first word that is not on the list of harmless ones. */
  refused?: CommandWord
  /** The first value that is known only when the command runs. */
  unknown?: CommandWord
}

/** Stops at the first word that is not harmless, or not known. */
export function optionsOf(command: ReadingCommand, words: readonly CommandWord[]): ReadingWords {
  const operands: CommandWord[] = []
  const options = new Set<string>()
  const maybePaths: CommandWord[] = []
  const found = { operands, options, maybePaths }
  let takenBy: string | null = null
  let optionsEnd = false
  for (const word of words) {
    const { value, text } = word
    if (takenBy !== null) {
      if (value === null) return { ...found, unknown: word }
      // Some programs take the value of some options only with `=` and read this word as an option of its own.
      if (takenBy.startsWith('--') && value.startsWith('-')) return { ...found, refused: word }
      const isText = operands.length === 0 && command.textOptions?.includes(takenBy.slice(1)) === true
      if (command.operands !== 'words' && !isText) maybePaths.push(word)
      takenBy = null
    } else if (!optionsEnd && value === '--') optionsEnd = true
    else if (!optionsEnd && value !== '-' && (value ?? text).startsWith('-')) {
      const taken = value === null ? null : takeOption(command, value)
      if (taken === null) return { ...found, refused: word }
      for (const name of taken.names) options.add(name)
      takenBy = taken.isOpen ? (taken.names.at(-1) ?? null) : null
      if (operands.length > 0 && command.operands !== 'words') maybePaths.push(word)
    } else operands.push(word)
  }
  return found
}

/** The options in a word, and whether the next word is the value of the last one; null if one is not in the row. */
function takeOption(command: ReadingCommand, word: string): { names: string[]; isOpen: boolean } | null {
  const { short, long = [] } = command
  if (word.startsWith('--')) {
    const [name = ''] = word.slice(2).split('=')
    const names = [`--${name}`]
    if (word.includes('=')) return long.includes(`${name}=`) ? { names, isOpen: false } : null
    return long.includes(name) ? { names, isOpen: false } : long.includes(`${name}=`) ? { names, isOpen: true } : null
  }
  const letters = word.slice(1)
  const names: string[] = []
  for (let at = 0; at < letters.length; at++) {
    const letter = letters[at] ?? ':'
    const known = letter === ':' ? -1 : short.indexOf(letter)
    if (known < 0) return null
    names.push(`-${letter}`)
    if (short[known + 1] !== ':') continue
    const value = letters.slice(at + 1)
    return takesRest(command, letter, value) ? { names, isOpen: value === '' && short[known + 2] !== ':' } : null
  }
  return { names, isOpen: false }
}

/** Whether each system takes the rest of a word for the value of this option, so that no letter of it is an option. */
function takesRest({ operands, textOptions, isGit }: ReadingCommand, letter: string, value: string): boolean {
  return isGit === true || operands === 'words' || textOptions?.includes(letter) === true || !/[a-z]/i.test(value)
}
