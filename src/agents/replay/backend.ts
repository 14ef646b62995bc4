/**
 * Plays a recording as a `Backend`. Each agent in it has a player, which speaks its protocol; another agent takes over as it did
 * then, once it has answered.
 */
import { setImmediate } from 'node:timers/promises'
import type { Ability } from '../../agent/abilities.ts'
import type { Backend, Reply } from '../../agent/backend.ts'
import type { AgentEvent } from '../../agent/event.ts'
import { createListeners } from '../../agent/listeners.ts'
import { BasicBackend } from '../host/basic-backend.ts'
import { createAgentSwitch, type AgentSwitch } from '../switching.ts'
import { withTimeout } from '../transport/with-timeout.ts'
import { createAcpPlayer } from './acp-player.ts'
import type { Player, ReplayPace } from './player.ts'
import { ZOT, type RecordedLine } from './recording.ts'
import { createMeerkatPlayer, isMeerkatAgent } from './meerkat-player.ts'
import { createZotPlayer, inOrderOfExecution } from './zot-player.ts'

export type { ReplayPace } from './player.ts'

/** Milliseconds in which an operation must end after its last recorded line. */
const LAST_WORDS = 1000

export type ReplayBackend = Backend & {
  /** Resolves when the whole recording has been played. */
  readonly finished: Promise<void>
}

/** Makes the backend; `open` begins the replay. It refuses requests: they come from the recording. */
export function createReplayBackend(lines: readonly RecordedLine[], pace: ReplayPace): ReplayBackend {
  return new ReplayPlayer(lines, pace)
}

class ReplayPlayer extends BasicBackend implements ReplayBackend {
  readonly abilities: ReadonlySet<Ability> = new Set(['compact', 'clear', 'setModel', 'setReasoning'])
  readonly finished: Promise<void>
  readonly #lines: readonly RecordedLine[]
  readonly #pace: ReplayPace
  readonly #players = new Map<string, Player>()
  readonly #agents: AgentSwitch
  readonly #listeners = createListeners<[AgentEvent]>()
  readonly subscribe = this.#listeners.subscribe
  readonly #begun = new Set<Player>()
  #operation: Promise<unknown> = Promise.resolve()
  #closed = false
  #hasEnded = false
  #finish: () => void = () => undefined

  constructor(lines: readonly RecordedLine[], pace: ReplayPace) {
    super(lines[0]?.agent ?? ZOT)
    this.#lines = inOrderOfExecution(lines)
    this.#pace = pace
    this.finished = new Promise(resolve => {
      this.#finish = resolve
    })
    this.#agents = createAgentSwitch(this.#player(this.name).backend)
    this.#agents.backend.subscribe(event => this.#tell(event))
  }

  async open(): Promise<void> {
    const { backend, opensAtOnce } = this.#player(this.name)
    this.#operation = backend.open()
    if (opensAtOnce) await this.#operation
    const opened = this.#operation
    void this.#play()
    await opened
  }

  async prompt(): Promise<void> {}

  abort(): void {}

  override clear(): Promise<Reply> {
    return Promise.resolve(REFUSED)
  }

  override setModel(): Promise<Reply> {
    return Promise.resolve(REFUSED)
  }

  override setReasoning(): Promise<Reply> {
    return Promise.resolve(REFUSED)
  }

  kill(): Promise<void> {
    return this.close()
  }

  async close(): Promise<void> {
    this.#closed = true
    await Promise.all([...this.#players.values()].map(({ backend }) => backend.kill()))
  }

  async #play(): Promise<void> {
    for (const line of this.#lines) {
      await this.#pace.due(line.t)
      if (this.#closed) return
      await this.#playLine(line)
      // Promises that this resolved run before the next line.
      await setImmediate()
    }
    // A turn that the recording breaks off would otherwise never end.
    if ((await withTimeout(LAST_WORDS, this.#operation)) === 'timed out') {
      this.#hasEnded = true
      for (const player of this.#players.values()) player.breakOff()
      await this.#operation
    }
    for (const player of this.#players.values()) await player.quiet()
    this.#finish()
  }

  async #playLine(line: RecordedLine): Promise<void> {
    const isNew = line.agent !== undefined && !this.#players.has(line.agent)
    const player = this.#player(line.agent ?? ZOT)
    if (player.begins(line) || isNew) await this.#begin(player, line)
    if (line.dir === 'in') this.#begun.add(player)
    if (line.dir === 'out') return player.hear(line)
    const operation = player.perform(line)
    if (!operation || (await withTimeout(LAST_WORDS, this.#operation)) === 'timed out') return
    this.#operation = operation()
  }

  /** A process of the agent begins: the first one, the same agent's next one, or another agent beside the one in use. */
  async #begin(player: Player, line: RecordedLine): Promise<void> {
    const isInUse = this.#agents.backend.name === player.backend.name
    if (isInUse && !this.#begun.has(player)) return
    player.begin(line)
    if (!isInUse) return void this.#agents.switchTo(player.backend)
    await player.backend.kill()
    this.#operation = player.backend.open()
    if (player.opensAtOnce) await this.#operation
  }

  #player(agent: string): Player {
    const known = this.#players.get(agent)
    if (known) return known
    const own = this.#lines.filter(line => (line.agent ?? ZOT) === agent)
    const player = playerOf(agent, own, this.#pace)
    this.#players.set(agent, player)
    return player
  }

  #tell(event: AgentEvent): void {
    const told: AgentEvent =
      event.type === 'agent_ended' && this.#hasEnded ? { ...event, reason: 'the recording ends here', hint: '' } : event
    this.#listeners.tell(told)
  }
}

const REFUSED: Reply = { ok: false, message: 'not available in a replay' }

function playerOf(agent: string, lines: readonly RecordedLine[], pace: ReplayPace): Player {
  if (isMeerkatAgent(agent)) return createMeerkatPlayer(lines, pace)
  return agent === ZOT ? createZotPlayer(agent, lines, pace) : createAcpPlayer(agent, lines, pace)
}
