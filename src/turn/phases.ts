/** The phases of a turn: what each request does in them, and what can never be in progress together. */
import type { ChangeOperation, Seen, TurnMachine } from './machine.ts'

/** The phase is the first of these whose row says `isNow`. */
export const phases = [
  'leaving',
  'stopping',
  'turn',
  'compacting',
  'clearing',
  'replacing',
  'resuming',
  'starting',
  'suspending',
  'preparing',
  'idle',
  'off',
] as const
export type Phase = (typeof phases)[number]

type PhaseRow = {
  /** Whether this is what is in progress. */
  isNow: (machine: TurnMachine, seen: Seen) => boolean
  /** A prompt goes out now, or waits in the queue. */
  prompt: 'goes' | 'waits'
  /** A command that needs an idle agent runs now, or waits in the queue. */
  command: 'runs' | 'waits'
  /** What a stop does. `hold` pauses the queue, which would go out as soon as the agent is ready. */
  stop: 'abort' | 'hold' | 'ignored' | 'nothing'
  /** Whether the agent will be there in a moment, so that a prompt for it can wait. */
  isComing: boolean
}

const waits = { prompt: 'waits', command: 'waits', stop: 'nothing', isComing: false } as const

const rows: Record<Phase, PhaseRow> = {
  leaving: { ...waits, isNow: (_, { isLeaving }) => isLeaving },
  stopping: { ...waits, isNow: (_, { open }) => open?.isStopping === true, stop: 'ignored' },
  // A request shows in the conversation a moment later.
  turn: {
    ...waits,
    isNow: ({ request }, { open, steers }) =>
      open ? open.kind === 'turn' : request?.kind === 'prompt' || steers.some(({ isSent }) => isSent),
    stop: 'abort',
  },
  compacting: {
    ...waits,
    isNow: ({ request }, { open }) => open?.kind === 'compaction' || request?.kind === 'compaction',
    stop: 'abort',
  },
  clearing: { ...waits, isNow: ({ request }) => request?.kind === 'clear' },
  replacing: {
    ...waits,
    isNow: isReplacing,
    command: 'runs',
    stop: 'hold',
    isComing: true,
  },
  resuming: {
    ...waits,
    isNow: ({ work, change }, { isReading }) => work !== null || isReading || change?.operation.kind === 'resume',
    stop: 'hold',
    isComing: true,
  },
  starting: {
    ...waits,
    isNow: ({ change }, { agent }) => agent === 'starting' || (agent === 'off' && change?.operation.kind === 'open'),
    stop: 'hold',
    isComing: true,
  },
  suspending: { ...waits, isNow: ({ change }) => change?.operation.kind === 'suspend', command: 'runs' },
  preparing: { ...waits, isNow: ({ preparing }) => preparing !== null },
  idle: { ...waits, isNow: (_, { agent }) => agent === 'ready', prompt: 'goes', command: 'runs' },
  // The agent says itself that it does not run.
  off: { ...waits, isNow: () => true, prompt: 'goes', command: 'runs' },
}

type ChangeRow = {
  /** Another agent, or a fresh one, comes in the place of the one that runs. */
  replaces: boolean
  /** The changes in progress whose result is that of this one, too. It waits for any other. */
  joins: readonly ChangeOperation['kind'][]
  /** Whether the queue is drained after it. */
  drains: boolean
}

const STARTS = ['open', 'kill', 'exchange', 'copy', 'switch', 'reopen'] as const

const changes: Record<ChangeOperation['kind'], ChangeRow> = {
  open: { replaces: false, joins: STARTS, drains: true },
  suspend: { replaces: false, joins: [...STARTS, 'suspend', 'resume'], drains: false },
  kill: { replaces: true, joins: ['kill'], drains: true },
  exchange: { replaces: true, joins: ['exchange'], drains: true },
  copy: { replaces: true, joins: [], drains: true },
  switch: { replaces: true, joins: [], drains: true },
  // The work that it belongs to continues.
  resume: { replaces: false, joins: [], drains: false },
  reopen: { replaces: true, joins: [], drains: true },
}

