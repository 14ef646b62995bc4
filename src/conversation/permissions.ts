/** Folds what the agent asks before its calls run, and what was answered. */
import type { AgentEvent } from '../agent/event.ts'
import type { ChatState } from './state.ts'

export type PermissionEvent = Extract<
  AgentEvent,
  { type: `permission_${string}` | `plan_${string}` | 'call_refused' | 'checkpoint_made' | 'files_restored' }
>

export function reducePermissions(state: ChatState, event: PermissionEvent): ChatState {
  switch (event.type) {
    case 'permission_mode_changed':
      return { ...state, permissionMode: event.mode }
    case 'permission_requested':
      return { ...state, questions: [...state.questions, event] }
    case 'permission_decided':
      return { ...state, questions: state.questions.filter(({ id }) => id !== event.id) }
    case 'checkpoint_made':
      return state.open?.kind === 'turn' ? { ...state, open: { ...state.open, checkpoint: event.id } } : state
    case 'call_refused':
    case 'plan_proposed':
    case 'plan_answered':
    case 'files_restored':
      return state
  }
}
