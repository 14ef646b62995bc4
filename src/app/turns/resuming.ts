/** Resumes earlier sessions. */
import { counted } from '../../text/counted.ts'
import type { AgentSession } from '../../agent/backend.ts'
import type { AgentEvent } from '../../agent/event.ts'
import { sentence } from '../../text/sentence.ts'
import { createFold, type Fold } from '../../conversation/fold.ts'
import { ownSession } from '../../conversation/queries/session/own-session.ts'
import { hasTakenPrompts } from '../../conversation/queries/session/session-entries.ts'
import type { ChatState, Entry } from '../../conversation/state.ts'
import { placedEntry } from '../../state/composer/carried-entry.ts'
import type { Resumed } from '../../storage/sessions/sessions.ts'
import type { AppContext } from '../context/context.ts'
import type { AgentLifecycle } from './agent/agent-lifecycle.ts'
import type { AgentMemory } from './agent/agent-memory.ts'
import type { MachineKeeper } from './turn-machine.ts'
import { breakOff, foldersChanged, snapshotOf } from '../events/snapshot.ts'
import { isBusy, type AppState } from '../../state/state.ts'

export type ResumingParts = {
  life: Pick<AgentLifecycle, 'resume' | 'askToShare'>
  memory: Pick<AgentMemory, 'line'>
  machine: Pick<MachineKeeper, 'alone' | 'canWork' | 'request'>
}

/** A session that has come from another machine: whether the agent knows it here. */
export type MovedSession = { isKnown: boolean }

/** The part of a session that was read so far. */
type ReadPart = { fold: Fold; at: number }

export class Resuming {
  readonly #context: AppContext
  readonly #parts: ResumingParts
  #stopped = false

  constructor(context: AppContext, parts: ResumingParts) {
    this.#context = context
    this.#parts = parts
  }

  /** Resumes a session when the agent has nothing to forget. Resolves when it is shown or has failed to open. */
  async begin(id: string, moved?: MovedSession): Promise<void> {
    const { machine } = this.#parts
    await machine.alone(
      () => this.#open(id, moved),
      isOpen => (isOpen ? 'not' : 'badly'),
    )
  }

  /** Stops reading a session; false if none is being read or it was stopped before. */
  stop(): boolean {
    const { state } = this.#context
    const stops = state().opening !== null && !this.#stopped
    this.#stopped ||= stops
    return stops
  }

