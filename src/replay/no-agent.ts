/** The backend of a replay: nothing is sent, and nothing happens. */
import type { Ability } from '../agent/abilities.ts'
import { BasicBackend } from '../agents/host/basic-backend.ts'

export class NoAgent extends BasicBackend {
  readonly abilities: ReadonlySet<Ability> = new Set()

  subscribe(): () => void {
    return () => undefined
  }

  async open(): Promise<void> {}

  async prompt(): Promise<void> {}

  abort(): void {}

  async close(): Promise<void> {}

  async kill(): Promise<void> {}
}
