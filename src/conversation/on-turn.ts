import type { ChatState, Turn } from './state.ts'

/** The conversation with a change of the open turn; unchanged if no turn is open. */
export function onTurn(state: ChatState, change: (turn: Turn) => Turn): ChatState {
  return state.open?.kind === 'turn' ? { ...state, open: change(state.open) } : state
}
