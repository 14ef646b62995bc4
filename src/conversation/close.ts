/** Ends the open turn or compaction, and adds entries. */
import type { EventOf } from '../agent/event.ts'
import type { ChatState, Compaction, CutOff, Entry, Turn } from './state.ts'
import type { Notice } from './part.ts'
import { isAtWork } from '../agent/task-events.ts'
import { endTools } from './calls/tool-calls.ts'
import { lookup } from '../text/lookup.ts'

export function closeTurn(state: ChatState, change: (turn: Turn) => Turn): ChatState {
  if (state.open?.kind !== 'turn') return state
  return append({ ...withoutQuestions(state), open: null }, change(state.open))
}

/** The questions of a turn that is over need no answers, but those of subagents that still work do. */
function withoutQuestions(state: ChatState): ChatState {
  if (state.questions.length + state.forms.length === 0) return state
  const stays = ({ task }: { task?: string | undefined }): boolean => {
    const asks = task === undefined ? undefined : state.tasks.get(task)
    return asks !== undefined && isAtWork(asks)
  }
  return { ...state, questions: state.questions.filter(stays), forms: state.forms.filter(stays) }
}

/** Ends whatever is open, because it ended or because nothing more can come. */
export function close(state: ChatState, at: number, cutOff: CutOff | null = null): ChatState {
  if (!state.open) return withoutQuestions(state)
  if (state.open.kind === 'compaction') {
    if (cutOff === null) return compactionEnded(state, at, { outcome: 'aborted' })
    const error = cutOff === 'agent_ended' ? 'the agent ended' : 'zotui was ended'
    return compactionEnded(state, at, { outcome: 'failed', error })
  }
  return closeTurn(state, turn => ({
    ...endTools(turn, at),
    askedModelAt: null,
    outcome: cutOff ?? outcomeOf(turn),
    endedAt: at,
  }))
}

/**
 * Works out how a turn ended, which zot does not report: an abort can look like an error, like nothing at all, or come
 * too late (docs/zot-protocol.md, 15). A step that had already ended by itself was not aborted.
 */
function outcomeOf(turn: Turn): 'done' | 'aborted' | 'failed' {
  if (turn.stopReason !== null) return lookup(STOPS, turn.stopReason) ?? (turn.error === null ? 'done' : 'failed')
  const endedByItself = turn.stop === 'end' || turn.stop === 'end_turn' || turn.stop === 'length'
  if (turn.aborting && !endedByItself) return 'aborted'
  return turn.error === null ? 'done' : 'failed'
}

/** The stop reasons that mean an abort or a failure. */
const STOPS: Readonly<Partial<Record<string, 'aborted' | 'failed'>>> = {
  cancelled: 'aborted',
  aborted: 'aborted',
  error: 'failed',
}

export function compactionStarted(state: ChatState, { at, inTurn }: EventOf<'compaction_started'>): ChatState {
  if (inTurn && state.open?.kind === 'turn') return { ...state, open: { ...state.open, compactingSince: at } }
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

type CompactionEnd = Pick<Compaction, 'outcome'> & Partial<Pick<Compaction, 'summary' | 'error'>>

export function compactionEnded(state: ChatState, at: number, end: CompactionEnd): ChatState {
  const { open } = state
  if (open?.kind === 'turn') return open.compactingSince === null ? state : compactedInTurn(state, open, at, end)
  if (open?.kind !== 'compaction') return state
  const { outcome, summary = '', error = null } = end
  const closed = append({ ...state, open: null }, { ...open, endedAt: at, outcome, summary, error })
  // The agent does not report what the summary cost, and the size of the new context is known only after the next call.
  // A compaction that was refused before any model call costs nothing, but cannot be recognised for certain.
  if (outcome === 'done') return { ...closed, context: null, usageIsPartial: true }
  return outcome === 'aborted' ? { ...closed, usageIsPartial: true } : closed
}

/** The turn continues, with a notice about the compaction. */
function compactedInTurn(
  state: ChatState,
  turn: Turn,
  at: number,
  { outcome, error, summary = '' }: CompactionEnd,
): ChatState {
  const text = outcome === 'done' ? COMPACTED : `The conversation could not be summarised${error ? `: ${error}` : '.'}`
  const said = { kind: 'notice', withdrawn: false, at, source: null, text, hint: null, markdown: false } as const
  const notice: Notice = {
    ...said,
    level: outcome === 'done' ? 'info' : 'warn',
    ...(summary.trim() !== '' && { details: summary }),
  }
  const open = { ...turn, compactingSince: null, parts: turn.parts.plus(notice) }
  return { ...state, open, context: outcome === 'done' ? null : state.context }
}

const COMPACTED = 'The agent summarised the conversation so far, to make room for more.'

export function append(state: ChatState, entry: Entry): ChatState {
  return { ...state, entries: [...state.entries, entry] }
}
