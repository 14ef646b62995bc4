/** Says how far a command reads below the folders that it names. */
import { optionsOf } from './reading-options.ts'
import { findTests, readingCommands, type ReadingReach, type ReadingProgram } from './reading-table.ts'
import type { Place } from '../policy.ts'
import type { CommandWord, SimpleCommand } from '../shell/line.ts'
import { lookup } from '../../text/lookup.ts'

export type CommandReach = {
  reach: ReadingReach
  /** The words from which it starts. */
  from: readonly CommandWord[]
}

/** All of them, from the nearest to the farthest. */
const order: readonly ReadingReach[] = ['nothing', 'entries', 'names', 'contents', 'linked']
const here: CommandWord = { text: '.', value: '.' }

/**
 * The reach of a command with all its options. One with an option that is not in its row may reach as far as any command does. Null for a
 * program that is not in the table.
 */
export function reachOf(
  { words: [first, ...rest] }: Pick<SimpleCommand, 'words'>,
  place: Pick<Place, 'isOneForMany'>,
): CommandReach | null {
  const name = first?.value?.replace(/^.*\//, '') ?? ''
  const program = lookup(readingCommands, name)
  if (!program) return null
  const { reach, operands, maybePaths, isKnown } = name === 'find' ? ofFind(program, rest) : ofWords(program, rest)
  // If the options are not known, perhaps none of the words is a path.
  const readsHere = program.readsHere && (!isKnown || operands.length === 0)
  const from = [...operands, ...maybePaths]
  const isFar = reach === 'names' || reach === 'contents'
  return {
    reach: isFar && place.isOneForMany?.(name) ? 'linked' : reach,
    from: readsHere ? [...from, here] : from,
  }
}

type ReachFound = {
  reach: ReadingReach
  operands: readonly CommandWord[]
  /** Words that may be operands, or values of options. */
  maybePaths: readonly CommandWord[]
  /** Whether all options are on the list. */
  isKnown: boolean
}

const noOption = ({ value, text }: CommandWord): boolean => !(value ?? text).startsWith('-')

function ofWords(program: ReadingProgram, words: readonly CommandWord[]): ReachFound {
  const { operands, options, maybePaths, refused, unknown } = optionsOf(program, words)
  if (refused || unknown) {
    const reach = program.reach === 'nothing' && !program.reachWith ? 'nothing' : 'linked'
    return { reach, operands: [], maybePaths: words.filter(noOption), isKnown: false }
  }
  const all = new Set([program.reach])
  for (const [name, far] of Object.entries(program.reachWith ?? {})) if (options.has(name)) all.add(far)
  const reach = order.findLast(each => all.has(each)) ?? 'linked'
  return {
    reach,
    operands: program.operands === 'word then paths' ? operands.slice(1) : operands,
    maybePaths,
    isKnown: true,
  }
}

type FindWords = {
  paths: readonly CommandWord[]
  /** The first word that is no listed test, or lacks its value. */
  refused: CommandWord | null
  /** The first word that is known only when it runs. */
  unknown: CommandWord | null
}

/** The words of find: paths, and then its tests with their values. */
export function wordsOfFind(words: readonly CommandWord[]): FindWords {
  const start = words.findIndex(({ value }) => value === null || /^[-!(,)]/.test(value))
  const paths = start < 0 ? words : words.slice(0, start)
  for (let at = paths.length; at < words.length; at++) {
    const word = words[at] ?? here
    const values = findTests.get(word.value ?? '')
    const own = words.slice(at, at + 1 + (values ?? 0))
    const unknown = own.find(({ value }) => value === null) ?? null
    if (unknown) return { paths, refused: null, unknown }
    if (values === undefined || own.length <= values) return { paths, refused: word, unknown: null }
    at += values
  }
  return { paths, refused: null, unknown: null }
}

function ofFind(program: ReadingProgram, words: readonly CommandWord[]): ReachFound {
  const { paths, refused, unknown } = wordsOfFind(words)
  return refused || unknown
    ? { reach: 'linked', operands: [], maybePaths: words.filter(noOption), isKnown: false }
    : { reach: program.reach, operands: paths, maybePaths: [], isKnown: true }
}
