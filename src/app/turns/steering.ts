/** Asks the agent to take words into its running turn, and reports to the machine what became of them. */
import { randomUUID } from 'node:crypto'
import type { Prompt } from '../../agent/backend.ts'
import type { AgentEvent } from '../../agent/event.ts'
import type { AgentPart, ScreenState, UserPart } from '../context/parts.ts'
import type { EventBatcher } from '../events/batcher.ts'
import type { ShellCommand } from './shell-command.ts'
import type { MachineKeeper } from './turn-machine.ts'

export type SteeringParts = {
  context: AgentPart & ScreenState & Pick<UserPart, 'settings'>
  batcher: Pick<EventBatcher, 'flush'>
  machine: Pick<MachineKeeper, 'send'>
  shell: Pick<ShellCommand, 'giveBack'>
}

export class Steering {
  readonly #parts: SteeringParts
  /** Other programs may steer the same conversation. */
  readonly #own = `${randomUUID()}:`
  /** The shell outputs that went with each steer whose outcome is not known. */
  readonly #outputs = new Map<number, readonly string[]>()

  constructor(parts: SteeringParts) {
    this.#parts = parts
    parts.context.settings.subscribe(() => this.#show())
  }

  send(id: number, prompt: Prompt, outputs: readonly string[]): void {
    this.#outputs.set(id, outputs)
    void this.#follow(id, prompt)
  }

  withdraw(id: number): void {
    this.#parts.context.backend.withdrawSteer(this.#own + id)
  }

  /** A delivery leaves the queue in the same frame in which it is in the conversation. */
  follow(events: readonly AgentEvent[]): void {
    this.#show()
    for (const event of events) {
      if (event.type !== 'steer_delivered' || !event.id.startsWith(this.#own)) continue
      const id = Number(event.id.slice(this.#own.length))
      this.#outputs.delete(id)
      this.#parts.machine.send({ type: 'steer_settled', id, outcome: { how: 'delivered' } })
    }
  }

  /** Shows what steers, as the agent and the settings are now. */
  #show(): void {
    const { backend, settings, state, dispatch } = this.#parts.context
    const byEnter = settings.values().enterWhileWorking === 'steer'
    const steering = !backend.abilities.has('steer') ? 'nothing' : byEnter ? 'enter' : 'key'
    if (steering !== state().steering) dispatch({ type: 'steering_known', steering })
  }

  async #follow(id: number, prompt: Prompt): Promise<void> {
    const { context, batcher, machine, shell } = this.#parts
    const outcome = await context.backend.steer({ id: this.#own + id, prompt })
    batcher.flush()
    const outputs = this.#outputs.get(id)
    this.#outputs.delete(id)
    if (outputs && outcome.how !== 'delivered') shell.giveBack(outputs)
    machine.send({ type: 'steer_settled', id, outcome })
  }
}
