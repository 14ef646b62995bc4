/** Command patterns: `git status`, `npm run test:*`, `git push * --force`. They match words, never raw text. */
import { fitsStars, matchStars, readStars, type StarredText } from '../../text/patterns/stars.ts'
import type { CommandWord, SimpleCommand } from '../shell/line.ts'
import { subcommandAt } from '../shell/git-inner.ts'
import { parseLine } from '../shell/parse.ts'
import { scriptOf } from '../shell/shell-operands.ts'

/** A word of a pattern. `fits` is null for a star, which stands for any number of words. */
type PatternWord = { text: string; fits: StarredText | null }

export type CommandPattern = {
  words: readonly PatternWord[]
  /** Whether more words may follow: `git status:*`, `git status *`. */
  isPrefix: boolean
  /** The reason why it cannot be parsed; null if it can. */
  broken: string | null
}

/** `maybe`: the values of some words are known only when the command runs. */
export type PatternMatch = 'yes' | 'maybe' | 'no'

const failed = (broken: string): CommandPattern => ({ words: [], isPrefix: false, broken })

export function parsePattern(written: string): CommandPattern {
  const trimmed = written.trim()
  const text = trimmed.replace(/(?::|\s+)\*$/, '')
  const { commands, unclear } = parseLine(text)
  const [command] = commands
  if (unclear !== null && !/known only when it runs|runs what it reads|are not all known|can run other/.test(unclear))
    return failed(`it is not a command: ${unclear}`)
  if (!command || commands.length > 1) return failed('it must be one command; =TEXT means exactly this text')
  if (command.redirections.length > 0) return failed('it must not have a redirection')
  const words = [...command.assignments.map(each => ({ text: each, value: each })), ...command.words]
  if (words.length === 0) return failed('it has no command')
  return { words: words.map(patternWord), isPrefix: text !== trimmed, broken: null }
}

function patternWord({ text, value }: CommandWord): PatternWord {
  if (value !== null) return { text: value, fits: [value] }
  return { text, fits: text === '*' ? null : readStars(text) }
}

/**
 * The pattern's words against a command's own. Each word is compared with each of the pattern at most once. A word whose value is
 * not known may be any number of any words.
 */
export function matchWords({ words, isPrefix }: CommandPattern, own: readonly CommandWord[]): PatternMatch {
  const isMatch = matchStars(isPrefix ? [...words.map(starOr), null] : words.map(starOr), own, fitsWord)
  return isMatch ? 'yes' : mayMatch(words, own) ? 'maybe' : 'no'
}

const starOr = (word: PatternWord): PatternWord | null => (word.fits === null ? null : word)

function fitsWord({ fits }: PatternWord, { value }: CommandWord): boolean {
  return fits !== null && value !== null && fitsStars(fits, value)
}

/** Whether the pattern matches up to a word that is not known. */
function mayMatch(pattern: readonly PatternWord[], own: readonly CommandWord[]): boolean {
  const lastKnown = own.findLastIndex(({ value }) => value !== null)
  /** The numbers of words of the pattern that the words so far may use up. */
  let used: ReadonlySet<number> = new Set([0])
  for (const [at, word] of own.entries()) {
    const next = new Set<number>()
    for (const count of withSkippedStars(used, pattern)) {
      const part = pattern[count]
      if (word.value === null && (part ? part.fits !== null : at > lastKnown)) return true
      if (part?.fits === null) next.add(count)
      else if (part && fitsWord(part, word)) next.add(count + 1)
    }
    used = next
  }
  return false
}

/** A star may stand for no word. */
function withSkippedStars(used: ReadonlySet<number>, pattern: readonly PatternWord[]): ReadonlySet<number> {
  const all = new Set(used)
  // A set also visits what is added on the way.
  for (const count of all) if (pattern[count]?.fits === null) all.add(count + 1)
  return all
}

/** The words that an allow rule must match: exactly what runs, with the variables that are set for it. */
export function exactWords({ assignments, words }: SimpleCommand): readonly CommandWord[] {
  return [...assignments.map(text => ({ text, value: text })), ...words]
}

/**
 * The variants of a command that a deny or ask rule is matched with: without its path, in lower case, without git's global
 * options, and the script that a shell runs.
 */
export function looseWords({ words }: Pick<SimpleCommand, 'words'>): readonly (readonly CommandWord[])[] {
  const [first, ...rest] = words
  if (!first) return []
  if (first.value === null) return [words]
  const value = first.value
    .replace(/^.*[/\\]/, '')
    .toLowerCase()
    .replace(/\.exe$/, '')
  const program = { text: first.text, value }
  const named = [program, ...rest]
  const script = looseWords({ words: scriptOf(words) })
  return [words, named, ...(value === 'git' ? [[program, ...words.slice(subcommandAt(words))]] : []), ...script]
}
