/** Decides whether a call runs, is asked or is refused. Deny wins, then ask, then allow, then the mode. */
import type { ToolRequest, Verdict } from '../agent/permission.ts'
import type { Policy } from './policy.ts'
import type { Rule } from './rule.ts'

/** A verdict with what led to it, for `zotui permissions test`. */
export type Decision = Verdict & {
  /** The rule that decided; null if the mode did. */
  rule: Rule | null
}

/** Decides at once, from the policy alone. */
export function decide(_policy: Policy, _request: ToolRequest): Decision {
  return { verdict: 'ask', because: 'nothing is decided yet', rule: null }
}
