/** Decisions as text: for the user, with the rule that applied, and for the model, which must not try the call again. */
import type { BoxKind, PermissionMode, ToolRequest, Verdict } from '../agent/permission.ts'
import { fitsStars } from '../text/patterns/stars.ts'
import { pathTools, type Rule } from './rules/rule.ts'

/** A verdict with its reasons, for `zotui permissions test`. */
export type Decision = Verdict & {
  /** The rule that decided; null if the mode did. */
  rule: Rule | null
  /** The reason of a refusing mode, which `because` does not say. */
  note?: string
}

/** The rules for a call's tool, with any pattern. */
export function rulesFor(rules: readonly Rule[], request: ToolRequest): Rule[] {
  const tool = request.tool.toLowerCase()
  return rules.filter(rule => {
    if (fitsStars(rule.tools, tool)) return rule.effect !== 'allow' || isOfKind(rule, request)
    if (rule.tool === 'bash') return request.kind === 'command' && tool !== 'powershell'
    // Rules for files also apply to the paths in a command, broken ones to every command.
    if (rule.tool === 'read' || rule.tool === 'edit') return request.kind === rule.tool || request.kind === 'command'
    return rule.tool === 'write' && request.kind === 'command'
  })
}

/** An agent chooses the names of its tools. An allow rule for reading does not cover one that is called `read` and does more. */
function isOfKind({ tool }: Rule, { kind }: ToolRequest): boolean {
  if (!pathTools.has(tool)) return true
  return kind === (tool === 'edit' || tool === 'write' ? 'edit' : 'read')
}

/** Whether a rule matches commands, rather than the files that they name. */
export const isForCommands = ({ tool }: Rule): boolean => !pathTools.has(tool)

/** Characters of a rule that a sentence shows. */
const SHOWN = 200

/** The rule with its place: `the rule Bash(rm:*) (config.json line 4)`. */
export function ruleWords(rule: Rule): string {
  return `the rule${rule.text === '' ? '' : ` ${shortened(rule)}`} (${rule.place})`
}

function shortened({ text }: Rule): string {
  return text.length > SHOWN ? `${text.slice(0, SHOWN)}...` : text
}

export function byRule(rule: Rule, note = ''): Decision {
  const because = `${ruleWords(rule)}${note && `; ${note}`}`
  if (rule.effect !== 'deny') return { verdict: rule.effect, because, rule }
  const words = `Refused by the user's rule ${shortened(rule)}. Do not try to reach the same by another way; say what you need, or continue without it.`
  return { verdict: 'refuse', because, words, rule }
}

export function brokenFor(rule: Rule): Decision {
  return { verdict: 'ask', because: `${ruleWords(rule)} cannot be read: ${rule.broken}`, rule }
}

const refusals: Partial<Record<PermissionMode, string>> = {
  plan: 'Refused: plan mode is on. Only read: edits, and commands that do more than read, do not run. Finish with a plan; the user will decide on it.',
  read: 'Refused: this session is read-only. Edits, and commands that do more than read, do not run, and the user is not asked. Say what you would have done.',
}

/** Whether edits in the folder run without a question. */
export const editsUnasked = (mode: PermissionMode): boolean => mode === 'edits' || mode === 'contained'

/** The mode asks about the call. */
export function asked(because: string): Decision {
  return { verdict: 'ask', because, rule: null }
}

/** The mode asks about the call because nothing more is known of it. */
export function askedAsUsual(because: string): Decision {
  return { verdict: 'ask', because, isUsual: true, rule: null }
}

export function allowedBy(mode: PermissionMode, note = '', box: BoxKind | null = null): Decision {
  const because = `the mode is ${mode}${note && `; ${note}`}`
  return { verdict: 'allow', because, rule: null, ...(box && { box }) }
}

export function refusedBy(mode: PermissionMode, note: string): Decision {
  return {
    verdict: 'refuse',
    because: mode === 'read' ? 'read-only mode' : `${mode} mode`,
    note,
    words: `${refusals[mode] ?? 'Refused.'} (${note})`,
    rule: null,
  }
}
