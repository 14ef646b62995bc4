/** Decides whether a command line may run. Every command in it must be allowed; one denied command refuses the whole line. */
import type { GitSetting, ToolRequest } from '../agent/permission.ts'
import { coveringRules, redirectionReason } from './rules/covering-rules.ts'
import {
  allowedBy,
  asked,
  askedAsUsual,
  brokenFor,
  byRule,
  editsUnasked,
  isForCommands,
  refusedBy,
  ruleWords,
  type Decision,
} from './decision.ts'
import { pathOf } from './rules/call-paths.ts'
import { isText, strongest } from './rules/matching-rules.ts'
import { pathInside } from './paths.ts'
import type { Policy } from './policy.ts'
import { readerOf, UNLISTED, type Reader, type CommandReading } from './reading/reading.ts'
import type { Rule } from './rules/rule.ts'
import { isMove, withInner, type CommandLine, type SimpleCommand } from './shell/line.ts'
import { parseLine } from './shell/parse.ts'

/** Words of a line, counted again in each command that another one runs. More would take long to compare with many rules. */
const MOST_WORDS = 2000

/** A tool whose language has no parser here has unclear commands only. */
export function lineOf({ tool, command }: Pick<ToolRequest, 'tool' | 'command'>): CommandLine {
  if (command === undefined) return { commands: [], unclear: 'the command is not known' }
  if (tool.toLowerCase() === 'powershell') return { commands: [], unclear: 'PowerShell is not parsed' }
  const line = parseLine(command)
  let left = MOST_WORDS
  const commands = line.commands.filter(each => {
    for (const { words } of withInner(each)) left -= words.length
    return left >= 0
  })
  return left < 0 ? { commands, unclear: line.unclear ?? `it has more than ${MOST_WORDS} words` } : line
}

/** `rules` has the rules for the call's tool and the rules for files. */
export function decideCommand(policy: Policy, request: ToolRequest): Decision {
  const decided = decideLine(policy, request)
  const leaving = decided.verdict === 'refuse' || request.wants ? null : leavingRule(policy, request)
  if (leaving) {
    const because = `${ruleWords(leaving)} lets it ask to run outside the sandbox`
    const others = decided.verdict === 'ask' && decided.rule ? `; also ${decided.because}` : ''
    return { verdict: 'ask', because: `${because}${others}`, outside: true, rule: leaving }
  }
  if (policy.mode !== 'contained' || decided.verdict !== 'allow') return decided
  return { ...decided, box: decided.box ?? { kind: 'writing' } }
}

function decideLine({ mode, rules, place }: Policy, request: ToolRequest): Decision {
  const line = lineOf(request)
  const text = request.command?.trim() ?? ''
  const denied = strongest(rules, 'deny', line, text, place, request)
  if (denied?.match === 'yes') return byRule(denied.rule)
  const reader = readerOf(line, place, request.folder)
  const reason = unreadReason(line, reader)
  if (reason !== null && (mode === 'plan' || mode === 'read')) return refusedBy(mode, reason)
  const broken = rules.find(rule => rule.broken !== null)
  if (broken) return brokenFor(broken)
  const asking = strongest(rules, 'ask', line, text, place, request)
  if (asking?.match === 'yes') return byRule(asking.rule)
  const isOutside = pathInside(place.folder, pathOf(request.folder, place).real) === null
  // A rule for `npm test` means the project's own test.
  const allowing = rules.filter(({ effect, pattern }) => effect === 'allow' && (!isOutside || pattern === null))
  const whole = allowing.find(rule => isForCommands(rule) && (rule.pattern === null || isText(rule, text)))
  const unsure = denied ?? asking
  if (unsure && !(whole && whole.pattern !== null))
    return byRule(
      { ...unsure.rule, effect: 'ask' },
      `it may apply here: ${line.unclear ?? unsure.why ?? 'a part is known only when it runs'}`,
    )
  if (whole) return byRule(whole)
  if (mode === 'allow') return allowedBy(mode)
  if (mode !== 'contained' && line.unclear !== null) return asked(`cannot be parsed: ${line.unclear}`)
  if (mode !== 'contained' && line.commands.length === 0) return asked('there is no command in it')
  if (isOutside) return asked('it runs outside the folder')
  if (mode === 'contained' && reason !== null) return allowedBy(mode, 'it runs in the sandbox', { kind: 'writing' })
  return decideEach(line.commands, allowing, { mode, place, from: request.folder }, reader)
}

/** The first of the rules that let the whole command out of the sandbox; null if a part of it does more than read and has none. */
function leavingRule({ outside = [], place }: Policy, request: ToolRequest): Rule | null {
  const rules = outside.filter(({ broken }) => broken === null)
  if (rules.length === 0) return null
  const { verdict, rule } = decideLine({ mode: 'ask', rules, place }, request)
  return verdict === 'allow' ? rule : null
}

/** The reason why a line does more than read; null if it only reads. */
function unreadReason({ commands, unclear }: CommandLine, reader: Reader): string | null {
  if (unclear !== null) return `cannot be parsed: ${unclear}`
  if (commands.length === 0) return 'there is no command in it'
  for (const command of commands) {
    const { reason } = reader(command)
    if (reason !== null) return reasonIn(commands, command, reason)
  }
  return null
}

/** The reason against one command of a line, with the command unless it is the only one. */
function reasonIn(commands: readonly SimpleCommand[], { text }: SimpleCommand, reason: string): string {
  return commands.length === 1 ? reason : `${reason}: ${text}`
}

/**
 * The settings with which git only reads would change what other commands of the line do, such as a commit with its hooks, and those may
 * change what git reads.
 */
const WRITES_TOO = 'git reads after or beside a command that does more than read'

/** The settings for all git commands of a line; null if there is none. */
function gitSettings(readings: readonly CommandReading[]): readonly GitSetting[] | null {
  const found = readings.flatMap(({ git }) => (git ? [git] : []))
  return found.length === 0 ? null : found.flat()
}

function decideEach(
  commands: readonly SimpleCommand[],
  allowing: readonly Rule[],
  { mode, place, from }: Pick<Policy, 'mode' | 'place'> & { from: string },
  reader: Reader,
): Decision {
  const used = new Set<Rule>()
  const moves = commands.flatMap(withInner).some(isMove)
  const area = { place, from: moves ? null : from, edits: editsUnasked(mode) }
  let usual: Decision | null = null
  let beside: Decision | null = null
  const readings = commands.map(command => ({ command, ...reader(command) }))
  const onlyReads = readings.every(({ reason }) => reason === null)
  for (const { command, reason: own, git } of readings) {
    const unread = own ?? (git && !onlyReads ? WRITES_TOO : null)
    if (unread === null) continue
    // A rule for `git status` does not cover a repository in another folder.
    const rules = moves && command.words[0]?.value === 'git' ? null : coveringRules(command, allowing)
    const reason = rules ? redirectionReason(command, allowing, area) : unread
    if (reason === UNLISTED) usual ??= askedAsUsual(reasonIn(commands, command, reason))
    else if (reason === WRITES_TOO) beside ??= asked(reasonIn(commands, command, reason))
    else if (reason !== null) return asked(reasonIn(commands, command, reason))
    for (const rule of rules ?? []) used.add(rule)
  }
  // Another command of the line may have had a better reason.
  const other = usual ?? beside
  if (other) return other
  const [first, ...others] = used
  if (!first)
    return allowedBy(mode, 'it only reads inside the folder', {
      kind: 'reading',
      git: gitSettings(readings),
    })
  return byRule(first, others.length > 0 ? `and ${others.map(ruleWords).join(', ')}` : '')
}
