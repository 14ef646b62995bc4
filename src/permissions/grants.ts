/** The rules that the answer "always" can store for a call. */
import type { ToolRequest } from '../agent/permission.ts'
import { breadthOf, runners } from './rules/breadth.ts'
import { pathOf } from './rules/call-paths.ts'
import { programName } from './rules/program-name.ts'
import { decide } from './decide.ts'
import { lineOf } from './decide-command.ts'
import { pathInside } from './paths.ts'
import type { Place } from './policy.ts'
import { readerOf } from './reading/reading.ts'
import { parseRule, type Rule } from './rules/rule.ts'
import type { SimpleCommand } from './shell/line.ts'
import { lookup } from '../text/lookup.ts'
import { wordSet } from '../text/word-list.ts'

/**
 * `command`: exactly this command. `prefix`: commands that begin with the same words. `file`: these files. `edits`: edits in the
 * folder. `tool`: all calls of the tool.
 */
type GrantKind = 'command' | 'prefix' | 'file' | 'edits' | 'tool'

export type Grant = {
  kind: GrantKind
  /** A description of the calls that it allows, for the user: `commands that begin with npm test`. Unsanitised. */
  words: string
  /** `words`, shortened for the smallest screens. Unsanitised. */
  short: string
  /** The rule to store with the effect `allow`: `Bash(npm test:*)`. */
  rule: string
  /** A warning for the user before it is stored, such as that it can match anything; null for none. */
  warning: string | null
}

/** The grants that fit the call, the narrowest first. */
export function grantsFor(request: ToolRequest, place: Place): readonly Grant[] {
  const specific = request.kind === 'command' ? commandGrants(request, place) : fileGrants(request, place)
  const all = [...specific, grant('tool', `all calls of ${request.tool}`, `all ${request.tool}`, toolName(request))]
  return all.filter(each => isMeant(each, request, place))
}

/** Whether the rule lets the call run and is what its words say: an agent names its tools, and a name can read as another rule. */
function isMeant({ kind, rule: text }: Grant, request: ToolRequest, place: Place): boolean {
  const rule = ruleOf(text)
  if (kind === 'tool' && (rule.pattern !== null || rule.tool.includes('*'))) return false
  return decide({ mode: 'ask', rules: [rule], place }, request).verdict === 'allow'
}

function grant(kind: GrantKind, words: string, short: string, rule: string): Grant {
  return { kind, words, short, rule, warning: breadthOf(ruleOf(rule)) }
}

const ruleOf = (text: string): Rule => parseRule({ effect: 'allow', text, source: 'session', place: '' })

/** The tool as rules write it: `Bash`. */
function toolName({ tool }: ToolRequest): string {
  const known: Readonly<Record<string, string>> = { bash: 'Bash', powershell: 'PowerShell' }
  return (
    lookup(known, tool.toLowerCase()) ?? tool.replace(/^[a-z]+$/, name => name.charAt(0).toUpperCase() + name.slice(1))
  )
}

function commandGrants(request: ToolRequest, place: Place): Grant[] {
  const { command, folder } = request
  if (command === undefined) return []
  const tool = toolName(request)
  const exact = grant('command', 'exactly this command', 'this command', `${tool}(=${command.trim()})`)
  const line = lineOf(request)
  const reader = readerOf(line, place, folder)
  // Beside another command, git is asked about, too.
  const unread = line.commands.filter(each => reader(each).reason !== null || reader(each).git !== null)
  const prefixes = new Set(unread.map(prefixOf))
  const [prefix] = prefixes
  if (line.unclear !== null || prefixes.size !== 1 || prefix === null || prefix === undefined) return [exact]
  const text = `${tool}(${prefix}:*)`
  const { broken } = ruleOf(text)
  return broken === null ? [exact, grant('prefix', `commands that begin with ${prefix}`, `${prefix} …`, text)] : [exact]
}

/** Programs whose second word is a subcommand. */
const withCommands = wordSet(`
  git gh npm pnpm yarn bun deno cargo go docker podman kubectl helm terraform pip poetry uv brew apt apt-get systemctl
  make just task dotnet mvn gradle gradlew mvnw rake bundle composer mix swift flutter dart az aws gcloud nix conda`)
/** Subcommands whose third word is a subcommand as well. */
const withThird =
  /^(?:npm|pnpm|yarn|bun|deno|docker|gh|kubectl|aws|gcloud|az|dotnet) (?:run|compose|exec|pr|issue|get|task|s3|compute)$/

/** The first words of a command, for a rule; null if no prefix is narrow enough. */
function prefixOf({ words, assignments, inner, isTransparent }: SimpleCommand): string | null {
  const [only] = inner
  if (isTransparent && inner.length === 1 && only) return prefixOf(only)
  if (assignments.length > 0 || inner.length > 0) return null
  const plain: string[] = []
  for (const { value } of words) {
    if (value === null || !/^[\w@%+=:,./-]+$/.test(value)) break
    plain.push(value)
  }
  const [name, second = '', third = ''] = plain
  if (name === undefined || isWide(name)) return null
  if (!withCommands.has(programName(name))) return name
  if (second === '' || second.startsWith('-')) return null
  const two = `${name} ${second}`
  if (!withThird.test(`${programName(name)} ${second}`)) return two
  return third === '' || third.startsWith('-') ? null : `${two} ${third}`
}

/** Programs that can do harm. A rule that allows the program by its name alone is never offered. */
const harmful = wordSet('rm dd curl wget sed deno bun kill pkill killall chmod chown mv')
const isWide = (name: string): boolean => runners.has(programName(name)) || harmful.has(programName(name))

function fileGrants(request: ToolRequest, place: Place): Grant[] {
  const tool = request.kind === 'edit' ? 'Edit' : request.kind === 'read' ? 'Read' : null
  const paths = request.paths?.map(path => pathOf(path, place).real) ?? []
  const [path] = paths
  if (tool === null || path === undefined) return []
  const inside = pathInside(place.folder, path)
  const escaped = (inside ? `./${inside}` : path).replaceAll(/[*?[\]\\]/g, '\\$&')
  const rule = `${tool}(${escaped})`
  const grants = [grant('file', `${tool.toLowerCase()}s of ${inside ?? path}`, 'this file', rule)]
  const all = grant('edits', 'edits in this folder', 'edits here', 'Edit(./**)')
  if (tool === 'Edit') grants.push(all)
  return grants
}
