/**
 * Plays a recording to the backends of its agents, as fast as they take it. Each agent in it has a player, which speaks its protocol;
 * another agent takes over as it did then, once it has answered.
 */
import { setImmediate } from 'node:timers/promises'
import type { AgentEvent } from '../../src/agent/event.ts'
import { ZOT, type RecordedLine } from '../../src/agents/recording/recording.ts'
import { createAgentSwitch, type AgentSwitch } from '../../src/agents/switching.ts'
import { withTimeout } from '../../src/agents/transport/with-timeout.ts'
import { createAcpPlayer } from './acp-player.ts'
import { createMeerkatPlayer, isMeerkatAgent } from './meerkat-player.ts'
import type { Player } from './player.ts'
import { createZotPlayer, inOrderOfExecution } from './zot-player.ts'

/** Milliseconds in which an operation must end after its last recorded line. */
const LAST_WORDS = 1000

/**
 * The events of a recording: from `agent_starting` to the end of the last operation. `at` is the time in the recording, which began
 * at `startedAt`.
 */
export async function eventsOf({ lines }: { lines: readonly RecordedLine[] }, startedAt = 0): Promise<AgentEvent[]> {
  const events: AgentEvent[] = []
  await new RecordingPlayer(lines, startedAt, event => events.push(event)).play()
  return events
}

class RecordingPlayer {
  readonly #lines: readonly RecordedLine[]
  readonly #players = new Map<string, Player>()
  readonly #agents: AgentSwitch
  readonly #begun = new Set<Player>()
  readonly #now: () => number
  #clock = 0
  #operation: Promise<unknown> = Promise.resolve()
  #hasEnded = false

  constructor(lines: readonly RecordedLine[], startedAt: number, onEvent: (event: AgentEvent) => void) {
    this.#lines = inOrderOfExecution(lines)
    this.#now = () => startedAt + this.#clock
    this.#agents = createAgentSwitch(this.#player(lines[0]?.agent ?? ZOT).backend)
    this.#agents.backend.subscribe(event => {
      const isCut = event.type === 'agent_ended' && this.#hasEnded
      onEvent(isCut ? { ...event, reason: 'the recording ends here', hint: '' } : event)
    })
  }

  async play(): Promise<void> {
    const { backend, opensAtOnce } = this.#player(this.#lines[0]?.agent ?? ZOT)
    this.#operation = backend.open()
    if (opensAtOnce) await this.#operation
    for (const line of this.#lines) {
      this.#clock = line.t
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
    const player = playerOf(agent, own, this.#now)
    this.#players.set(agent, player)
    return player
  }
}

function playerOf(agent: string, lines: readonly RecordedLine[], now: () => number): Player {
  if (isMeerkatAgent(agent)) return createMeerkatPlayer(lines, now)
  return agent === ZOT ? createZotPlayer(agent, lines, now) : createAcpPlayer(agent, lines, now)
}
