/**
 * The mode that a session of the agent works in. A session is put into one that asks before any prompt goes out, unless the user
 * chose another: an agent may begin in a mode that asks nothing, and an update of it may change which mode that is.
 */
import type { ModeChoice, Unasked } from '../../../agent/backend.ts'
import type { AgentEvent } from '../../../agent/event.ts'
import { isStricter, type PermissionMode } from '../../../agent/permission.ts'
import { lookup } from '../../../text/lookup.ts'
import { permissionModeOf, type KnownAgent, type OwnModes } from '../known-agents.ts'
import type { AcpSessions } from '../sessions.ts'
import { optionFor, type OptionFacts, type SessionOption } from './options.ts'
import type { AcpSettings } from './settings.ts'

export type AcpModes = {
  /** A session was opened: sets the user's options again, and a mode that asks if they chose none. */
  begin(): void
  /** Resolves when the session that was opened last is in its mode, or the agent has refused that. */
  readonly settled: Promise<void>
  /** An update of the agent was read: it may have changed its mode by itself. */
  follow(): void
  /** Why the agent may run something without asking; null if it asks, or the user agreed. */
  unasked(): Unasked | null
  /** The reason why no prompt may be sent; null if one may. */
  refusal(): string | null
}

export type AcpModesOptions = {
  /** The name of the agent. */
  name: string
  sessions: AcpSessions
  settings: AcpSettings
  /** The row of the table, once the agent has introduced itself; null if it has none. */
  known: () => KnownAgent | null
  /** The user's choice. */
  start: () => ModeChoice
  /** The mode that the user chose in this session, by an earlier process; null if they chose none. */
  remembered: () => string | null
  /** The environment that it was started with. */
  env: NodeJS.ProcessEnv
  /** The arguments that it was started with. */
  args: readonly string[]
  now: () => number
  emit: (event: AgentEvent) => void
}

