/** Presses keys on a page of the alternate screen, and measures the time to the frame that shows the effect of each. */
import { setTimeout as pause } from 'node:timers/promises'
import { now } from './clock.ts'
import { mainThreadTime } from './process-usage.ts'
import type { Ui } from './ui.ts'

export class PageReader {
  /** Milliseconds by kind of key. */
  readonly times = new Map<string, number[]>()
  /** Those for which zotui's main thread ran meanwhile, which say more on a busy machine; empty where the system does not say. */
  readonly work = new Map<string, number[]>()
  readonly #ui: Ui

  constructor(ui: Ui) {
    this.#ui = ui
  }

  /** Presses a key; resolves with the milliseconds until a frame after which `check` holds. */
  press = async (kind: string, key: string, check: () => boolean): Promise<number> => {
    await pause(20 + ((this.times.size * 7) % 24))
    const ran = mainThreadTime(this.#ui.pid)
    const at = now()
    const shown = this.#ui.shown(`${kind}, ${JSON.stringify(key)}`, check)
    this.#ui.write(key)
    const took = (await shown) - at
    const runs = mainThreadTime(this.#ui.pid)
    this.times.set(kind, [...(this.times.get(kind) ?? []), took])
    if (ran !== null && runs !== null) this.work.set(kind, [...(this.work.get(kind) ?? []), runs - ran])
    return took
  }

  /** Presses a key `count` times and waits for each change of the text, which must not change by itself. */
  moves = async (kind: string, key: string, count: number): Promise<void> => {
    for (let time = 0; time < count; time += 1) {
      const before = this.body()
      await this.press(kind, key, () => this.body() !== before)
    }
  }

  title(): string {
    return this.#ui.terminal.screen()[0] ?? ''
  }

  bottom(): string {
    return this.#ui.terminal.screen().at(-1) ?? ''
  }

  body(): string {
    return this.#ui.terminal.screen().slice(0, -1).join('\n')
  }
}
