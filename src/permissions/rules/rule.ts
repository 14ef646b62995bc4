/** Rules as users write them: `Bash(git status:*)`, `Edit(src/**)`, `Read`. */
import { readStars, type StarredText } from '../../text/patterns/stars.ts'
import { parsePattern, type CommandPattern } from './command-pattern.ts'
import { readPathPattern, type PathPattern } from './path-pattern.ts'
import {
  LONGEST_PROJECT_RULE,
  MOST_PROJECT_STARS,
  type RuleEffect,
  type RuleSource,
  type WrittenRule,
} from './written-rule.ts'
import { lookup } from '../../text/lookup.ts'

export type Rule = {
  effect: RuleEffect
  /** The rule as it was written, unsanitised. */
  text: string
  source: RuleSource
  place: string
  /** In lower case; it may have `*`. */
  tool: string
  /** `tool`, divided at its stars for the comparison. */
  tools: StarredText
  /** The text between the brackets; null if it concerns every call of the tool. */
  pattern: string | null
  /** The pattern of a rule for bash, read; null for others and for an exact text (`Bash(=TEXT)`). */
  command: CommandPattern | null
  /** The pattern of a rule for files, read; null for others. */
  path: PathPattern | null
  /** The reason why the rule cannot be parsed; null if it can. A broken rule asks for every call of its tool. */
  broken: string | null
}

const commandTools: ReadonlySet<string> = new Set(['bash', 'powershell'])
/** The tools whose pattern is a path. */
export const pathTools: ReadonlySet<string> = new Set(['read', 'glob', 'grep', 'ls', 'edit', 'write'])

/** Other programs' names of the same tools. */
const aliases: Readonly<Record<string, string>> = { shell: 'bash', multiedit: 'edit', notebookedit: 'edit', list: 'ls' }

/** Parses a rule. A broken one has the effect `ask` and its reason in `broken`. Never throws. */
export function parseRule({ effect, text, source, place, broken: unread }: WrittenRule): Rule {
  const written = typeof text === 'string' ? text : ''
  const rule = { effect, text: written, source, place, pattern: null, command: null, path: null, broken: null }
  const forTool = (tool: string, own: Partial<Rule> = {}): Rule => ({ ...rule, tool, tools: readStars(tool), ...own })
  const broken = (reason: string, tool = '*'): Rule => forTool(tool, { effect: 'ask', broken: reason })
  if (unread !== undefined) return broken(unread)
  if (typeof text !== 'string') return broken('a rule must be a string such as "Bash(git status:*)"')
  const [, name = '', brackets = '', inside = ''] = /^\s*([\w.*-]+)\s*(\(([\s\S]*)\))?\s*$/.exec(text) ?? []
  if (name === '') {
    const begun = /^\s*(\w+)\s*\(/.exec(text)?.[1]
    const form = 'a rule is the name of a tool, with what it may do in brackets: Bash(git status:*)'
    return broken(form, begun === undefined ? '*' : toolName(begun))
  }
  const tool = toolName(name)
  const excess = source === 'project' ? excessOf(text) : null
  if (excess !== null) return broken(excess, tool)
  const pattern = inside.trim()
  // `Bash(*)` is `Bash`.
  if (brackets === '' || pattern === '*' || pattern === ':*') return forTool(tool)
  if (pattern === '') return broken('the brackets are empty', tool)
  if (pathTools.has(tool)) {
    if (/^[!#]/.test(pattern)) return broken(`a path cannot begin with ${pattern[0]}`, tool)
    const path = readPathPattern(pattern)
    return path
      ? forTool(tool, { pattern, path })
      : broken('a [ without its ], or a \\ at the end, matches no file', tool)
  }
  if (!commandTools.has(tool)) return broken(`${name} takes no brackets`, tool)
  if (pattern.startsWith('=')) return forTool(tool, { pattern })
  if (tool === 'powershell') return broken('only PowerShell(=TEXT) can be read, which means exactly this text', tool)
  const command = parsePattern(pattern)
  return command.broken === null ? forTool(tool, { pattern, command }) : broken(command.broken, tool)
}

/** The limit that a rule of a project exceeds; null for none. */
function excessOf(text: string): string | null {
  if (text.length > LONGEST_PROJECT_RULE) return `a project's rule has at most ${LONGEST_PROJECT_RULE} characters`
  const stars = text.split('*').length - 1
  return stars > MOST_PROJECT_STARS ? `a project's rule has at most ${MOST_PROJECT_STARS} stars, not ${stars}` : null
}

function toolName(written: string): string {
  const name = written.toLowerCase()
  return lookup(aliases, name) ?? name
}

export function parseRules(written: readonly WrittenRule[]): Rule[] {
  return written.map(parseRule)
}
