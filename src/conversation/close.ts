/** Ends the open turn or compaction, and adds entries. */
import type { ChatState, CutOff, Entry, Turn } from './state.ts'
import { endTools } from './tool-calls.ts'

export function closeTurn(state: ChatState, change: (turn: Turn) => Turn): ChatState {
  if (state.open?.kind !== 'turn') return state
  return append({ ...withoutQuestions(state), open: null }, change(state.open))
}

/** Nobody waits for the answers to a turn that is over. */
function withoutQuestions(state: ChatState): ChatState {
  return state.questions.length === 0 ? state : { ...state, questions: [] }
}

/** Ends whatever is open, because it ended or because nothing more can come. */
export function close(state: ChatState, at: number, cutOff: CutOff | null = null): ChatState {
  if (!state.open) return withoutQuestions(state)
  if (state.open.kind === 'compaction') {
    return cutOff === null
      ? closeCompaction(state, at, 'aborted', '', null)
      : closeCompaction(state, at, 'failed', '', cutOff === 'agent_ended' ? 'the agent ended' : 'zotui was ended')
  }
  return closeTurn(state, turn => ({
    ...endTools(turn, at),
    outcome: cutOff ?? outcomeOf(turn),
    endedAt: at,
  }))
}

/**
 * Works out how a turn ended, which the wire does not say: an abort can look like an error, like nothing at all, or come
 * too late (docs/zot-protocol.md, 15). A step that had already ended by itself was not aborted.
 */
function outcomeOf(turn: Turn): 'done' | 'aborted' | 'failed' {
  const endedByItself = turn.stop === 'end' || turn.stop === 'end_turn' || turn.stop === 'length'
  if (turn.aborting && !endedByItself) return 'aborted'
  return turn.error === null ? 'done' : 'failed'
}

export function compactionStarted(state: ChatState, at: number): ChatState {
  return {
    ...close(state, at),
    open: {
      kind: 'compaction',
      startedAt: at,
      endedAt: null,
      outcome: 'running',
      aborting: false,
      abortedAt: null,
      abortOverdue: false,
      summary: '',
      error: null,
      contextBefore: state.context,
    },
  }
}

export function closeCompaction(
  state: ChatState,
  at: number,
  outcome: 'done' | 'failed' | 'aborted',
  summary: string,
  error: string | null,
): ChatState {
  if (state.open?.kind !== 'compaction') return state
  const entry = { ...state.open, endedAt: at, outcome, summary, error }
  const closed = append({ ...state, open: null }, entry)
  // The agent does not report what the summary cost, and the size of the new context is known only after the next call.
  // A compaction that was refused before any model call costs nothing, but cannot be told apart for certain.
  if (outcome === 'done') return { ...closed, context: null, usageIsPartial: true }
  return outcome === 'aborted' ? { ...closed, usageIsPartial: true } : closed
}

export function append(state: ChatState, entry: Entry): ChatState {
  return { ...state, entries: [...state.entries, entry] }
}