export function createAcpModes(options: AcpModesOptions): AcpModes {
  const { name, sessions, settings, known, start, remembered, env, args, now, emit } = options
  let settled: Promise<void> = Promise.resolve()
  /** The mode that the agent reported last. */
  let last: string | null = null
  let isFirst = true
  /** The value with which the agent asks nothing, of an option beside its mode, that was reported last. */
  let lastLoose: string | boolean | null = null
  /** Why the agent did not enter the mode that it was asked for; '' if it did. */
  let problem = ''

  return {
    begin() {
      settled = enter()
    },
    get settled() {
      return settled
    },
    follow() {
      followOption()
      const option = modeOf()
      const mode = String(option?.value)
      if (!option || mode === last) return
      const former = last
      last = mode
      if (former === null || sessions.isOpening || settings.isSetting(option.id, mode)) return
      const { words } = unasked() ?? {}
      if (words === undefined) return say(`${name} has switched to its mode ${nameOf(option, mode)}.`)
      const may = known() === null ? UNKNOWN : `In it, it ${MAY_RUN}.`
      warn(`${name} has switched to its mode ${nameOf(option, mode)} by itself. ${may} /mode switches it.`)
    },
    unasked,
    refusal() {
      const doubt = unasked()
      if (!doubt?.isKnown) return null
      const command = doubt.words === looseWords() ? '/options' : '/mode'
      const does = doubt.words === flagWords() ? 'agrees to it' : 'switches it, or agrees to it'
      const way = modeOf() ? `${command} ${does}; then send the prompt again.` : ALLOWS
      return `${doubt.words}. ${way}`
    },
  }

  /** The agent may have changed the option beside its mode by itself. */
  function followOption(): void {
    const loose = looseOption()
    const value = loose?.value ?? null
    if (value === lastLoose) return
    lastLoose = value
    if (!loose || sessions.isOpening || settings.isSetting(loose.id, loose.value)) return
    const words = looseWords()
    if (words !== null) warn(`${words}. /options switches it.`)
  }

  async function enter(): Promise<void> {
    last = null
    problem = ''
    const first = isFirst
    isFirst = false
    await settings.applyChosen()
    const option = modeOf()
    const begun = option?.value
    const chosen = option && rememberedOf(option)
    const requiredMode = option && requiredModeFor(option)
    // One that comes back is the user's choice for the sessions to come, too. One in which it does not ask needs a new agreement.
    const isKept = requiredMode !== undefined && requiredMode === chosen && isAsking(requiredMode)
    if (option && requiredMode !== undefined && (isKept || requiredMode !== option.value)) {
      const reply = await settings[isKept ? 'set' : 'apply'](option.id, requiredMode)
      if (!reply.ok) {
        problem = `did not switch to its mode ${nameOf(option, requiredMode)} (${reply.message})`
        warn(`${name} ${problem}.`)
      }
    }
    await askAgain()
    const entered = modeOf()
    last = entered ? String(entered.value) : null
    if (!first) return
    const doubt = unasked()
    if (doubt && (!doubt.isKnown || doubt.words === flagWords())) warn(`${doubt.words}.`)
    if (entered && chosen !== undefined && !doubt) {
      const isSame = entered.value === chosen
      const where = isSame
        ? `is in its mode ${nameOf(entered, chosen)}, as`
        : `is in its mode ${nameOf(entered, String(entered.value))} again, not in ${nameOf(entered, chosen)}, which`
      notify(`${name} ${where} you chose in this conversation.${isSame ? '' : ' /mode switches it.'}`)
    } else if (!doubt && entered && requiredMode !== undefined && begun !== entered.value && !isAsking(String(begun)))
      notify(
        `${name} would have begun in its mode ${nameOf(entered, String(begun))}. It is in ${nameOf(entered, requiredMode)}, in which it asks.`,
      )
  }

  /** Sets the option without which the agent asks, unless the user chose otherwise. */
  async function askAgain(): Promise<void> {
    const loose = looseOption()
    const asking = known()?.modes.option?.asking
    lastLoose = null
    if (!loose || asking === undefined || start().mode === 'allow' || isAgreed(loose)) return
    const reply = await settings.apply(loose.id, asking)
    lastLoose = looseOption()?.value ?? null
    if (reply.ok)
      notify(`${name} would have begun with its option ${loose.name} set to ${valueName(loose)}. It asks now.`)
    else warn(`${name} did not change its option ${loose.name} (${reply.message}).`)
  }

  /** The mode that the session must enter; undefined to leave it in its own, which may be stricter than one that nobody chose. */
  function requiredModeFor(option: SessionOption): string | undefined {
    const { mode, isChosen } = start()
    const { modes } = known() ?? {}
    if (isAgreed(option) || !modes) return undefined
    const earlier = rememberedOf(option)
    if (earlier !== undefined && isStricterThanStart(earlier, modes)) return earlier
    if (mode === 'allow') return undefined
    const own = String(option.value)
    if (!isChosen && isAsking(own) && isStricter(permissionModeOf(own, modes), mode)) return undefined
    return modes.for[mode]
  }

  /** The mode that the user chose in this session before; undefined if they chose none, or another one in this process. */
  function rememberedOf({ id, choices }: SessionOption): string | undefined {
    const mode = remembered()
    const isOffered = settings.chosen(id) === undefined && choices.some(({ value }) => value === mode)
    return mode !== null && isOffered ? mode : undefined
  }

  /** A looser mode never comes back by itself, nor a stricter one against what the user says now. */
  function isStricterThanStart(own: string, modes: OwnModes): boolean {
    const { mode, isNow = false } = start()
    const means = permissionModeOf(own, modes)
    return !isNow && means !== mode && isStricter(means, mode)
  }

  function unasked(): Unasked | null {
    const option = modeOf()
    if (start().mode === 'allow') return null
    const mode = option ? String(option.value) : null
    if (mode !== null && isAsking(mode)) {
      const words = looseWords()
      return words === null ? null : { isKnown: true, words }
    }
    if (option && isAgreed(option)) return null
    const flagged = flagWords()
    if (flagged !== null) return { isKnown: true, words: flagged }
    const isKnown = known() !== null
    if (option && mode !== null) {
      const shown = nameOf(option, mode)
      const state = problem === '' ? `is in its mode ${shown}` : `${problem}, and is in ${shown}`
      return isKnown
        ? { isKnown, words: `${name} ${state}, in which it ${MAY_RUN}` }
        : { isKnown, words: `It is not known whether ${name} asks in its mode ${shown} before it runs something` }
    }
    return isKnown
      ? { isKnown, words: `${name} does not report its mode, so it ${MAY_RUN}` }
      : { isKnown, words: `It is not known whether ${name} asks before it runs something` }
  }

  function modeOf(): SessionOption | undefined {
    return optionFor(settings.options, 'mode')
  }

  function isAsking(mode: string): boolean {
    const { asking = [], variable } = known()?.modes ?? {}
    const asks = (variable === undefined || isSet(variable.name)) && !unaskingVariables(known()).some(isSet)
    return asks && unaskingFlag(known(), args) === null && asking.includes(mode)
  }

  /** Why a flag of its command lets it run things; null if none does. */
  function flagWords(): string | null {
    const flag = unaskingFlag(known(), args)
    return flag === null ? null : `${name} was started with ${flag}, with which it ${MAY_RUN}`
  }

  function isSet(variable: string): boolean {
    return (lookup(env, variable) ?? '') !== ''
  }

  /** The option beside the mode, if it has a value with which the agent asks nothing. */
  function looseOption(): SessionOption | undefined {
    const { option } = known()?.modes ?? {}
    return option && settings.options.find(({ id, value }) => id === option.id && value !== option.asking)
  }

  /** Why that option lets it run things; null if it does not, or the user agreed. */
  function looseWords(): string | null {
    const loose = looseOption()
    if (!loose || isAgreed(loose)) return null
    return `${name} has its option ${loose.name} set to ${valueName(loose)}, with which it ${MAY_RUN}`
  }

  function isAgreed({ id, value }: SessionOption): boolean {
    return settings.chosen(id) === value
  }

  /** Such a notice is shown once something follows it: a later switch replaces it. */
  function say(text: string): void {
    emit({ type: 'remark_made', at: now(), level: 'quiet', text, hint: null, markdown: false })
  }

  /** It is shown at once, and stays. */
  function notify(text: string): void {
    emit({ type: 'remark_made', at: now(), level: 'info', text, hint: null, markdown: false })
  }

  function warn(message: string): void {
    emit({ type: 'warning_raised', at: now(), message })
  }
}

