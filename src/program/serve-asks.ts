/** What servers for browsers want of the person, and what was answered. */
import { randomBytes, randomUUID } from 'node:crypto'
import type { Serving } from '../app/context/serving.ts'
import type { TrustGate } from '../published/socket/served.ts'
import type { ServeAsk } from '../state/serve-ask.ts'

export type ServeAsksOptions = {
  /** Called with all that are open, after each change. `fresh` has just come. */
  onChange: (asks: readonly ServeAsk[], fresh: ServeAsk | null) => void
}

/** After so many noes, or questions that nobody has answered, no more servers are asked about. A command can open a socket again and again. */
const MOST_NOES = 3
const MOST_UNANSWERED = 20
/** Open questions at a time. */
const MOST_OPEN = 8

type OpenAsk = { ask: ServeAsk; decide: (isYes: boolean) => void }

export class ServeAsks implements Serving, TrustGate {
  readonly #onChange: ServeAsksOptions['onChange']
  #open: readonly OpenAsk[] = []
  #secret: string | null = null
  #noes = 0
  #unanswered = 0
  /** The devices that may send prompts to a conversation in a mode, and how often the person has said no to one. */
  readonly #allowed = new Set<string>()
  readonly #refused = new Map<string, number>()

  constructor({ onChange }: ServeAsksOptions) {
    this.#onChange = onChange
  }

  all(): readonly ServeAsk[] {
    return this.#open.map(({ ask }) => ask)
  }

  newSecret(): string {
    this.#forgetDevices()
    this.#secret = randomBytes(32).toString('hex')
    return this.#secret
  }

  secret(): string | null {
    return this.#secret
  }

  ask({ pid, code, purpose }: Parameters<TrustGate['ask']>[0], decide: (isYes: boolean) => void): (() => void) | null {
    if (this.#noes >= MOST_NOES || this.#unanswered >= MOST_UNANSWERED || this.#open.length >= MOST_OPEN) return null
    const id = randomUUID()
    this.#add({ kind: 'trust', id, purpose, pid, code }, isYes => {
      if (isYes) this.#forgetDevices()
      else this.#noes += 1
      decide(isYes)
    })
    return () => {
      if (this.#remove(id)) this.#unanswered += 1
    }
  }

  mayPrompt({ device, conversation, title, mode }: Parameters<Serving['mayPrompt']>[0]): boolean {
    const key = JSON.stringify([device.id, conversation, mode])
    if (this.#allowed.has(key)) return true
    const noes = this.#refused.get(key) ?? 0
    const isOpen = this.#open.some(({ ask }) => ask.id === key)
    if (isOpen || noes >= MOST_NOES || this.#open.length >= MOST_OPEN) return false
    this.#add({ kind: 'steer', id: key, device: device.name, title, mode }, isYes => {
      if (isYes) this.#allowed.add(key)
      else this.#refused.set(key, noes + 1)
    })
    return false
  }

  answer(id: string, isYes: boolean): void {
    const found = this.#open.find(({ ask }) => ask.id === id)
    if (found && this.#remove(id)) found.decide(isYes)
  }

  /** A yes to a device holds for as long as the server that knows it: the next one begins anew. */
  #forgetDevices(): void {
    this.#allowed.clear()
    for (const { ask } of this.#open) if (ask.kind === 'steer') this.#remove(ask.id)
  }

  #add(ask: ServeAsk, decide: (isYes: boolean) => void): void {
    this.#open = [...this.#open, { ask, decide }]
    this.#changed(ask)
  }

  #remove(id: string): boolean {
    const rest = this.#open.filter(({ ask }) => ask.id !== id)
    const isFound = rest.length < this.#open.length
    this.#open = rest
    if (isFound) this.#changed(null)
    return isFound
  }

  #changed(fresh: ServeAsk | null): void {
    this.#onChange(this.all(), fresh)
  }
}
