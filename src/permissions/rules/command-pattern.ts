/** Command patterns: `git status`, `npm run test:*`, `git push * --force`. They match words, never raw text. */
import type { CommandWord, SimpleCommand } from '../shell/line.ts'
import { subcommandAt } from '../shell/git-inner.ts'
import { parseLine } from '../shell/parse.ts'
import { scriptOf } from '../shell/shell-operands.ts'

/** A word of a pattern; `any` stands for any number of words. */
type PatternWord = { text: string; test: RegExp | null }

export type CommandPattern = {
  words: readonly PatternWord[]
  /** Whether more words may follow: `git status:*`, `git status *`. */
  isPrefix: boolean
  /** The reason why it cannot be parsed; null if it can. */
  broken: string | null
}

/** `maybe`: the values of some words are known only when the command runs. */
export type PatternMatch = 'yes' | 'maybe' | 'no'

const better = (a: PatternMatch, b: PatternMatch): PatternMatch =>
  a === 'yes' || b === 'no' ? a : b === 'yes' || a === 'no' ? b : a

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
  if (value !== null) return { text: value, test: literal(value) }
  if (text === '*') return { text, test: null }
  return { text, test: new RegExp(`^${text.split('*').map(escaped).join('[\\s\\S]*')}$`) }
}

const escaped = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')
const literal = (text: string): RegExp => new RegExp(`^${escaped(text)}$`)

/** The pattern's words against a command's own. */
export function matchWords({ words, isPrefix }: CommandPattern, own: readonly CommandWord[]): PatternMatch {
  return matchFrom(words, own, isPrefix)
}

function matchFrom(pattern: readonly PatternWord[], words: readonly CommandWord[], isPrefix: boolean): PatternMatch {
  const [first, ...rest] = pattern
  const [word, ...others] = words
  if (!first) return isPrefix || !word ? 'yes' : words.every(({ value }) => value === null) ? 'maybe' : 'no'
  if (first.test === null) {
    let best = matchFrom(rest, words, isPrefix)
    if (word) best = better(best, matchFrom(pattern, others, isPrefix))
    return best
  }
  if (!word) return 'no'
  if (word.value === null) return 'maybe'
  return first.test.test(word.value) ? matchFrom(rest, others, isPrefix) : 'no'
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
