/** Says how far a command reads below the folders that it names. */
import { optionsOf } from './reading-options.ts'
import { findTests, readingCommands, type ReadingReach, type ReadingProgram } from './reading-table.ts'
import type { CommandWord, SimpleCommand } from '../shell/line.ts'
import { lookup } from '../../text/lookup.ts'

export type CommandReach = {
  reach: ReadingReach
  /** The words from which it starts. */
  from: readonly CommandWord[]
}

/** From the nearest to the farthest. */
const order: readonly ReadingReach[] = ['nothing', 'entries', 'names', 'contents', 'linked']
const here: CommandWord = { text: '.', value: '.' }

/** Null for a program that is not in the table. One with words that are not on the list may reach as far as any does. */
export function reachOf({ words: [first, ...rest] }: Pick<SimpleCommand, 'words'>): CommandReach | null {
  const name = first?.value?.replace(/^.*\//, '') ?? ''
  const program = lookup(readingCommands, name)
  if (!program) return null
  const { reach, operands, isKnown } = name === 'find' ? ofFind(program, rest) : ofWords(program, rest)
  // Perhaps none of the words that are not known is a path.
  const readsHere = program.readsHere && (!isKnown || operands.length === 0)
  return { reach, from: readsHere ? [...operands, here] : operands }
}

type ReachFound = { reach: ReadingReach; operands: readonly CommandWord[]; isKnown: boolean }

const noOption = ({ value, text }: CommandWord): boolean => !(value ?? text).startsWith('-')

function ofWords(program: ReadingProgram, words: readonly CommandWord[]): ReachFound {
  const { operands, options, refused, unknown } = optionsOf(program, words)
  if (refused || unknown) {
    const reach = program.reach === 'nothing' && !program.reachWith ? 'nothing' : 'linked'
    return { reach, operands: words.filter(noOption), isKnown: false }
  }
  const all = new Set([program.reach])
  for (const [name, far] of Object.entries(program.reachWith ?? {})) if (options.has(name)) all.add(far)
  const reach = order.findLast(each => all.has(each)) ?? 'linked'
  return { reach, operands: program.operands === 'word then paths' ? operands.slice(1) : operands, isKnown: true }
}

/** The paths of find, which come first, and its tests. */
export function wordsOfFind(words: readonly CommandWord[]): {
  paths: readonly CommandWord[]
  tests: readonly CommandWord[]
} {
  const start = words.findIndex(({ value }) => value === null || /^[-!(,)]/.test(value))
  return start < 0 ? { paths: words, tests: [] } : { paths: words.slice(0, start), tests: words.slice(start) }
}

function ofFind(program: ReadingProgram, words: readonly CommandWord[]): ReachFound {
  const { paths, tests } = wordsOfFind(words)
  const isKnown = tests.every(word => noOption(word) || findTests.has(word.value ?? ''))
  return isKnown
    ? { reach: program.reach, operands: paths, isKnown }
    : { reach: 'linked', operands: words.filter(noOption), isKnown }
}
