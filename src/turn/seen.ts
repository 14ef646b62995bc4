/** What the machine reads in the app's state, and in the agent's events. */
import type { AgentEvent } from '../agent/event.ts'
import { lastPromptedTurn, lastTurn } from '../conversation/queries/last-turn.ts'
import { errorOfTurn } from '../conversation/queries/provider-error.ts'
import type { ChatState, Turn } from '../conversation/state.ts'
import type { AppState } from '../state/state.ts'
import type { EndedTurn, Input, Seen } from './machine.ts'

type Others = Pick<Seen, 'isLimitReached' | 'isTurnOverLimit' | 'mayBegin'>

export function seenIn(state: AppState, others: Others): Seen {
  const { chat, opening, leaving, queue, edited, steers, editor, noting, waitingDraft } = state
  return {
    ...seenOfAgent(chat),
    isReading: opening !== null,
    isLeaving: leaving !== null,
    queue,
    edited,
    steers,
    isComposerFree: editor.text === '' && !noting && edited === null && waitingDraft === null,
    ...others,
  }
}

/** The agent and what it works on. */
export function seenOfAgent({ agent: { phase }, open }: ChatState): Pick<Seen, 'agent' | 'open'> {
  return {
    agent: phase === 'ready' || phase === 'starting' ? phase : 'off',
    open: open && { kind: open.kind, isStopping: open.aborting },
  }
}

/** The share of the window that is used, if that is a reason to compact. `compactAt` is in percent, 0 for never. */
export function fullnessOf({ context: used, agent }: ChatState, compactAt: number): number | null {
  if (compactAt === 0 || used === null || agent.contextWindow === null) return null
  const full = used / agent.contextWindow
  return full * 100 < compactAt ? null : full
}

/** All turns of a conversation that have a prompt, the open one included. */
export function promptedTurns({ entries, open }: ChatState): Turn[] {
  const turns = [...entries, ...(open ? [open] : [])].filter(entry => entry.kind === 'turn')
  return turns.filter(({ unprompted }) => unprompted === undefined)
}

/** How the last prompt ended: the agent may have begun a turn itself since. */
export function endedTurn({ entries }: ChatState): EndedTurn | null {
  const turn = lastPromptedTurn(entries)
  return turn ? { outcome: turn.outcome, error: errorOfTurn(turn).kind } : null
}

/** What the events of a frame are to the machine. `isLost`: the agent runs in a process that is lost. */
export function inputsOf(events: readonly AgentEvent[], chat: ChatState, isLost: boolean): Input[] {
  const inputs: Input[] = []
  if (events.some(({ type }) => type === 'agent_started' || type === 'agent_session_opened'))
    inputs.push({ type: 'agent_started' })
  if (events.some(({ type }) => type === 'turn_begun')) inputs.push({ type: 'step_begun', ofNewTurn: true })
  else if (events.some(beginsStep)) inputs.push({ type: 'step_begun', ofNewTurn: false })
  const end = events.findLast(event => event.type === 'agent_ended')
  if (end) inputs.push({ type: 'agent_ended', at: end.at, isExpected: end.expected, isLost })
  if (events.some(({ type }) => type === 'turn_ended')) {
    const turn = lastTurn(chat.entries)
    inputs.push({ type: 'turn_ended', isGood: turn?.outcome === 'done', isOwn: turn?.unprompted !== undefined })
  }
  return inputs
}

/** Whether the agent asks the model again without a prompt: what its cost limit can prevent. */
function beginsStep(event: AgentEvent): boolean {
  return event.type === 'step_started' && event.step > 1
}
