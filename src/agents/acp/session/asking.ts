/** Whether an agent asks before it runs something, as its session is now, and the mode that the session must enter so that it does. */
import type { ModeChoice, Unasked } from '../../../agent/backend.ts'
import { isStricter } from '../../../agent/permission.ts'
import { lookup } from '../../../text/lookup.ts'
import { ownModeFor, permissionModeOf, type KnownAgent, type OwnModes } from '../known-agents.ts'
import { optionFor, type SessionOption } from './options.ts'
import type { AcpSettings } from './settings.ts'
import { unaskingFlag, unaskingVariables } from './unasking.ts'

export type AcpAskingOptions = {
  /** The name of the agent. */
  name: string
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
}

export class AcpAsking {
  readonly #options: AcpAskingOptions

  constructor(options: AcpAskingOptions) {
    this.#options = options
  }

  /** The mode as an option of the session. */
  get mode(): SessionOption | undefined {
    return optionFor(this.#options.settings.options, 'mode')
  }

  /** The option beside the mode, if it has a value with which the agent asks nothing. */
  get loose(): SessionOption | undefined {
    const { option } = this.#options.known()?.modes ?? {}
    return option && this.#options.settings.options.find(({ id, value }) => id === option.id && value !== option.asking)
  }

  /** Why that option lets it run things; null if it does not, or the user agreed. */
  looseWords(): string | null {
    const { loose } = this
    if (!loose || this.isAgreed(loose)) return null
    return `${this.#options.name} has its option ${loose.name} set to ${valueName(loose)}, with which it ${MAY_RUN}`
  }

  /** Why a flag of its command lets it run things; null if none does. */
  flagWords(): string | null {
    const { name, args, known } = this.#options
    const flag = unaskingFlag(known(), args)
    return flag === null ? null : `${name} was started with ${flag}, with which it ${MAY_RUN}`
  }

  /** Whether the agent asks before calls in this mode of its own, with the arguments that it was started with. */
  isAsking(mode: string): boolean {
    const { args, known } = this.#options
    const { asking = [], variable } = known()?.modes ?? {}
    const asks =
      (variable === undefined || this.#isSet(variable.name)) &&
      !unaskingVariables(known()).some(each => this.#isSet(each))
    return asks && unaskingFlag(known(), args) === null && asking.includes(mode)
  }

  /** Whether the user chose what this option has. */
  isAgreed({ id, value }: SessionOption): boolean {
    return this.#options.settings.chosen(id) === value
  }

  /** The mode that the session must enter; undefined to leave it in its own, which may be stricter than one that nobody chose. */
  requiredModeFor(option: SessionOption): string | undefined {
    const { mode, isChosen } = this.#options.start()
    const { modes } = this.#options.known() ?? {}
    if (this.isAgreed(option) || !modes) return undefined
    const earlier = this.rememberedOf(option)
    if (earlier !== undefined && this.#isStricterThanStart(earlier, modes)) return earlier
    if (mode === 'allow') return undefined
    const own = String(option.value)
    if (!isChosen && this.isAsking(own) && isStricter(permissionModeOf(own, modes), mode)) return undefined
    return ownModeFor(mode, modes.for)
  }

  /** The mode that the user chose in this session before; undefined if they chose none, or another one in this process. */
  rememberedOf({ id, choices }: SessionOption): string | undefined {
    const mode = this.#options.remembered()
    const isOffered = this.#options.settings.chosen(id) === undefined && choices.some(({ value }) => value === mode)
    return mode !== null && isOffered ? mode : undefined
  }

  /**
   * Why the agent may run something without asking; null if it asks, or the user agreed. `problem`: why it did not enter the mode that it
   * was asked for, '' if it did.
   */
  unasked(problem: string): Unasked | null {
    const option = this.mode
    if (this.#options.start().mode === 'allow') return null
    const mode = option ? String(option.value) : null
    if (mode !== null && this.isAsking(mode)) {
      const words = this.looseWords()
      return words === null ? null : { isKnown: true, words }
    }
    if (option && this.isAgreed(option)) return null
    const flagged = this.flagWords()
    if (flagged !== null) return { isKnown: true, words: flagged }
    return this.#unaskedIn(option && mode !== null ? nameOf(option, mode) : null, problem)
  }

  /** The reason why no prompt may be sent; null if one may. */
  refusal(problem: string): string | null {
    const doubt = this.unasked(problem)
    if (!doubt?.isKnown) return null
    const command = doubt.words === this.looseWords() ? '/options' : '/mode'
    const does = doubt.words === this.flagWords() ? 'agrees to it' : 'switches it, or agrees to it'
    const way = this.mode ? `${command} ${does}; then send the prompt again.` : ALLOWS
    return `${doubt.words}. ${way}`
  }

  /** The words for a mode, by its name, in which it is not known to ask; null for an agent that reports none. */
  #unaskedIn(shown: string | null, problem: string): Unasked {
    const { name, known } = this.#options
    const isKnown = known() !== null
    if (!isKnown) {
      const where = shown === null ? '' : ` in its mode ${shown}`
      return { isKnown, words: `It is not known whether ${name} asks${where} before it runs something` }
    }
    if (shown === null) return { isKnown, words: `${name} does not report its mode, so it ${MAY_RUN}` }
    const state = problem === '' ? `is in its mode ${shown}` : `${problem}, and is in ${shown}`
    return { isKnown, words: `${name} ${state}, in which it ${MAY_RUN}` }
  }

  /** A looser mode never comes back by itself, nor a stricter one against what the user says now. */
  #isStricterThanStart(own: string, modes: OwnModes): boolean {
    const { mode, isNow = false } = this.#options.start()
    const means = permissionModeOf(own, modes)
    return !isNow && means !== mode && isStricter(means, mode)
  }

  #isSet(variable: string): boolean {
    return (lookup(this.#options.env, variable) ?? '') !== ''
  }
}

export const MAY_RUN = 'may run commands and change files without asking'
const ALLOWS = '`zotui --permissions allow` lets it.'

export function valueName({ value, choices }: SessionOption): string {
  if (typeof value === 'boolean') return value ? 'on' : 'off'
  return choices.find(each => each.value === value)?.name ?? value
}

export function nameOf({ choices }: SessionOption, mode: string): string {
  return choices.find(({ value }) => value === mode)?.name ?? mode
}
