/** Judges calls by the mode, the stored rules and what the user granted in this session. */
import type { PermissionMode, ToolRequest, Verdict } from '../../agent/permission.ts'
import type { GitFolders } from '../../permissions/decide.ts'
import type { Grant } from '../../permissions/grants.ts'
import type { Place, Policy } from '../../permissions/policy.ts'
import type { Rule } from '../../permissions/rules/rule.ts'
import type { WrittenRule } from '../../permissions/rules/written-rule.ts'

/** The scope of a grant: for this session, in this folder, or everywhere. */
export type GrantScope = 'session' | 'folder' | 'user'

export type RuleStore = {
  /** The current rules of the settings and of the folder. */
  rules: () => readonly WrittenRule[]
  /** The rules for commands that ask to run outside the sandbox; none in this mode if they do not run in it. */
  outside?: (mode: PermissionMode) => readonly WrittenRule[]
  /** Stores an allow rule. Null if rules cannot be stored. @throws if it cannot be written. */
  add: ((rule: string, scope: Exclude<GrantScope, 'session'>) => Promise<void>) | null
  /** Adds a host to the setting `sandboxHosts`. Null if nothing is stored. @throws if it cannot be written, or does not count then. */
  addHost: ((rule: string) => Promise<void>) | null
  /** Removes a rule from its file; false if that is not the user's own. @throws if it cannot be written. */
  remove: (rule: WrittenRule & { text: string }) => Promise<boolean>
}

const NO_FOLDERS: GitFolders = { settings: [], tracked: [] }

/** The parts that judge. They need the parser of commands, and are loaded on demand. */
type Engine = Awaited<ReturnType<typeof loadEngine>>

/** The place of calls, and how to look at it. */
export type JudgePlace = Place & {
  /**
   * Looks up what `resolve`, `git` and `tracked` must know for a call; null if they know it. `gitFolders` has the folders in which the
   * call would make git read. Never rejects.
   */
  learn?: Learn
}

/** The place with the folders that the user has opened, as they are at each decision. */
export function withFolders(place: JudgePlace, folders: () => readonly string[]): JudgePlace {
  return {
    ...place,
    get more() {
      return folders()
    },
  }
}

export type Learn = (request: ToolRequest, gitFolders: () => GitFolders) => Promise<void> | null

export type CallJudge = {
  /** Decides with what is known. Until `load` is done, the verdict is always `ask`. */
  judge: (request: ToolRequest) => Verdict
  /** Looks up what is not known, and decides. */
  decide: (request: ToolRequest) => Verdict | Promise<Verdict>
  load: () => Promise<void>
  dangers: (request: ToolRequest) => readonly string[]
  grants: (request: ToolRequest) => readonly Grant[]
  /** The scopes that a grant can have here. */
  scopes: readonly GrantScope[]
  addHost: RuleStore['addHost']
  /** All rules, with those of this session; none before `load` is done. */
  rules: () => readonly Rule[]
  /** Grants something from now on. @throws if it cannot be stored; it then holds for this session. */
  grant: (grant: Grant, scope: GrantScope) => Promise<void>
  /**
   * Takes back a grant of this session, or removes a rule from the user's own file; false if it is in another file.
   *
   * @throws if the file cannot be written.
   */
  revoke: (rule: Rule) => Promise<boolean>
}

/** Why the user must decide about a request that would otherwise be allowed; null for no reason. */
export type DoubtOf = (request: ToolRequest) => string | null

export function createJudge(
  mode: () => PermissionMode,
  place: JudgePlace,
  store: RuleStore,
  doubtOf: DoubtOf = () => null,
): CallJudge {
  let engine: Engine | null = null
  let granted: readonly WrittenRule[] = []
  const written = (): readonly WrittenRule[] => [...store.rules(), ...granted]
  const rules = (): readonly Rule[] => engine?.parseRules(written()) ?? []
  return {
    judge,
    decide(request) {
      const learned = place.learn?.(request, () => engine?.gitFolders(policy(), request) ?? NO_FOLDERS)
      return learned ? learned.then(() => judge(request)) : judge(request)
    },
    async load() {
      engine = await loadEngine()
    },
    dangers: request => engine?.dangersOf(request, place) ?? [],
    grants: request => engine?.grantsFor(request, place) ?? [],
    addHost: store.addHost,
    scopes: store.add ? ['session', 'folder', 'user'] : ['session'],
    rules,
    async grant({ rule }, scope) {
      const own: WrittenRule = { effect: 'allow', text: rule, source: 'session', place: 'this session' }
      granted = [...granted, own]
      if (scope === 'session') return
      await store.add?.(rule, scope)
      granted = granted.filter(each => each !== own)
    },
    async revoke({ source, text, place: from, effect, broken }) {
      // A broken rule has the effect "ask", whatever its list is.
      const isMeant = (each: WrittenRule): boolean =>
        each.source === source &&
        each.text === text &&
        each.place === from &&
        (broken !== null || each.effect === effect)
      const meant = written().find(isMeant)
      if (!meant) return false
      if (source !== 'session') return store.remove({ ...meant, text })
      granted = granted.filter(each => !isMeant(each))
      return true
    },
  }

  function policy(): Policy {
    const outside = store.outside?.(mode()) ?? []
    return { mode: mode(), rules: rules(), place, ...(engine && { outside: engine.parseRules(outside) }) }
  }

  function judge(request: ToolRequest): Verdict {
    if (!engine) return { verdict: 'ask', because: 'the rules are still being read', isProvisional: true }
    const { rule: _rule, note: _note, ...verdict } = engine.decide(policy(), request)
    const doubt = verdict.verdict === 'refuse' ? null : (doubtOf(request) ?? engine.doubtAbout(request, place))
    if (doubt === null) return verdict
    return { verdict: 'ask', because: doubt, ...(verdict.verdict === 'ask' && verdict.outside && { outside: true }) }
  }
}

async function loadEngine() {
  const [{ dangersOf }, { decide, gitFolders }, { grantsFor }, { parseRules }, { whyAskFirst }] = await Promise.all([
    import('../../permissions/dangers.ts'),
    import('../../permissions/decide.ts'),
    import('../../permissions/grants.ts'),
    import('../../permissions/rules/rule.ts'),
    import('../../platform/held-places.ts'),
  ])
  /** A command may run what an earlier one has left. */
  const doubtAbout = ({ kind, wants }: ToolRequest, { folder }: Place): string | null =>
    kind === 'command' && !wants ? whyAskFirst(folder) : null
  return { dangersOf, decide, gitFolders, grantsFor, parseRules, doubtAbout }
}

/** Has no rules and stores none: for the demo. */
export const noRules: RuleStore = { rules: () => [], add: null, addHost: null, remove: async () => false }
