/** Rules as settings hold them, before `rule.ts` parses them: settings must not load the parser of commands. */

export const ruleEffects = ['allow', 'ask', 'deny'] as const
export type RuleEffect = (typeof ruleEffects)[number]

/**
 * The rules of one project. Who wrote them is not known, and a file of them could make every call slow. A broken rule takes the place
 * of those beyond.
 */
export const MOST_PROJECT_RULES = 200
/** Characters of a project's rule. */
export const LONGEST_PROJECT_RULE = 200
/** Stars in a project's rule; `**` counts as two. */
export const MOST_PROJECT_STARS = 12

/** The place where a rule was written. A grant of this session is `session`; `folder` is the user's answer for one folder. */
export type RuleSource = 'user' | 'project' | 'folder' | 'session' | 'environment' | 'flag'

export type WrittenRule = {
  effect: RuleEffect
  /** A value that is not a string is a broken rule. */
  text: unknown
  /** The reason why it stands for rules that are not read; absent for one that is. */
  broken?: string | undefined
  source: RuleSource
  /** The file and line, in words: `~/.config/zotui/config.json line 4`; 'this session' for a grant. */
  place: string
}
