/** Takes the words of a command of the reading table apart. Each way in which some system reads them must be harmless. */
import type { ReadingCommand } from './reading-table.ts'
import type { CommandWord } from '../shell/line.ts'

export type ReadingWords = {
  operands: readonly CommandWord[]
  /** The short options with a leading dash, the long ones with two, without their values. */
  options: ReadonlySet<string>
  /** Values and options that another system takes for files: it may know no such value, or end the options with the first operand. */
  maybePaths: readonly CommandWord[]
  /** The first word that is not on the list of harmless ones. */
  refused?: CommandWord
  /** The first value that is known only when the command runs. */
  unknown?: CommandWord
}

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
      const isText = operands.length === 0 && command.texts?.includes(takenBy.slice(1)) === true
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

/** The options in a word, and whether the value of the last one is the next word; null where one is not on the list. */
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

/** Whether the rest of a word is the value of this option everywhere. Else its letters may be options. */
function takesRest({ operands, texts, isGit }: ReadingCommand, letter: string, value: string): boolean {
  return isGit === true || operands === 'words' || texts?.includes(letter) === true || !/[a-z]/i.test(value)
}