  /** Shows and resumes a session; the agent forgets the current conversation. */
  async resume(id: string): Promise<void> {
    const { machine } = this.#parts
    const { sessions, state, hint, keyed } = this.#context
    if (state().opening !== null)
      return hint(`Another session is being loaded${keyed(': {composer.stop} stops that')}.`)
    if (!machine.canWork()) return hint(this.#isWorking())
    if (id === sessions?.current().id) return hint('That is the session you are in.')
    const isDone = await machine.alone(
      () => this.#replaceBy(id),
      isOpen => (isOpen ? 'well' : 'badly'),
    )
    if (!isDone) hint(this.#isWorking())
  }

  /** Continues a session that the agent keeps itself: the agent sends the conversation. */
  async openOfAgent({ id, title }: Pick<AgentSession, 'id' | 'title'>): Promise<void> {
    const { machine } = this.#parts
    const { state, hint } = this.#context
    if (isBusy(state())) return hint(this.#isWorking())
    const isDone = await machine.alone(
      () => this.#openOwn(id, title),
      ok => (ok ? 'well' : 'badly'),
    )
    if (!isDone) hint(this.#isWorking())
  }

  async #openOwn(id: string, title: string): Promise<boolean> {
    const { backend, addNotice } = this.#context
    const reply = await backend.openSession(id)
    const name = title === '' ? '' : ` "${title.slice(0, LONGEST_TITLE)}"`
    if (reply.ok) addNotice('info', `This is the session${name} of ${backend.name}, which remembers all of it.`)
    else addNotice('error', `${backend.name} did not open its session${name}: ${sentence(reply.message)}`)
    return reply.ok
  }

  async #replaceBy(id: string): Promise<boolean> {
    if (!(await this.#forgotten())) return false
    const isOpen = await this.#open(id)
    this.#context.hooks?.prompts.begin('resume')
    return isOpen
  }

  /** Shows a session, and lets the agent continue in it; false if it cannot be opened. */
  async #open(id: string, moved?: MovedSession): Promise<boolean> {
    const { life, memory } = this.#parts
    const { backend, sessions, state, dispatch, addNotice, hint, keyed, now } = this.#context
    this.#stopped = false
    const read: ReadPart = { fold: createFold(), at: now() }
    const resumed = (await sessions?.resume(id, (events, share) => this.#take(read, events, share))) ?? null
    if (state().leaving) return false
    if (state().opening !== null) dispatch({ type: 'session_read', share: null })
    if (resumed === null) {
      // The queue is paused: prompts that were queued meanwhile were meant for that session.
      hint(this.#stopped ? STOPPED : 'That session is gone, or cannot be read.')
      return false
    }
    const former = read.fold.chat().agent.name
    const isCopy = resumed.forked !== null && moved?.isKnown !== true
    const own = ownSession(read.fold.chat(), backend.name, isCopy ? resumed.forked : null)
    const chat = this.#restore(read, isCopy)
    // Those of another machine are not here.
    if (moved && chat.folders.length > 0) this.#context.report([foldersChanged([], now())])
    if (resumed.forked === null) await this.#takeQueue(id)
    await life.resume(own)
    // An agent that is being started announces its memory by itself.
    const remembered = state().chat.agent.phase === 'ready' ? memory.line() : ''
    addNotice(
      'info',
      [
        moved ? movedText(chat) : resumedText(resumed, chat),
        this.#otherAgent(former),
        printedText(state(), keyed),
        remembered,
      ]
        .filter(Boolean)
        .join(' '),
    )
    life.askToShare()
    if (resumed.skipped > 0) addNotice('warn', skippedText(resumed.skipped))
    return true
  }

  #isWorking(): string {
    const { keyed } = this.#context
    return `The agent is working: ${keyed('{composer.stop} stops it, then ') || 'stop it, then '}/resume.`
  }

  /** Takes the prompts that the process of a conversation in the background has left: they wait before those of this program. */
  async #takeQueue(id: string): Promise<void> {
    const { openQueueFile, state, dispatch, drafts } = this.#context
    const file = await openQueueFile?.()
    const left = file?.read(id) ?? []
    if (left.length === 0) return
    const entries = left.map(carried => {
      const { entry, chips } = placedEntry(carried, state().chips)
      dispatch({ type: 'chips_found', chips })
      return entry
    })
    const { queue, edited } = state()
    dispatch({
      type: 'queue_changed',
      queue: { entries: [...entries, ...queue.entries], paused: true },
      edited: edited && { ...edited, at: edited.at + entries.length },
    })
    // From here on they are among the drafts of this program.
    drafts.flush()
    file?.write(id, [])
  }

  /** Says that another agent continues with the session. */
  #otherAgent(former: string): string {
    const { name } = this.#context.backend
    if (former === '' || former === name) return ''
    return `Started with ${former}, now using ${name}${this.#context.agents ? `; /agent ${former} switches` : ''}.`
  }

  #take(read: ReadPart, events: readonly AgentEvent[], share: number): boolean {
    const { state, dispatch, now } = this.#context
    read.fold.add(events)
    read.at = events.at(-1)?.at ?? read.at
    const shown = Math.floor(share * 100) / 100
    // No progress is shown for a session that is read at once.
    if (share < 1 && shown !== state().opening) {
      dispatch({ type: 'session_read', share: shown })
      dispatch({ type: 'ticked', now: now() })
    }
    return !this.#stopped && !state().leaving
  }

  /** Makes the agent forget, so that it does not mix the current conversation with the resumed one. */
  async #forgotten(): Promise<boolean> {
    const { machine } = this.#parts
    const { state } = this.#context
    const { chat } = state()
    if (chat.agent.phase !== 'ready' || !hasTakenPrompts(chat)) return true
    return machine.request('cleared')
  }

  #restore({ fold, at }: ReadPart, isCopy: boolean): ChatState {
    const { state, dispatch, report, now } = this.#context
    const former = state().chat
    const chat = fold.chat()
    dispatch({ type: 'session_restored', chat, shown: firstPrinted(chat.entries) })
    // The session also stores the current agent, so that it reads back as the screen showed it.
    report([...breakOff(chat, at, isCopy), ...snapshotOf(former, now())])
    return state().chat
  }
}

/** Characters that are printed again, in a second or two: more lines than most terminals keep. */
const PRINTED = 2_000_000
/** A rough estimate of the characters that a tool call takes on the screen. */
const CALL = 400

/** The first entry of a session that is printed: of a very long session only the end is. */
function firstPrinted(entries: readonly Entry[]): number {
  let room = PRINTED
  const before = entries.findLastIndex(entry => {
    room -= charactersOf(entry)
    return room < 0
  })
  // The last one is printed in any case.
  return Math.min(before + 1, Math.max(0, entries.length - 1))
}

function charactersOf(entry: Entry): number {
  if (entry.kind !== 'turn') return CALL
  let sum = entry.prompt.length
  for (const part of entry.parts) sum += part.kind === 'text' ? part.text.length : CALL
  return sum
}

/** Characters of a title that are shown. */
const LONGEST_TITLE = 80

const STOPPED = 'Stopped: that session was not opened. /resume lists them.'

function resumedText({ title, forked }: Resumed, chat: ChatState): string {
  const turns = turnsIn(chat.entries)
  const name = title === '' ? '' : ` "${title}"`
  const why = forked === 'of another folder' ? 'belongs to another folder' : `is ${forked}`
  const how = forked === null ? '' : ` It ${why}, so you continue in a fork.`
  return `Resumed the session${name}: ${counted(turns, 'turn')}.${how}`
}

function movedText({ entries }: ChatState): string {
  return `The conversation came along: ${counted(turnsIn(entries), 'turn')}.`
}

function printedText({ chat, restored }: AppState, keyed: AppContext['keyed']): string {
  return restored.shown === 0
    ? ''
    : `Only the last ${turnsIn(chat.entries.slice(restored.shown))} turns are printed${keyed(': {composer.view} shows all')}.`
}

function turnsIn(entries: readonly Entry[]): number {
  return entries.filter(entry => entry.kind === 'turn').length
}

function skippedText(count: number): string {
  const lines = counted(count, 'line')
  return `Skipped ${lines} of the session: damaged, or written by a newer zotui.`
}
