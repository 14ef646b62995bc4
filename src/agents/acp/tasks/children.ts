/** The subagents of a session. What comes before a subagent is announced is kept for it. Pure. */
import type { AgentEvent } from '../../../agent/event.ts'
import type { WireUpdate } from '../frame.ts'
import type { Translation } from '../translate.ts'
import { textOfBlocks } from '../turn/content.ts'
import type { BackgroundTasks } from './background.ts'
import { AcpChild, type ChildReplay, type SessionMessage, type SubagentPatch } from './child.ts'
import { taskId } from './task-id.ts'

export type ChildrenOptions = {
  /** The id of the session that they belong to. */
  root: () => string
  background: BackgroundTasks
  newTranslation: () => Translation
  replay: ChildReplay
  /** An update is dropped for this reason. */
  debug: (message: string) => void
}

/** The subagents that are known at a time. */
const MOST_CHILDREN = 1000
/** The sessions without an announcement, and the characters of their updates. */
const MOST_EARLY = { sessions: 200, characters: 4_000_000 }

export class AcpChildren {
  readonly #options: ChildrenOptions
  readonly #children = new Map<string, AcpChild>()
  readonly #early = new Map<string, WireUpdate[]>()
  #earlyCharacters = 0
  #replay: ChildReplay
  #hasWarned = false

  constructor(options: ChildrenOptions) {
    this.#options = options
    this.#replay = options.replay
  }

  get(session: string): AcpChild | undefined {
    return this.#children.get(session)
  }

  /** The subagent of a task. */
  ofTask(task: string): { session: string; child: AcpChild } | null {
    for (const [session, child] of this.#children) if (child.id === task) return { session, child }
    return null
  }

  /** An update about subagents in the session that they belong to. */
  ofRoot(update: SubagentPatch | SessionMessage, at: number): AgentEvent[] {
    return update.sessionUpdate === 'subagent_update'
      ? this.#announced(update, null, at)
      : this.#message(update, this.#options.root(), at)
  }

  /** An update in another session. */
  update(session: string, update: WireUpdate, at: number): AgentEvent[] {
    const child = this.#children.get(session)
    if (!child) {
      this.#keep(session, update)
      return []
    }
    if (update.sessionUpdate === 'subagent_update') return this.#announced(update, child, at)
    if (update.sessionUpdate === 'session_message') return this.#message(update, session, at)
    return child.update(update, at)
  }

  rest(at: number): AgentEvent[] {
    return this.#each(child => child.rest(at))
  }

  endReplay(at: number): AgentEvent[] {
    this.#replay = null
    return this.#each(child => child.endReplay(at))
  }

  /** The session was left, or the agent has ended. */
  left(state: 'unknown' | 'stopped', at: number): AgentEvent[] {
    return this.#each(child => child.left(state, at))
  }

  #each(events: (child: AcpChild) => AgentEvent[]): AgentEvent[] {
    return [...this.#children.values()].flatMap(events)
  }

  #announced(patch: SubagentPatch, parent: AcpChild | null, at: number): AgentEvent[] {
    const { root, newTranslation, debug } = this.#options
    const { sessionId: session } = patch
    const known = this.#children.get(session)
    if (known) return this.#patched(known, patch, at)
    if (session === root()) {
      debug('an agent that is its own subagent')
      return []
    }
    if (!this.#makeRoom()) return this.#tooMany(at)
    const child = new AcpChild({
      id: taskId(root(), session),
      parent: parent?.id ?? null,
      translation: newTranslation(),
      replay: this.#replay,
    })
    this.#children.set(session, child)
    return [...child.patched(patch, at), ...this.#takeEarly(session).flatMap(each => this.update(session, each, at))]
  }

  #patched(child: AcpChild, patch: SubagentPatch, at: number): AgentEvent[] {
    const wasAtWork = child.isAtWork
    const events = child.patched(patch, at)
    // The agent that began it may begin a turn to report it.
    if (wasAtWork && !child.isAtWork && this.#replay === null)
      this.#options.background.subagentEnded(child.id, child.name)
    return events
  }

  /** A message is shown where it arrives. A report to the agent that began the subagent is known from what it has said. */
  #message(message: SessionMessage, inSession: string, at: number): AgentEvent[] {
    const { messageId, senderSessionId, recipientSessionId, content } = message
    const text = textOfBlocks(content)
    const sender = senderSessionId ? this.#children.get(senderSessionId) : undefined
    const recipient = this.#children.get(recipientSessionId ?? inSession)
    if (sender && sender.parent === (recipient?.id ?? null)) return sender.replied(messageId, text, at)
    return recipient?.prompted(messageId, text, at) ?? []
  }

  /** Forgets the oldest subagent that does not work. False if all of them work. */
  #makeRoom(): boolean {
    if (this.#children.size < MOST_CHILDREN) return true
    const oldest = [...this.#children].find(([, { isAtWork }]) => !isAtWork)
    return oldest !== undefined && this.#children.delete(oldest[0])
  }

  #tooMany(at: number): AgentEvent[] {
    if (this.#hasWarned) return []
    this.#hasWarned = true
    const message = `The agent runs more than ${MOST_CHILDREN} subagents at a time. The further ones are not shown.`
    return [{ type: 'warning_raised', at, message }]
  }

  #keep(session: string, update: WireUpdate): void {
    const size = JSON.stringify(update).length
    const kept = this.#early.get(session)
    const isTooMuch =
      this.#earlyCharacters + size > MOST_EARLY.characters || (!kept && this.#early.size >= MOST_EARLY.sessions)
    if (isTooMuch) return this.#options.debug(`an update of another session: ${session}`)
    this.#earlyCharacters += size
    if (kept) kept.push(update)
    else this.#early.set(session, [update])
  }

  #takeEarly(session: string): WireUpdate[] {
    const kept = this.#early.get(session) ?? []
    this.#early.delete(session)
    for (const update of kept) this.#earlyCharacters -= JSON.stringify(update).length
    return kept
  }
}
