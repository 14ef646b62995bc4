/**
 * The limits of the user's plan: a warning once for each threshold of a window, and what becomes of a prompt that the agent refused because
 * a limit is reached. It is sent when the limit resets if the user has chosen so, and else the user is told.
 */
import type { AgentEvent } from '../../agent/event.ts'
import type { LimitWindow } from '../../agent/session-events.ts'
import { lastTurn } from '../../conversation/queries/last-turn.ts'
import { takesPromptsAt, thresholdOf, windowName } from '../../conversation/queries/plan-windows.ts'
import type { QueueEntry } from '../../state/composer/queue-entry.ts'
import { laterTime } from '../../text/clock-time.ts'
import { formatPercent } from '../../text/format.ts'
import { oneLine, sanitize } from '../../text/sanitize.ts'
import type { AppContext } from '../context/context.ts'
import type { PlanWarnings } from '../context/conversations.ts'
import type { MachineKeeper } from './turn-machine.ts'

/** Milliseconds between two looks at the clock: a machine that was suspended has missed a longer wait. */
const LOOK = 30_000
/** Milliseconds by which the reported end of a window may differ from one report to the next. */
const SAME_WINDOW = 60_000

/** After these the prompt that was refused is no longer the one to send. */
const OBSOLETE: ReadonlySet<AgentEvent['type']> = new Set(['prompt_sent', 'conversation_cleared', 'agent_starting'])

export class PlanLimits {
  readonly #context: AppContext
  readonly #machine: Pick<MachineKeeper, 'send'>
  readonly #warned: PlanWarnings
  #timer: NodeJS.Timeout | undefined
  /** The conversation of the prompt: see `AppState.restored`. */
  #times = 0

  constructor(context: AppContext, machine: Pick<MachineKeeper, 'send'>) {
    this.#context = context
    this.#machine = machine
    this.#warned = context.conversations?.planWarnings ?? new Map()
  }

  /** Called with the events of each frame. */
  follow(events: readonly AgentEvent[]): void {
    for (const event of events) if (event.type === 'limits_reported') for (const each of event.windows) this.#warn(each)
    if (events.some(({ type }) => OBSOLETE.has(type))) this.#forget()
    if (events.some(({ type }) => type === 'turn_ended')) this.#followEnd()
  }

  /** When the agent takes prompts again, in milliseconds since the Unix epoch; null if that is not known. */
  resetsAt(): number | null {
    const { state, now } = this.#context
    return takesPromptsAt(state().chat.limits, now())
  }

  /** Keeps an entry in the paused queue, and sends it when the limit resets. */
  sendLater(entry: QueueEntry): void {
    const at = this.resetsAt()
    this.#machine.send({ type: 'put_off', entry })
    if (at !== null) this.#wait(at, true)
    // It has reset while the question was open.
    else this.#machine.send({ type: 'unpaused' })
  }

  #warn(window: LimitWindow): void {
    const { backend, addNotice, now } = this.#context
    const threshold = thresholdOf(window)
    if (threshold === null) return
    const key = JSON.stringify([backend.name, window.id])
    const before = this.#warned.get(key)
    const isSame = before !== undefined && Math.abs((before.resetsAt ?? 0) - (window.resetsAt ?? 0)) < SAME_WINDOW
    if (isSame && before.threshold >= threshold) return
    this.#warned.set(key, { threshold, resetsAt: window.resetsAt })
    const name = oneLine(sanitize(windowName(window)))
    const resets = window.resetsAt === null ? '' : ` It resets ${laterTime(window.resetsAt, now())}.`
    addNotice('warn', `${formatPercent(window.used)} of your plan for ${name} is used.${resets}`)
  }

  #followEnd(): void {
    const turn = lastTurn(this.#context.state().chat.entries)
    // Nothing is to be sent again for a turn that the agent began itself.
    const at = turn?.isOverLimit && !turn.unprompted ? this.resetsAt() : null
    if (at !== null) this.#wait(at, false)
  }

  #wait(at: number, sends: boolean): void {
    const { state, dispatch } = this.#context
    this.#times = state().restored.times
    dispatch({ type: 'limit_wait_changed', wait: { at, sends, isOver: false } })
    this.#look()
  }

  #look(): void {
    clearTimeout(this.#timer)
    const { state, now } = this.#context
    const { limitWait, restored, leaving } = state()
    if (!limitWait || limitWait.isOver || leaving !== null) return
    if (restored.times !== this.#times) return this.#forget()
    const left = limitWait.at - now()
    if (left <= 0) return this.#due(limitWait.sends)
    this.#timer = setTimeout(() => this.#look(), Math.min(left, LOOK))
    this.#timer.unref()
  }

  #due(sends: boolean): void {
    const { state, dispatch, addNotice, hint, backend, keyed } = this.#context
    const { queue, limitWait } = state()
    const waits = queue.paused && queue.entries.length > 0
    if (sends && !waits) return this.#forget()
    if (sends) {
      this.#forget()
      return this.#machine.send({ type: 'unpaused' })
    }
    if (limitWait) dispatch({ type: 'limit_wait_changed', wait: { ...limitWait, isOver: true } })
    const how = waits ? keyed('{composer.submit} sends what waits.') : '/retry sends the prompt again.'
    addNotice('info', `The limit of ${backend.name} has reset.`, how)
    hint(`The limit has reset: ${how}`)
  }

  #forget(): void {
    clearTimeout(this.#timer)
    const { state, dispatch } = this.#context
    if (state().limitWait) dispatch({ type: 'limit_wait_changed', wait: null })
  }
}
