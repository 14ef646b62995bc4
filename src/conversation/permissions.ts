/** Folds permission questions and their answers. */
import { onTurn } from './on-turn.ts'
import type { AgentEvent, EventOf } from '../agent/event.ts'
import type { ChatState, Turn } from './state.ts'
import type { CallPermission, EarlyFacts, Notice } from './part.ts'
import { changeAt, runningCall } from './calls/tool-calls.ts'

export type PermissionEvent = Extract<
  AgentEvent,
  {
    type: `permission_${string}` | 'plan_proposed' | 'call_refused' | 'call_held' | 'checkpoint_made' | 'files_restored'
  }
>

export function reducePermissions(state: ChatState, event: PermissionEvent): ChatState {
  switch (event.type) {
    case 'permission_mode_changed':
      return { ...state, permissionMode: event.mode }
    case 'permission_requested':
      return waiting({ ...state, questions: [...state.questions, event] }, event)
    case 'permission_decided':
      return decided(state, event)
    case 'call_refused':
      if (event.wants) return state
      return onCall(state, event.callId, {
        permission: { state: 'refused', by: 'rule', because: event.because, words: '' },
      })
    case 'call_held':
      return onCall(state, event.id, { heldIn: event.where })
    case 'checkpoint_made':
      return onTurn(state, turn => ({ ...turn, checkpoint: event.id }))
    case 'plan_proposed':
      return { ...state, plan: event.text }
    case 'files_restored':
      return state
  }
}

const PLAN_WORDS: Readonly<Record<EventOf<'plan_answered'>['answer'], string>> = {
  accepted: 'You accepted the plan',
  changed: 'You asked for another plan.',
  rejected: 'You rejected the plan.',
}

/** The notice that an answered plan leaves in the conversation. */
export function planAnswered({ at, answer, mode, from }: EventOf<'plan_answered'>): Notice {
  const goesOn = answer !== 'accepted' ? '' : mode === undefined ? '.' : `; the mode is now ${mode}.`
  const own = `${PLAN_WORDS[answer]}${goesOn}`
  const text = from === undefined ? own : `From ${from}: ${own}`
  return { kind: 'notice', withdrawn: false, at, level: 'info', source: null, text, hint: null, markdown: false }
}

/** A command that wants more runs already, or has run. */
function waiting(state: ChatState, { callId, wants }: EventOf<'permission_requested'>): ChatState {
  return wants ? state : onCall(state, callId, { permission: { state: 'asked' } })
}

/** What is kept of that. */
const MOST_WANTED = 50

function decided(state: ChatState, event: EventOf<'permission_decided'>): ChatState {
  const { id, allowed, by, words = '', because = '', command, at, from } = event
  const question = state.questions.find(each => each.id === id)
  const questions = state.questions.filter(each => each.id !== id)
  const permission: CallPermission = allowed
    ? { state: 'allowed', by, ...(command !== undefined && { command }), ...(from !== undefined && { from }) }
    : { state: 'refused', by, because, words, ...(from !== undefined && { from }) }
  if (question?.wants) {
    const wanted = [...state.wanted.slice(1 - MOST_WANTED), { want: question.wants, allowed }]
    const left = { ...state, questions, wanted }
    return allowed && question.wants.kind === 'outside' ? onCall(left, question.callId, { letOutBy: by }) : left
  }
  const facts = { permission, ...(allowed && question?.outside && { letOutBy: by }) }
  return onCall({ ...state, questions }, question?.callId ?? null, facts, allowed ? at : null)
}

/** Calls that the agent has not reported, of which something is kept. More of them come from an agent that never will. */
const MOST_EARLY = 200

function withEarly(early: Turn['earlyFacts'], callId: string, facts: EarlyFacts): Turn['earlyFacts'] {
  const known = early.get(callId)
  return new Map([...[...early].slice(1 - MOST_EARLY), [callId, { ...known, ...facts }]])
}

/**
 * Stores facts in their call; the turn keeps them for one that the agent has not reported. A running call that waited for an answer counts
 * its time from `since`.
 */
function onCall(state: ChatState, callId: string | null, facts: EarlyFacts, since: number | null = null): ChatState {
  if (callId === null) return state
  return onTurn(state, turn => {
    const index = runningCall(turn, callId)
    if (index < 0) return { ...turn, earlyFacts: withEarly(turn.earlyFacts, callId, facts) }
    return changeAt(turn, index, tool => ({
      ...tool,
      ...facts,
      startedAt: tool.startedAt === null ? null : (since ?? tool.startedAt),
    }))
  })
}
