/** The first state of a conversation that another process continues. */
import { createEditor } from '../../composer/editor.ts'
import { addEntry } from '../../composer/history.ts'
import type { AppState } from '../state.ts'

/** The agent that takes over has not started, and asks its questions again. What was typed as an answer is kept. */
export function takenOver(state: AppState): AppState {
  const { question, chat } = state
  const open = { question: null, picker: null, page: null, watched: null, files: null, hint: null, armed: null }
  const agent = { ...chat.agent, phase: 'starting' as const }
  const next = { ...state, ...open, chat: { ...chat, agent } }
  const typed = question?.typed?.editor.text ?? ''
  if (typed.trim() === '') return next
  if (state.editor.text === '' && !state.edited) return { ...next, editor: createEditor(typed) }
  return { ...next, history: addEntry(state.history, typed) }
}
