/** Folds permission questions and their answers. */
import { onTurn } from './on-turn.ts'
import type { AgentEvent, EventOf } from '../agent/event.ts'
import type { ChatState, Turn } from './state.ts'
import type { CallPermission, Notice } from './part.ts'
import { changeAt, runningCall } from './calls/tool-calls.ts'

export type PermissionEvent = Extract<
  AgentEvent,
  { type: `permission_${string}` | 'plan_proposed' | 'call_refused' | 'checkpoint_made' | 'files_restored' }
>

export function reducePermissions(state: ChatState, event: PermissionEvent): ChatState {
  switch (event.type) {
    case 'permission_mode_changed':
      return { ...state, permissionMode: event.mode }
    case 'permission_requested':
      return onCall({ ...state, questions: [...state.questions, event] }, event.callId, { state: 'asked' })
    case 'permission_decided':
      return decided(state, event)
    case 'call_refused':
      return onCall(state, event.callId, { state: 'refused', by: 'rule', because: event.because, words: '' })
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
export function planAnswered({ at, answer, mode }: EventOf<'plan_answered'>): Notice {
  const goesOn = answer !== 'accepted' ? '' : mode === undefined ? '.' : `; the mode is now ${mode}.`
  const text = `${PLAN_WORDS[answer]}${goesOn}`
  return { kind: 'notice', withdrawn: false, at, level: 'info', source: null, text, hint: null, markdown: false }
}

function decided(state: ChatState, event: EventOf<'permission_decided'>): ChatState {
  const { id, allowed, by, words = '', because = '', command, at } = event
  const question = state.questions.find(each => each.id === id)
  const questions = state.questions.filter(each => each.id !== id)
  const permission: CallPermission = allowed
    ? { state: 'allowed', by, ...(command !== undefined && { command }) }
    : { state: 'refused', by, because, words }
  return onCall({ ...state, questions }, question?.callId ?? null, permission, allowed ? at : null)
}

/** Questions and refusals that are kept for calls which the agent has not reported. More of them come from an agent that never will. */
const MOST_EARLY = 200

function withEarly(
  early: Turn['earlyPermissions'],
  callId: string,
  permission: CallPermission,
): Turn['earlyPermissions'] {
  return new Map([...[...early].slice(1 - MOST_EARLY), [callId, permission]])
}

/**
 * Stores the permission in its call. A running call that waited for the answer counts its time from `since`. A guard asks on
 * a way of its own, often before the agent has reported the call: the turn keeps the permission for it.
 */
function onCall(
  state: ChatState,
  callId: string | null,
  permission: CallPermission,
  since: number | null = null,
): ChatState {
  if (callId === null) return state
  return onTurn(state, turn => {
    const index = runningCall(turn, callId)
    if (index < 0) return { ...turn, earlyPermissions: withEarly(turn.earlyPermissions, callId, permission) }
    return changeAt(turn, index, tool => ({
      ...tool,
      permission,
      startedAt: tool.startedAt === null ? null : (since ?? tool.startedAt),
    }))
  })
}
