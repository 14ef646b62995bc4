/** What "always" can mean for a call: rules that the user can store with an answer. */
import type { ToolRequest } from '../agent/permission.ts'
import type { Place } from './policy.ts'

export type GrantKind = 'command' | 'prefix' | 'tool' | 'edits'

export type Grant = {
  kind: GrantKind
  /** What it allows, for the user: `commands that begin with "npm test"`. Unsanitised. */
  words: string
  /** The rule to store with the effect `allow`: `Bash(npm test:*)`. */
  rule: string
  /** What the user must know before it is stored, such as that it can match anything; null for nothing. */
  warning: string | null
}

/** The grants that fit the call, the narrowest first. None for a call that is asked whatever the rules say. */
export function grantsFor(_request: ToolRequest, _place: Place): readonly Grant[] {
  return []
}
