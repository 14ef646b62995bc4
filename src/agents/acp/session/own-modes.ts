/**
 * The mode that a session of the agent works in. A session is put into one that asks before any prompt goes out, unless the user
 * chose another: an agent may begin in a mode that asks nothing, and an update of it may change which mode that is.
 */
import type { Unasked } from '../../../agent/backend.ts'
import type { AgentEvent } from '../../../agent/event.ts'
import type { AcpSessions } from '../sessions.ts'
import { AcpAsking, MAY_RUN, nameOf, valueName, type AcpAskingOptions } from './asking.ts'
import type { SessionOption } from './options.ts'

export type AcpModesOptions = AcpAskingOptions & {
  sessions: AcpSessions
  now: () => number
  emit: (event: AgentEvent) => void
}

/** How a session entered its mode. */
type ModeEntry = {
  /** The mode in which the agent began. */
  begun: SessionOption['value'] | undefined
  /** The mode that the user chose in this session before. */
  chosen: string | undefined
  /** The mode that it had to enter. */
  required: string | undefined
}

export class AcpModes {
  readonly #options: AcpModesOptions
  readonly #asking: AcpAsking
  #settled: Promise<void> = Promise.resolve()
  /** The mode that the agent reported last. */
  #last: string | null = null
  /** Whether no session was opened yet. */
  #isFirst = true
  /** The value with which the agent asks nothing, of an option beside its mode, that was reported last. */
  #lastLoose: string | boolean | null = null
  /** Why the agent did not enter the mode that it was asked for; '' if it did. */
  #problem = ''

  constructor(options: AcpModesOptions) {
    this.#options = options
    this.#asking = new AcpAsking(options)
  }

  /** Resolves when the session that was opened last is in its mode, or the agent has refused that. */
  get settled(): Promise<void> {
    return this.#settled
  }

  /** A session was opened: sets the user's options again, and a mode that asks if they chose none. */
  begin(): void {
    this.#settled = this.#enter()
  }

  /** An update of the agent was read: it may have changed its mode by itself. */
  follow(): void {
    this.#followLoose()
    const { name, known } = this.#options
    const option = this.#asking.mode
    const mode = String(option?.value)
    if (!option || mode === this.#last) return
    const former = this.#last
    this.#last = mode
    if (former === null || this.#isOurs(option)) return
    if (this.unasked() === null) return this.#say(`${name} has switched to its mode ${nameOf(option, mode)}.`)
    const may = known() === null ? 'It is not known whether it asks in it.' : `In it, it ${MAY_RUN}.`
    this.#warn(`${name} has switched to its mode ${nameOf(option, mode)} by itself. ${may} /mode switches it.`)
  }

  /** Why the agent may run something without asking; null if it asks, or the user agreed. */
  unasked(): Unasked | null {
    return this.#asking.unasked(this.#problem)
  }

  /** The reason why no prompt may be sent; null if one may. */
  refusal(): string | null {
    return this.#asking.refusal(this.#problem)
  }

  /** The agent may have changed the option beside its mode by itself. */
  #followLoose(): void {
    const { loose } = this.#asking
    const value = loose?.value ?? null
    if (value === this.#lastLoose) return
    this.#lastLoose = value
    if (!loose || this.#isOurs(loose)) return
    const words = this.#asking.looseWords()
    if (words !== null) this.#warn(`${words}. /options switches it.`)
  }

  /** Whether zotui has set what this option has now, or opens the session of it. */
  #isOurs({ id, value }: SessionOption): boolean {
    return this.#options.sessions.isOpening || this.#options.settings.isSetting(id, value)
  }

  async #enter(): Promise<void> {
    this.#last = null
    this.#problem = ''
    const isFirst = this.#isFirst
    this.#isFirst = false
    await this.#options.settings.applyChosen()
    const option = this.#asking.mode
    const entry: ModeEntry = {
      begun: option?.value,
      chosen: option && this.#asking.rememberedOf(option),
      required: option && this.#asking.requiredModeFor(option),
    }
    if (option) await this.#require(option, entry)
    await this.#askAgain()
    const entered = this.#asking.mode
    this.#last = entered ? String(entered.value) : null
    if (isFirst) this.#reportEntry(entered, entry)
  }

  /** Puts the session into the mode that it must enter. */
  async #require(option: SessionOption, { chosen, required }: ModeEntry): Promise<void> {
    // One that comes back is the user's choice for the sessions to come, too. One in which it does not ask needs a new agreement.
    const isKept = required !== undefined && required === chosen && this.#asking.isAsking(required)
    if (required === undefined || (!isKept && required === option.value)) return
    const reply = await this.#options.settings[isKept ? 'set' : 'apply'](option.id, required)
    if (reply.ok) return
    this.#problem = `did not switch to its mode ${nameOf(option, required)} (${reply.message})`
    this.#warn(`${this.#options.name} ${this.#problem}.`)
  }

  /** Sets the option without which the agent asks, unless the user chose otherwise. */
  async #askAgain(): Promise<void> {
    const { name, known, settings, start } = this.#options
    const { loose } = this.#asking
    const asking = known()?.modes.option?.asking
    this.#lastLoose = null
    if (!loose || asking === undefined || start().mode === 'allow' || this.#asking.isAgreed(loose)) return
    const reply = await settings.apply(loose.id, asking)
    this.#lastLoose = this.#asking.loose?.value ?? null
    if (reply.ok)
      this.#notify(`${name} would have begun with its option ${loose.name} set to ${valueName(loose)}. It asks now.`)
    else this.#warn(`${name} did not change its option ${loose.name} (${reply.message}).`)
  }

  /** Says what the user cannot expect of the mode in which the first session begins. */
  #reportEntry(entered: SessionOption | undefined, { begun, chosen, required }: ModeEntry): void {
    const { name } = this.#options
    const doubt = this.unasked()
    if (doubt) {
      if (!doubt.isKnown || doubt.words === this.#asking.flagWords()) this.#warn(`${doubt.words}.`)
      return
    }
    if (!entered) return
    const shown = nameOf(entered, String(entered.value))
    if (chosen !== undefined) {
      const isSame = entered.value === chosen
      const where = isSame
        ? `is in its mode ${shown}, as`
        : `is in its mode ${shown} again, not in ${nameOf(entered, chosen)}, which`
      this.#notify(`${name} ${where} you chose in this conversation.${isSame ? '' : ' /mode switches it.'}`)
    } else if (required !== undefined && begun !== entered.value && !this.#asking.isAsking(String(begun)))
      this.#notify(
        `${name} would have begun in its mode ${nameOf(entered, String(begun))}. It is in ${nameOf(entered, required)}, in which it asks.`,
      )
  }

  /** Such a notice is shown once something follows it: a later switch replaces it. */
  #say(text: string): void {
    this.#remark('quiet', text)
  }

  /** It is shown at once, and stays. */
  #notify(text: string): void {
    this.#remark('info', text)
  }

  #remark(level: 'quiet' | 'info', text: string): void {
    const { now, emit } = this.#options
    emit({ type: 'remark_made', at: now(), level, text, hint: null, markdown: false })
  }

  #warn(message: string): void {
    const { now, emit } = this.#options
    emit({ type: 'warning_raised', at: now(), message })
  }
}