const MAY_RUN = 'may run commands and change files without asking'
const UNKNOWN = 'It is not known whether it asks in it.'
const ALLOWS = '`zotui --permissions allow` lets it.'

function valueName({ value, choices }: SessionOption): string {
  if (typeof value === 'boolean') return value ? 'on' : 'off'
  return choices.find(each => each.value === value)?.name ?? value
}

function nameOf({ choices }: SessionOption, mode: string): string {
  return choices.find(({ value }) => value === mode)?.name ?? mode
}

/** The variables with which the agent asks as in this mode of ours; it is started without one that is undefined. */
export function modeVariables(
  known: KnownAgent | null,
  mode: PermissionMode,
  env: NodeJS.ProcessEnv,
): Record<string, string | undefined> {
  const { variable } = known?.modes ?? {}
  if (mode === 'allow') return {}
  return {
    ...(variable && lookup(env, variable.name) === undefined && { [variable.name]: variable.for[mode] }),
    ...Object.fromEntries(unaskingVariables(known).map(name => [name, undefined])),
  }
}

/** The facts about the options of an agent with a row in the table; null is one without. */
export function optionFacts(
  known: () => KnownAgent | null,
  args: readonly string[],
  chosen: OptionFacts['chosen'],
): OptionFacts {
  return {
    meaning(mode) {
      const row = known()
      if (!row) return undefined
      return unaskingFlag(row, args) === null ? permissionModeOf(mode, row.modes) : 'allow'
    },
    chosen,
  }
}

/**
 * Flags with which an agent runs some or all calls unasked, whatever mode it reports, by its name in the table of agents. A flag that only
 * chooses the mode (`--approval-mode`, `--yolo` of Gemini and Qwen) is not among them: the session is put into a mode that asks. A policy
 * of Gemini may allow anything. They are not in the table itself because every start loads that.
 */
const UNASKING_FLAGS: Readonly<Partial<Record<string, readonly string[]>>> = {
  copilot: ['--allow-all-tools', '--allow-all', '--yolo', '--allow-tool', '--assisted-approval'],
  gemini: ['--allowed-tools', '--policy', '--admin-policy'],
  qwen: ['--allowed-tools'],
}

/** The variables with any of which an agent asks in no mode, whatever it reports. It is started without them, except in `allow`. */
const UNASKING_VARIABLES: Readonly<Partial<Record<string, readonly string[]>>> = {
  copilot: ['COPILOT_ALLOW_ALL', 'COPILOT_ASSISTED_APPROVAL'],
}

function unaskingVariables(known: KnownAgent | null): readonly string[] {
  return lookup(UNASKING_VARIABLES, known?.name ?? '') ?? []
}

/** The first such flag among the arguments, also in the words of a shell or another wrapper; null if there is none. */
function unaskingFlag(known: KnownAgent | null, args: readonly string[]): string | null {
  const flags = lookup(UNASKING_FLAGS, known?.name ?? '') ?? []
  const words = args.flatMap(each => each.split(/\s+/))
  return words.find(word => flags.some(flag => plainFlag(flag) === plainFlag(word))) ?? null
}

/** A flag without its value and its dashes: some parsers take `--allowedTools` for `--allowed-tools`. */
function plainFlag(flag: string): string {
  const [name = ''] = flag.split('=')
  return name.startsWith('-') ? name.replaceAll('-', '').toLowerCase() : ''
}
