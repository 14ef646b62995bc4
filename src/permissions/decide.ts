/**
 * Decides whether a call runs, needs an answer of the user, or is refused. Deny rules win. Then the modes `plan` and `read` refuse
 * whatever does more than read. Then come ask rules, allow rules and the other modes.
 */
import type { PermissionMode, ToolRequest } from '../agent/permission.ts'
import { createBelow } from './reading/below.ts'
import { decideCommand } from './decide-command.ts'
import { coversPath, pathOf } from './rules/call-paths.ts'
import { mayMeanPath } from './rules/path-pattern.ts'
import { reasonBelow } from './rules/rules-below.ts'
import { isOpenTo, pathInside } from './paths.ts'
import type { RepositoryAnswer, Place, Policy, TrackedFiles } from './policy.ts'
import { protection } from './protected.ts'
import {
  allowedBy,
  asked,
  askedAsUsual,
  brokenFor,
  byRule,
  editsUnasked,
  refusedBy,
  rulesFor,
  type Decision,
} from './decision.ts'
import type { Rule } from './rules/rule.ts'

/** Paths of a call, and characters of one: no system has longer ones. Beyond that its paths count as unknown. */
const MOST_PATHS = 1000
const LONGEST_PATH = 4096

/** Decides synchronously, from the policy alone. */
export function decide(policy: Policy, request: ToolRequest): Decision {
  const decided = decideCall(policy, request)
  return request.wants ? decideWant(decided) : decided
}

function decideCall(policy: Policy, request: ToolRequest): Decision {
  const place = { ...policy.place, resolve: remembering(policy.place.resolve) }
  const outside = rulesFor(policy.outside ?? [], request)
  const own = { ...policy, place, rules: rulesFor(policy.rules, request), outside }
  return request.kind === 'command' ? decideCommand(own, request) : decidePaths(own, request)
}

/** What a command in the sandbox wants beyond it is the user's to give: a rule or a mode can only refuse it. */
function decideWant(decided: Decision): Decision {
  return decided.verdict === 'refuse'
    ? decided
    : asked(decided.verdict === 'ask' && decided.rule ? decided.because : '')
}

/** The folders about which git must be asked before a call is decided: which settings apply there, and which files it tracks. */
export type GitFolders = { settings: readonly string[]; tracked: readonly string[] }

/** The folders in which the call would make git read, if nothing but git's words is against it. */
export function gitFolders(policy: Policy, request: ToolRequest): GitFolders {
  if (!request.command?.includes('git')) return { settings: [], tracked: [] }
  const folders = new Set<string>()
  const listed = new Set<string>()
  const git = (folder: string): RepositoryAnswer => {
    folders.add(folder)
    return { reason: null, isPartial: false, programs: [], settings: [] }
  }
  const tracked = (folder: string): TrackedFiles => {
    listed.add(folder)
    return { top: null, files: [] }
  }
  decide({ ...policy, place: { ...policy.place, git, tracked } }, request)
  return { settings: [...folders], tracked: [...listed] }
}

/** Each path is resolved once, however many rules there are. */
function remembering(resolve: Place['resolve']): Place['resolve'] {
  const known = new Map<string, string>()
  return path => {
    const real = known.get(path) ?? resolve(path)
    known.set(path, real)
    return real
  }
}

/** The paths of a call that can be compared; null if they are not known. */
function pathsOf({ paths }: ToolRequest): readonly string[] | null {
  const isTooMuch =
    paths === undefined || paths.length > MOST_PATHS || paths.some(({ length }) => length > LONGEST_PATH)
  return isTooMuch ? null : paths
}

function decidePaths({ mode, rules, place }: Policy, request: ToolRequest): Decision {
  const paths = pathsOf(request)?.map(path => pathOf(path, place)) ?? null
  const means = (rule: Rule): boolean =>
    rule.pattern === null ||
    paths === null ||
    paths.some(({ named, real }) => [named, real].some(path => rule.path && mayMeanPath(rule.path, path, place)))
  const denied = rules.find(rule => rule.effect === 'deny' && means(rule))
  if (denied && (paths !== null || denied.pattern === null)) return byRule(denied)
  const refused = request.kind === 'read' ? null : refusalOf(mode)
  if (refused) return refused
  const asking = rules.find(rule => rule.effect === 'ask' && (rule.broken !== null || means(rule)))
  if (denied) return byRule({ ...denied, effect: 'ask' }, 'the files of this call are not known')
  if (asking) return asking.broken === null ? byRule(asking) : brokenFor(asking)
  const below = request.kind === 'read' && paths ? ruleBelow(rules, request, paths, place) : null
  if (below) return below
  const allowing = rules.filter(({ effect }) => effect === 'allow')
  const whole = allowing.find(({ pattern }) => pattern === null)
  if (whole) return byRule(whole)
  const covers = (path: string): Rule | undefined => allowing.find(rule => coversPath(rule, path, place))
  const covering = paths === null || paths.length === 0 ? undefined : paths.map(({ real }) => covers(real))
  const [first] = covering ?? []
  if (first && covering?.every(rule => rule !== undefined)) return byRule(first)
  return decideByMode(mode, request, paths?.map(({ real }) => real) ?? null, place)
}

/** Tools that only print names. */
const listing = new Set(['glob', 'ls', 'list'])

/** The question about a rule for files below a folder that a tool reads: a search in `.` reads `.env`. Null if there is none. */
function ruleBelow(
  rules: readonly Rule[],
  { tool, folder }: ToolRequest,
  paths: readonly { real: string }[],
  place: Place,
): Decision | null {
  const reach = listing.has(tool.toLowerCase()) ? 'names' : 'linked'
  // Without a path it reads the current folder.
  const starts = paths.length > 0 ? paths.map(({ real }) => real) : [place.resolve(folder)]
  const reached = starts.map(path => ({ path, reach }) as const)
  const below = createBelow(place)
  for (const rule of rules) {
    const why = rule.effect === 'allow' || !rule.path ? null : reasonBelow(rule.path, reached, below, place)
    if (why !== null) return byRule({ ...rule, effect: 'ask' }, `it may apply here: ${why}`)
  }
  return null
}

function refusalOf(mode: PermissionMode): Decision | null {
  return mode === 'plan' || mode === 'read' ? refusedBy(mode, 'only reading is allowed') : null
}

function decideByMode(
  mode: PermissionMode,
  { kind }: ToolRequest,
  paths: readonly string[] | null,
  place: Place,
): Decision {
  if (mode === 'allow') return allowedBy(mode)
  if (kind === 'other') return asked('it is unknown what this tool does')
  if (paths === null) return asked(`it may ${kind === 'read' ? 'read' : 'change'} files outside this folder`)
  const outside = paths.find(path => !isOpenTo(place, path))
  if (outside !== undefined) return asked(`${outside} is outside the folder`)
  const where = paths.some(path => pathInside(place.folder, path) === null) ? 'a folder that you opened' : 'the folder'
  if (kind === 'read') return allowedBy(mode, `it reads inside ${where}`)
  if (!editsUnasked(mode) || paths.length === 0) return askedAsUsual(`the mode is ${mode}`)
  for (const path of paths) {
    const reason = protection(path, place)
    if (reason !== null) return asked(`${path} ${reason}`)
  }
  return allowedBy(mode, `it edits inside ${where}`)
}