/** What the agent is doing. */
export function phaseOf(machine: TurnMachine, seen: Seen): Phase {
  return phases.find(phase => rows[phase].isNow(machine, seen)) ?? 'off'
}

/** What requests do now. */
export function phaseRules(machine: TurnMachine, seen: Seen): Omit<PhaseRow, 'isNow'> {
  return rows[phaseOf(machine, seen)]
}

/** True if a turn or a compaction is in progress, or zotui ends. */
export function isAtWork(machine: TurnMachine, seen: Seen): boolean {
  return ['leaving', 'stopping', 'turn', 'compacting'].includes(phaseOf(machine, seen))
}

/** True while the agent is being replaced by another, or by a fresh one. */
export function isReplacing({ change }: TurnMachine): boolean {
  return change !== null && changes[change.operation.kind].replaces
}

/** True if a change is the same as the one in progress. One with options of its own is never. */
export function isSame(operation: ChangeOperation, current: ChangeOperation): boolean {
  const hasOptions = operation.kind === 'exchange' && Object.keys(operation.options).length > 0
  return !hasOptions && changes[operation.kind].joins.includes(current.kind)
}

/** True if the queue is drained, or is paused, after a change. */
export function drainsAfter(operation: ChangeOperation): boolean {
  return changes[operation.kind].drains
}

/** True if work that needs the agent for itself can begin. The agent may be starting meanwhile. */
export function canWork({ request, preparing, work }: TurnMachine, { open, isLeaving, steers }: Seen): boolean {
  const isFree = request === null && preparing === null && work === null && open === null
  return isFree && !isLeaving && !steers.some(({ isSent }) => isSent)
}

/** True if something would go out as soon as the agent is ready. */
export function canHold({ isUrgent }: TurnMachine, { queue }: Seen): boolean {
  return queue.entries.length > 0 && (!queue.paused || isUrgent)
}

type Together = { why: string; isSo: (machine: TurnMachine, seen: Seen) => boolean }

/** What can never be in progress together. A test drives the machine with random inputs, and none of these is ever so. */
export const impossible: readonly Together[] = [
  {
    why: 'a second prompt is prepared while the agent has one: it would be sent into its turn',
    isSo: ({ preparing, request }) => preparing !== null && request !== null,
  },
  {
    why: 'a prompt is with the agent while work needs the agent for itself',
    isSo: ({ request, work }) => work !== null && request !== null && request.kind !== 'clear',
  },
  {
    why: 'a prompt is prepared while work needs the agent for itself',
    isSo: ({ preparing, work }) => preparing !== null && work !== null,
  },
  {
    why: 'changes of the agent wait although none is in progress',
    isSo: ({ change, waiting }) => change === null && waiting.length > 0,
  },
  {
    why: 'something is urgent, and nothing is queued',
    isSo: ({ isUrgent }, { queue, edited, steers }) =>
      isUrgent && queue.entries.length === 0 && edited === null && steers.length === 0,
  },
  {
    why: 'a prompt is prepared after the end of zotui has begun: it would be in no queue that is kept',
    isSo: ({ preparing }, { isLeaving }) => isLeaving && preparing !== null && preparing.entry !== null,
  },
  {
    why: 'the end of a turn waits, and no steer is with the agent',
    isSo: ({ ends }, { steers }) => ends.length > 0 && !steers.some(({ isSent }) => isSent),
  },
  {
    why: 'a steer is with the agent before an earlier one',
    isSo: (_, { steers }) => {
      const wanted = steers.filter(({ isTakenBack }) => !isTakenBack)
      return wanted.some((steer, at) => steer.isSent && wanted[at - 1]?.isSent === false)
    },
  },
  {
    why: 'a restart is owed, and the agent is not being changed',
    isSo: ({ owesOffer, change }) => owesOffer && change === null,
  },
]
