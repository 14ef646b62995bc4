/** Rules as users write them: `Bash(git status:*)`, `Edit(src/**)`, `Read`. */
import { parsePattern, type CommandPattern } from './command-pattern.ts'
import type { RuleEffect, RuleSource, WrittenRule } from './written-rule.ts'
import { lookup } from '../../text/lookup.ts'

export type Rule = {
  effect: RuleEffect
  /** As it was written, unsanitised. */
  text: string
  source: RuleSource
  place: string
  /** In lower case; it may have `*`. */
  tool: string
  /** The text between the brackets; null if it concerns every call of the tool. */
  pattern: string | null
  /** The pattern of a rule for bash, read; null for others and for an exact text (`Bash(=TEXT)`). */
  command: CommandPattern | null
  /** The reason why the rule cannot be parsed; null if it can. A broken rule asks for every call of its tool. */
  broken: string | null
}

/** The tools that run a command. */
const commandTools: ReadonlySet<string> = new Set(['bash', 'powershell'])
/** The tools whose pattern is a path. */
export const pathTools: ReadonlySet<string> = new Set(['read', 'glob', 'grep', 'ls', 'edit', 'write'])

/** Other programs' names of the same tools. */
const aliases: Readonly<Record<string, string>> = { shell: 'bash', multiedit: 'edit', notebookedit: 'edit', list: 'ls' }

/** Parses a rule. A broken one has the effect `ask` and its reason in `broken`. Never throws. */
export function parseRule({ effect, text, source, place }: WrittenRule): Rule {
  const written = typeof text === 'string' ? text : ''
  const rule: Rule = { effect, text: written, source, place, tool: '*', pattern: null, command: null, broken: null }
  const broken = (reason: string, tool = '*'): Rule => ({ ...rule, effect: 'ask', tool, broken: reason })
  if (typeof text !== 'string') return broken('a rule must be a string such as "Bash(git status:*)"')
  const [, name = '', brackets = '', inside = ''] = /^\s*([\w.*-]+)\s*(\(([\s\S]*)\))?\s*$/.exec(text) ?? []
  if (name === '') {
    const begun = /^\s*(\w+)\s*\(/.exec(text)?.[1]
    const form = 'a rule is the name of a tool, with what it may do in brackets: Bash(git status:*)'
    return broken(form, begun === undefined ? '*' : toolName(begun))
  }
  const tool = toolName(name)
  const pattern = inside.trim()
  // `Bash(*)` is `Bash`.
  if (brackets === '' || pattern === '*' || pattern === ':*') return { ...rule, tool }
  if (pattern === '') return broken('the brackets are empty', tool)
  if (pathTools.has(tool))
    return /^[!#]/.test(pattern) ? broken(`a path cannot begin with ${pattern[0]}`, tool) : { ...rule, tool, pattern }
  if (!commandTools.has(tool)) return broken(`${name} takes no brackets`, tool)
  if (pattern.startsWith('=')) return { ...rule, tool, pattern }
  if (tool === 'powershell') return broken('only PowerShell(=TEXT) can be read, which means exactly this text', tool)
  const command = parsePattern(pattern)
  return command.broken === null ? { ...rule, tool, pattern, command } : broken(command.broken, tool)
}

function toolName(written: string): string {
  const name = written.toLowerCase()
  return lookup(aliases, name) ?? name
}

export function parseRules(written: readonly WrittenRule[]): Rule[] {
  return written.map(parseRule)
}
