/** Finds the deny and ask rules that match a command line. They match broadly: by the program's name, anywhere in the line. */
import { createBelow } from '../reading/below.ts'
import { pathOf } from './call-paths.ts'
import { isForCommands } from '../decision.ts'
import { mayMeanPath } from './path-pattern.ts'
import { looseWords, matchWords, type PatternMatch } from './command-pattern.ts'
import type { Place } from '../policy.ts'
import type { ToolRequest } from '../../agent/permission.ts'
import { fitsStars } from '../../text/patterns/stars.ts'
import { reachOf, type CommandReach } from '../reading/reach.ts'
import { readingCommands } from '../reading/reading-table.ts'
import type { Rule } from './rule.ts'
import { reasonBelow, type Reached } from './rules-below.ts'
import { printedBy, reasonInGit, type PrintedFiles } from './rules-in-git.ts'
import { isMove, withInner, type CommandLine, type SimpleCommand } from '../shell/line.ts'
import { lookup } from '../../text/lookup.ts'
import { namesInto, programOf, writesItsWords, writesNothing, writingReach } from './writing-commands.ts'

export type RuleFound = {
  rule: Rule
  match: PatternMatch
  /** The reason why it may match, if that is known. */
  why?: string
}

/** The best matching rule with this effect; null if none can match. */
export function strongest(
  rules: readonly Rule[],
  effect: 'deny' | 'ask',
  line: CommandLine,
  text: string,
  place: Place,
  { tool, folder: from }: Pick<ToolRequest, 'tool' | 'folder'>,
): RuleFound | null {
  let maybe: RuleFound | null = null
  const below = createBelow(place)
  let reached: readonly Reached[] | undefined
  let written: readonly Reached[] | undefined
  let printed: readonly PrintedFiles[] | undefined
  for (const rule of rules) {
    if (rule.effect !== effect || rule.broken !== null) continue
    // A tool for files that runs a command is still the tool of this name.
    if (rule.pattern === null && fitsStars(rule.tools, tool.toLowerCase())) return { rule, match: 'yes' }
    const match = isForCommands(rule) ? matchLine(rule, line, text) : matchFiles(rule, line, place, from)
    if (match === 'yes') return { rule, match }
    if (match === 'maybe') maybe ??= { rule, match }
    if (match !== 'no' || isForCommands(rule) || rule.path === null) continue
    const found = isForWrites(rule)
      ? (written ??= reachedBy(line, place, from, writingReach))
      : (reached ??= reachedBy(line, place, from, reachOf))
    const why = reasonBelow(rule.path, found, below, place, isForWrites(rule) ? 'writes' : 'reads')
    const orPrinted =
      why ?? (isForWrites(rule) ? null : reasonInGit(rule.path, (printed ??= printedInGit(line, place, from)), place))
    if (orPrinted !== null) maybe ??= { rule, match: 'maybe', why: orPrinted }
  }
  return maybe
}

/** Whether a rule is for exactly this text: `Bash(=make && make install)`. */
export function isText({ pattern }: Rule, text: string): boolean {
  return pattern !== null && pattern.startsWith('=') && pattern.slice(1).trim() === text
}

function matchLine(rule: Rule, line: CommandLine, text: string): PatternMatch {
  if (rule.pattern === null || isText(rule, text)) return 'yes'
  const pattern = rule.command
  if (!pattern) return line.unclear !== null && !rule.pattern.startsWith('=') ? 'maybe' : 'no'
  const all = line.commands.flatMap(withInner).flatMap(looseWords)
  const matches = new Set(all.map(words => matchWords(pattern, words)))
  if (matches.has('yes')) return 'yes'
  return matches.has('maybe') || line.unclear !== null ? 'maybe' : 'no'
}

const isForWrites = ({ tool }: Rule): boolean => tool === 'edit' || tool === 'write'

/** The folders and files that the commands of a line reach, as seen from each folder in which they may run. */
function reachedBy(
  { commands }: CommandLine,
  place: Place,
  from: string,
  reachOfCommand: (command: SimpleCommand, place: Place) => CommandReach | null,
): Reached[] {
  const all = commands.flatMap(withInner)
  const moves = all.filter(isMove).slice(0, MOST_MOVES)
  const folders = moves.length > 0 ? foldersOf(moves, place, from) : [from]
  return all.flatMap(command => {
    const { reach, from: words } = reachOfCommand(command, place) ?? { reach: 'nothing', from: [] }
    if (reach === 'nothing') return []
    const values = words.flatMap(({ value }) => value ?? [])
    return folders.flatMap(folder => values.map(value => ({ path: pathOf(value, place, folder).real, reach })))
  })
}

