/** Resumes earlier sessions. */
import { counted } from '../../text/counted.ts'
import type { AgentSession } from '../../agent/backend.ts'
import type { AgentEvent } from '../../agent/event.ts'
import { sentence } from '../../text/sentence.ts'
import { createFold, type Fold } from '../../conversation/fold.ts'
import { ownSession } from '../../conversation/queries/session/own-session.ts'
import { hasTakenPrompts } from '../../conversation/queries/session/session-entries.ts'
import type { ChatState, Entry } from '../../conversation/state.ts'
import type { Resumed } from '../../storage/sessions/sessions.ts'
import type { AppContext } from '../context/context.ts'
import type { AgentLifecycle } from './agent/agent-lifecycle.ts'
import type { AgentMemory } from './agent/agent-memory.ts'
import type { MachineKeeper } from './turn-machine.ts'
import { breakOff, snapshotOf } from '../events/snapshot.ts'
import { isBusy, type AppState } from '../../state/state.ts'

export type Resuming = {
  /** Shows and resumes a session; the agent forgets the current conversation. */
  resume: (id: string) => Promise<void>
  /** Continues a session that the agent keeps itself: the agent sends the conversation. */
  openOfAgent: (session: Pick<AgentSession, 'id' | 'title'>) => Promise<void>
  /** Resumes a session when the agent has nothing to forget. Resolves when it is shown or has failed to open. */
  begin: (id: string) => Promise<void>
  /** Stops reading a session; false if none is being read or it was stopped before. */
  stop: () => boolean
}

export type ResumingParts = {
  life: Pick<AgentLifecycle, 'resume' | 'askToShare'>
  memory: Pick<AgentMemory, 'line'>
  machine: Pick<MachineKeeper, 'alone' | 'canWork' | 'request'>
}

/** The part of a session that was read so far. */
type ReadPart = { fold: Fold; at: number }

export function createResuming(context: AppContext, { life, memory, machine }: ResumingParts): Resuming {
  const { backend, sessions, state, dispatch, tell, announce, hint, keyed, now } = context
  let stopped = false

  return {
    resume,
    openOfAgent,
    async begin(id) {
      await machine.alone(
        () => open(id),
        isOpen => (isOpen ? 'not' : 'badly'),
      )
    },
    stop() {
      const stops = state().opening !== null && !stopped
      stopped ||= stops
      return stops
    },
  }

  async function resume(id: string): Promise<void> {
    if (state().opening !== null)
      return hint(`Another session is being loaded${keyed(': {composer.stop} stops that')}.`)
    if (!machine.canWork()) return hint(isWorking())
    if (id === sessions?.current().id) return hint('That is the session you are in.')
    const isDone = await machine.alone(
      () => replaceBy(id),
      isOpen => (isOpen ? 'well' : 'badly'),
    )
    if (!isDone) hint(isWorking())
  }

  async function openOfAgent({ id, title }: Pick<AgentSession, 'id' | 'title'>): Promise<void> {
    if (isBusy(state())) return hint(isWorking())
    const isDone = await machine.alone(
      () => openOwn(id, title),
      ok => (ok ? 'well' : 'badly'),
    )
    if (!isDone) hint(isWorking())
  }

  async function openOwn(id: string, title: string): Promise<boolean> {
    const reply = await backend.openSession(id)
    const name = title === '' ? '' : ` "${title.slice(0, LONGEST_TITLE)}"`
    if (reply.ok) announce('info', `This is the session${name} of ${backend.name}, which remembers all of it.`)
    else announce('error', `${backend.name} did not open its session${name}: ${sentence(reply.message)}`)
    return reply.ok
  }

  async function replaceBy(id: string): Promise<boolean> {
    if (!(await forgotten())) return false
    const isOpen = await open(id)
    context.hooks?.prompts.begin('resume')
    return isOpen
  }

  /** Shows a session, and lets the agent continue in it; false if it cannot be opened. */
  async function open(id: string): Promise<boolean> {
    stopped = false
    const read: ReadPart = { fold: createFold(), at: now() }
    const resumed = (await sessions?.resume(id, (events, share) => take(read, events, share))) ?? null
    if (state().leaving) return false
    if (state().opening !== null) dispatch({ type: 'session_read', share: null })
    if (resumed === null) {
      // The queue is paused: prompts that were queued meanwhile were meant for that session.
      hint(stopped ? STOPPED : 'That session is gone, or cannot be read.')
      return false
    }
    const former = read.fold.chat().agent.name
    const own = ownSession(read.fold.chat(), backend.name, resumed.forked)
    const chat = restore(read, resumed)
    await life.resume(own)
    // An agent that is being started announces its memory by itself.
    const remembered = state().chat.agent.phase === 'ready' ? memory.line() : ''
    announce(
      'info',
      [resumedText(resumed, chat), otherAgent(former), printedText(state(), keyed), remembered]
        .filter(Boolean)
        .join(' '),
    )
    life.askToShare()
    if (resumed.skipped > 0) announce('warn', skippedText(resumed.skipped))
    return true
  }

  function isWorking(): string {
    return `The agent is working: ${keyed('{composer.stop} stops it, then ') || 'stop it, then '}/resume.`
  }

  /** Says that another agent continues with the session. */
  function otherAgent(former: string): string {
    const { name } = backend
    if (former === '' || former === name) return ''
    return `Started with ${former}, now using ${name}${context.agents ? `; /agent ${former} switches` : ''}.`
  }

  function take(read: ReadPart, events: readonly AgentEvent[], share: number): boolean {
    read.fold.add(events)
    read.at = events.at(-1)?.at ?? read.at
    const shown = Math.floor(share * 100) / 100
    // No progress is shown for a session that is read at once.
    if (share < 1 && shown !== state().opening) {
      dispatch({ type: 'session_read', share: shown })
      dispatch({ type: 'ticked', now: now() })
    }
    return !stopped && !state().leaving
  }

  /** Makes the agent forget, so that it does not mix the current conversation with the resumed one. */
  async function forgotten(): Promise<boolean> {
    const { chat } = state()
    if (chat.agent.phase !== 'ready' || !hasTakenPrompts(chat)) return true
    return machine.request('cleared')
  }

  function restore({ fold, at }: ReadPart, { forked }: Resumed): ChatState {
    const former = state().chat
    const chat = fold.chat()
    dispatch({ type: 'session_restored', chat, shown: firstPrinted(chat.entries) })
    // The session also stores the current agent, so that it reads back as the screen showed it.
    tell([...breakOff(chat, at, forked !== null), ...snapshotOf(former, now())])
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
