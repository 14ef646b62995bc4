/** The state of a turn's calls, which zot does not report: which of them waits, runs or has ended, and which is next. */
import type { AgentEvent } from './event.ts'

export type ImpliedCall = {
  id: string
  called: boolean
  state: 'waiting' | 'running' | 'ended'
  withdrawn: boolean
  attempt: number
}

export type ImpliedTurn = {
  /** Calls of the turn by id, as far as ids repeat. */
  byId: Map<string, ImpliedCall[]>
  /** The top-level calls of this attempt, in order; those before `ended` have ended. */
  queue: ImpliedCall[]
  ended: number
  attempt: number
  /** Whether this attempt has any output, any text, and its final answer. */
  said: boolean
  texted: boolean
  answered: boolean
}

/** At most this many calls with the same id are examined to find one of them. */
const MOST_ALIKE = 32

export function emptyTurn(): ImpliedTurn {
  return { byId: new Map(), queue: [], ended: 0, attempt: 0, said: false, texted: false, answered: false }
}

export function beginAttempt(turn: ImpliedTurn): void {
  Object.assign(turn, { queue: [], ended: 0, attempt: turn.attempt + 1, said: false, texted: false, answered: false })
}

export function next(turn: ImpliedTurn, at: number): AgentEvent[] {
  while (isOver(turn.queue[turn.ended])) turn.ended += 1
  const call = turn.queue[turn.ended]
  if (call?.state !== 'waiting') return []
  call.state = 'running'
  return [{ type: 'tool_started', at, id: call.id }]
}

function isOver(call: ImpliedCall | undefined): boolean {
  return call !== undefined && (call.withdrawn || call.state === 'ended')
}

export function add(
  turn: ImpliedTurn,
  { id, state = 'waiting' }: Pick<ImpliedCall, 'id'> & Partial<ImpliedCall>,
): ImpliedCall {
  const call: ImpliedCall = { id, called: false, state, withdrawn: false, attempt: turn.attempt }
  const alike = turn.byId.get(id)
  if (alike) alike.push(call)
  else turn.byId.set(id, [call])
  if (parentIn(id) === null) turn.queue.push(call)
  return call
}

/** The oldest open call with this id that suits, among the newest ones. */
export function oldest(turn: ImpliedTurn, id: string, suits: (call: ImpliedCall) => boolean): ImpliedCall | undefined {
  const alike = turn.byId.get(id) ?? []
  let found: ImpliedCall | undefined
  for (const call of alike.slice(-MOST_ALIKE).toReversed()) {
    if (call.withdrawn) continue
    if (call.state === 'ended') break
    if (suits(call)) found = call
  }
  return found
}

/** The open call that output or a result with this id belongs to. */
export function present(turn: ImpliedTurn, id: string): ImpliedCall | undefined {
  return oldest(turn, id, call => call.attempt === turn.attempt || hasBegun(call))
}

export function hasBegun({ called, state }: ImpliedCall): boolean {
  return called || state !== 'waiting'
}

/** The id of the call whose tool made this one; null if the model did. */
function parentIn(id: string): string | null {
  const slash = id.lastIndexOf('/')
  return slash > 0 ? id.slice(0, slash) : null
}

/** The closest ancestor that was reported, or else the parent. */
export function knownParent(turn: ImpliedTurn, id: string): string | null {
  for (let above = parentIn(id); above !== null; above = parentIn(above)) if (turn.byId.has(above)) return above
  return parentIn(id)
}