/** The files that the git commands of a line may print. */
function printedInGit({ commands }: CommandLine, place: Place, from: string): readonly PrintedFiles[] {
  const moves = commands.flatMap(withInner).filter(isMove)
  const known = moves.length > 0 ? foldersOf(moves.slice(0, MOST_MOVES), place, from) : [from]
  const isLost = moves.length > MOST_MOVES || moves.some(isLostMove)
  return printedBy(commands, isLost ? [...known, null] : known, place)
}

/** Characters of all paths that are compared with one rule, times those of the rule. Beyond that the rule may apply. */
const MOST_COMPARED = 4_000_000
/** The moves of a line that are followed. Every word would have to be tried in the folder of each. */
const MOST_MOVES = 8

/**
 * Whether a command names a file that a rule for files covers. Any word may be a path. Files that a program opens on its own are
 * not detected.
 */
function matchFiles(rule: Rule, { commands, unclear }: CommandLine, place: Place, from: string): PatternMatch {
  const { text: written, path: pattern } = rule
  const isWrite = isForWrites(rule)
  // A rule for all reads does not apply to commands.
  if (pattern === null && !isWrite) return 'no'
  const all = commands.flatMap(withInner)
  const moves = all.filter(isMove)
  const folders = foldersOf(moves.slice(0, MOST_MOVES), place, from)
  let left = MOST_COMPARED
  const means = (word: string, into: readonly string[] = []): boolean =>
    pattern === null ||
    folders.some(folder => {
      if (left < 0) return false
      const { named, real } = pathOf(word, place, folder)
      const paths = [named, real, ...into.flatMap(name => [`${named}/${name}`, `${real}/${name}`])]
      for (const path of paths) left -= path.length * written.length
      return paths.some(path => mayMeanPath(pattern, path, place))
    })
  const isLost = all.some(isLostMove)
  let match: PatternMatch = 'no'
  for (const { words, redirections } of all) {
    const reader = lookup(readingCommands, programOf({ words }))
    const uses = isWrite ? writesItsWords({ words }) && pattern !== null : true
    const into = isWrite ? namesInto({ words }) : []
    const targets = redirections.flatMap(({ target, writes }) => (target && writes === isWrite ? [target] : []))
    for (const { value, text } of [...(uses ? words.slice(1) : []), ...targets]) {
      if (value === '/dev/null') continue
      // `--file=a`, `-d@a`, `HEAD:a`
      const paths = value === null ? [] : [value, value.replace(/^[^=]*=/, ''), value.replace(/^.*[@:]/, '')]
      if (value === null ? pattern === null : paths.some(path => means(path, into))) return 'yes'
      const shown = isWrite || (reader !== undefined && reader.operands !== 'words')
      if ((value === null || isLost) && (shown || targets.some(target => target.text === text))) match = 'maybe'
    }
  }
  const mayWrite = isWrite ? all.filter(command => !writesItsWords(command) && !writesNothing(command)) : []
  for (const { value } of mayWrite.flatMap(({ words }) => words.slice(1)))
    if (match === 'no' && value !== null && pattern !== null && means(value)) match = 'maybe'
  const isKnown = unclear === null && left >= 0 && moves.length <= MOST_MOVES
  return match === 'no' && !isKnown ? 'maybe' : match
}

const operandOf = (words: SimpleCommand['words']) => words.slice(1).find(({ value }) => !value?.startsWith('-'))?.value

/** Whether it goes to a folder that is known only when the line runs: `cd "$x"`, `cd -`, `popd`. */
function isLostMove(command: SimpleCommand): boolean {
  const { words } = command
  if (!isMove(command)) return false
  const goesBack = words.some(({ value }) => value === null || value === '-' || /^[-+]\d+$/.test(value))
  return goesBack || (words[0]?.value !== 'cd' && operandOf(words) === undefined)
}

/** The folders in which a line with these moves may run commands: one may fail. One that is known only when it runs is left out. */
function foldersOf(moves: readonly SimpleCommand[], place: Place, from: string): string[] {
  const folders = [place.folder, from]
  for (const { words } of moves) {
    const to = operandOf(words)
    if (to === undefined && words[0]?.value === 'cd') folders.push(place.home)
    if (to !== undefined && to !== null) folders.push(pathOf(to, place, folders.at(-1)).real)
  }
  return [...new Set(folders)]
}
