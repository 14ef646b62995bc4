/** Finds the deny and ask rules that match a command line. They match broadly: by the program's name, anywhere in the line. */
import { pathOf } from './call-paths.ts'
import { isForCommands } from '../decision.ts'
import { mayMeanPath } from './path-pattern.ts'
import { looseWords, matchWords, type PatternMatch } from './command-pattern.ts'
import type { Place } from '../policy.ts'
import { readingCommands } from '../reading-table.ts'
import type { Rule } from './rule.ts'
import { withInner, type CommandLine } from '../shell/line.ts'

export type RuleFound = { rule: Rule; match: PatternMatch }

/** The best matching rule with this effect; null if none can match. */
export function strongest(
  rules: readonly Rule[],
  effect: 'deny' | 'ask',
  line: CommandLine,
  text: string,
  place: Place,
): RuleFound | null {
  let maybe: RuleFound | null = null
  for (const rule of rules) {
    if (rule.effect !== effect || rule.broken !== null) continue
    const match = isForCommands(rule) ? matchLine(rule, line, text) : matchFiles(rule, line, place)
    if (match === 'yes') return { rule, match }
    if (match === 'maybe') maybe ??= { rule, match }
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

/** Programs that write the files in their words. */
const writers = new Set(
  'tee cp mv rm rmdir touch mkdir truncate ln dd install sed unlink shred chmod chown patch'.split(' '),
)

/**
 * Whether a command names a file that a rule for files covers. Any word may be a path. Files that a program opens on its own are
 * not detected.
 */
function matchFiles({ tool, pattern }: Rule, { commands }: CommandLine, place: Place): PatternMatch {
  const isWrite = tool === 'edit' || tool === 'write'
  // A rule for all reads does not apply to commands.
  if (pattern === null && !isWrite) return 'no'
  const means = (word: string): boolean => {
    const { named, real } = pathOf(word, place)
    return pattern === null || [named, real].some(path => mayMeanPath(pattern, path, place))
  }
  let match: PatternMatch = 'no'
  for (const { words, redirections } of commands.flatMap(withInner)) {
    const name = words[0]?.value?.replace(/^.*\//, '') ?? ''
    const uses = isWrite ? writers.has(name) && pattern !== null : true
    const targets = redirections.flatMap(({ target, writes }) => (target && writes === isWrite ? [target] : []))
    for (const { value, text } of [...(uses ? words.slice(1) : []), ...targets]) {
      if (value === '/dev/null') continue
      if (value === null ? pattern === null : [value, value.replace(/^[^=]*=/, '')].some(means)) return 'yes'
      const shown = isWrite || (readingCommands[name] !== undefined && readingCommands[name].operands !== 'words')
      if (value === null && (shown || targets.some(target => target.text === text))) match = 'maybe'
    }
  }
  return match
}
