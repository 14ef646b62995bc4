/** A race that another zotui runs: its record is read again and again while somebody looks at it, and nothing of it is changed here. */
import type { Race } from '../../race/race-record.ts'
import type { RaceStore } from '../../race/race-store.ts'
import type { RaceRun, RaceView } from './race-run.ts'

/** Milliseconds between two reads. */
const LOOK = 1000

const ONLY_SHOWN = 'Another zotui runs this race: it is only shown here.'

export class WatchedRace implements RaceRun {
  readonly #store: Pick<RaceStore, 'read'>
  readonly #listeners = new Set<() => void>()
  #looking: NodeJS.Timeout | undefined
  #isReading = false
  #race: Race

  constructor(store: Pick<RaceStore, 'read'>, race: Race) {
    this.#store = store
    this.#race = race
  }

  view(): RaceView {
    return {
      race: this.#race,
      live: new Map(),
      printed: '',
      preparing: '',
      isOwn: false,
      isGoing: true,
      note: ONLY_SHOWN,
    }
  }

  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener)
    this.#looking ??= setInterval(() => void this.refresh(), LOOK).unref()
    return () => {
      this.#listeners.delete(listener)
      if (this.#listeners.size === 0) this.close()
    }
  }

  go(): void {}

  async stop(): Promise<string> {
    return ONLY_SHOWN
  }

  check(): string {
    return ONLY_SHOWN
  }

  async discard(): Promise<string> {
    return ONLY_SHOWN
  }

  picked(): void {}

  async refresh(): Promise<void> {
    if (this.#isReading) return
    this.#isReading = true
    const race = await this.#store.read(this.#race.id)
    this.#isReading = false
    if (race) this.#race = race
    for (const listener of this.#listeners) listener()
  }

  close(): void {
    clearInterval(this.#looking)
    this.#looking = undefined
  }
}
