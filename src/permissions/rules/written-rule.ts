/** Rules as settings hold them, before `rule.ts` parses them: settings must not load the parser of commands. */

export const ruleEffects = ['allow', 'ask', 'deny'] as const
export type RuleEffect = (typeof ruleEffects)[number]

/** The place where a rule was written. A grant of this session is `session`; `folder` is the user's answer for one folder. */
export type RuleSource = 'user' | 'project' | 'folder' | 'session' | 'environment' | 'flag'

export type WrittenRule = {
  effect: RuleEffect
  /** A value that is not a string is a broken rule. */
  text: unknown
  source: RuleSource
  /** The file and line, in words: `~/.config/zotui/config.json line 4`; 'this session' for a grant. */
  place: string
}
