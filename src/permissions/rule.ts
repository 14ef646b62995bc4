/** Rules as users write them: `Bash(git status:*)`, `Edit(src/**)`, `Read`. */

export const ruleEffects = ['allow', 'ask', 'deny'] as const
export type RuleEffect = (typeof ruleEffects)[number]

/** Where a rule was written, strongest last. A grant of this session is `session`. */
export type RuleSource = 'user' | 'project' | 'folder' | 'session' | 'environment' | 'flag'

/** A rule before it is read. */
export type WrittenRule = {
  effect: RuleEffect
  /** Anything but a text is a broken rule. */
  text: unknown
  source: RuleSource
  /** The file and line, in words: `~/.config/zotui/config.json line 4`; 'this session' for a grant. */
  place: string
}

export type Rule = {
  effect: RuleEffect
  /** As it was written, unsanitised. */
  text: string
  source: RuleSource
  place: string
  /** In lower case; it may have `*`. */
  tool: string
  /** What stands between the brackets; null if it concerns every call of the tool. */
  pattern: string | null
  /** The reason why it cannot be read; null if it can. Such a rule asks for every call of its tool. */
  broken: string | null
}

/** Reads a rule. A broken one has the effect `ask`, and says why in `broken`. Never throws. */
export function parseRule({ effect, text, source, place }: WrittenRule): Rule {
  const rule = { effect, source, place, text: typeof text === 'string' ? text : '' }
  return { ...rule, effect: 'ask', tool: '*', pattern: null, broken: 'is not a text' }
}

export function parseRules(written: readonly WrittenRule[]): Rule[] {
  return written.map(parseRule)
}

/** What the user must know before an allow rule is stored: that it can match anything. Null if it cannot. */
export function breadthOf(_rule: Rule): string | null {
  return null
}
