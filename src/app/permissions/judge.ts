/** Judges calls by the mode, the stored rules and what the user granted in this session. */
import type { Judge, PermissionMode, ToolRequest, Verdict } from '../../agent/permission.ts'
import { dangersOf } from '../../permissions/dangers.ts'
import { decide } from '../../permissions/decide.ts'
import { grantsFor, type Grant } from '../../permissions/grants.ts'
import type { Place } from '../../permissions/policy.ts'
import { parseRule, type Rule } from '../../permissions/rule.ts'

/** How long a grant lasts: for this session, in this folder, or everywhere. */
export type GrantScope = 'session' | 'folder' | 'user'

export type RuleStore = {
  /** The rules of the settings and of the folder as they are now. */
  rules: () => readonly Rule[]
  /** Stores a rule that allows. Replies why it could not. */
  add: (rule: string, scope: Exclude<GrantScope, 'session'>) => Promise<string | null>
}

export type CallJudge = {
  judge: Judge
  dangers: (request: ToolRequest) => readonly string[]
  grants: (request: ToolRequest) => readonly Grant[]
  /** All rules, with those of this session. */
  rules: () => readonly Rule[]
  /** Grants something. Replies why it could not be stored; it then lasts for this session. */
  grant: (grant: Grant, scope: GrantScope) => Promise<string | null>
  /** Takes back what was granted in this session. */
  revoke: (rule: Rule) => boolean
}

export function createJudge(mode: () => PermissionMode, place: Place, store: RuleStore): CallJudge {
  let granted: readonly Rule[] = []
  const rules = (): readonly Rule[] => [...store.rules(), ...granted]
  return {
    judge: request => judged(request),
    dangers: request => dangersOf(request, place),
    grants: request => grantsFor(request, place),
    rules,
    async grant({ rule }, scope) {
      const own = parseRule({ effect: 'allow', text: rule, source: 'session', place: 'this session' })
      granted = [...granted, own]
      if (scope === 'session') return null
      const problem = await store.add(rule, scope)
      if (problem === null) granted = granted.filter(each => each !== own)
      return problem
    },
    revoke(rule) {
      const before = granted.length
      granted = granted.filter(each => each !== rule)
      return granted.length < before
    },
  }

  function judged(request: ToolRequest): Verdict {
    const { rule: _rule, ...verdict } = decide({ mode: mode(), rules: rules(), place }, request)
    return verdict
  }
}

/** Nothing is stored: for the demo and for replays. */
export const noRules: RuleStore = { rules: () => [], add: async () => 'nothing is stored here' }
