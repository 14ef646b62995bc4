/** The steps of the machine: what each input makes of it, and the effects. Pure. */
import { promptEntry } from '../state/composer/queue-entry.ts'
import { endOfOrphan, settle } from './after-request.ts'
import { TurnStep } from './turn-step.ts'
import type { AgentChange, Effect, Input, Preparation, PromptOnItsWay, Seen, TurnMachine } from './machine.ts'
import { canHold, canWork, drainsAfter, isSame, phaseRules } from './phases.ts'
import {
  askLimit,
  drain,
  drainAfterEdit,
  sendKept,
  sendNow,
  replaceNewest,
  retry,
  say,
  takeNewest,
  unpause,
} from './queue-steps.ts'
import {
  awaitsSteers,
  giveBackLost,
  markLostSteers,
  settleSteer,
  steer,
  takeBackSteers,
  takePreparedSteer,
  takeSteer,
} from './steer-steps.ts'

/** Milliseconds after a restart in which an agent that ends is not restarted automatically. */
const RESTART_PAUSE = 30_000

type TurnSteps = { [Type in Input['type']]: (now: TurnStep, input: Extract<Input, { type: Type }>) => void }

const steps: TurnSteps = {
  said: (now, { entry }) => say(now, entry),
  queued: (now, { entry }) => now.append(entry),
  put_off: (now, { entry }) => now.putFirst(entry, true),
  send_now: (now, { entry }) => sendNow(now, entry),
  unpaused: unpause,
  kept_due: (now, { entry }) => sendKept(now, entry),
  steered: (now, { entry }) => steer(now, entry),
  steer_taken: takeSteer,
  queue_edited: (now, { goesOn }) => (goesOn ? drainAfterEdit(now) : undefined),
  newest_taken: takeNewest,
  newest_replaced: (now, { entry }) => replaceNewest(now, entry),
  stopped(now) {
    const { stop } = phaseRules(now.machine, now.seen)
    if (stop === 'abort') {
      takeBackSteers(now)
      now.add({ type: 'abort' })
    }
    if (stop === 'hold' && canHold(now.machine, now.seen)) now.pause()
  },
  retried: retry,
  compacted(now, { caller }) {
    if (!now.isFree) return now.add({ type: 'refuse', caller })
    now.add({ type: 'compact', id: now.request({ kind: 'compaction', why: 'request', caller }) })
  },
  cleared(now, { caller }) {
    const isOfWork = now.machine.work !== null && now.machine.request === null && !now.seen.open
    if (!now.isFree && !isOfWork) return now.add({ type: 'refuse', caller })
    now.add({ type: 'clear', id: now.request({ kind: 'clear', why: 'request', caller }) })
  },
  change_requested: requestChange,
  work_requested(now, { id }) {
    if (!canWork(now.machine, now.seen)) return now.add({ type: 'refuse', caller: id })
    now.set({ work: { id } })
    now.add({ type: 'work', id })
  },
  limit_raised(now, { wasStopped }) {
    if (wasStopped) return say(now, promptEntry('Continue where you stopped.'))
    if (now.seen.queue.entries.length > 0) unpause(now)
  },
  left(now) {
    const { preparing } = now.machine
    now.set({ preparing: null })
    takeBackSteers(now)
    if (preparing?.entry) now.putFirst(preparing.entry)
    now.arrive()
  },

  prepared(now, { id, outcome }) {
    const { preparing } = now.machine
    if (preparing?.id !== id) return
    now.set({ preparing: null })
    takePrepared(now, preparing, outcome)
    if (preparing.entry) now.arrive()
  },
  settled(now, end) {
    const { request } = now.machine
    if (request?.id !== end.id || (request.kind === 'prompt' && awaitsSteers(now, end))) return
    settle(now, request, end.how)
  },
  steer_prepared: takePreparedSteer,
  steer_settled(now, { id, outcome }) {
    if (!settleSteer(now, id, outcome)) return
    const isAwaited = now.machine.ends.length > 0
    endTurns(now)
    if (!isAwaited && now.isFree) drain(now, now.seen.agent === 'ready')
  },
  change_settled: (now, { id }) => (now.machine.change?.id === id ? endChange(now, now.machine.change) : undefined),
  work_settled(now, { id, drains }) {
    if (now.machine.work?.id !== id) return
    now.set({ work: null })
    if (drains !== 'not') drain(now, drains === 'well')
  },
  command_done: now => (now.isFree ? drain(now, true) : undefined),
  session_requested: (now, { session }) => now.set({ session }),

  // The start has used it.
  agent_started: now => now.set({ session: undefined }),
  agent_ended: followEnd,
  step_begun(now, { ofNewTurn }) {
    const { open, isLimitReached, isTurnOverLimit } = now.seen
    if (open?.kind !== 'turn' || open.isStopping || !(ofNewTurn ? isLimitReached : isTurnOverLimit)) return
    now.set({ isLimited: true })
    now.add({ type: 'abort' })
  },
  // Another program that shares the agent may have begun the turn, or the agent itself.
  turn_ended(now, end) {
    if (now.machine.request === null && awaitsSteers(now, end)) return
    if (!now.isFree) return
    if (end.isOwn && now.seen.isLimitReached) return askLimit(now)
    drain(now, end.isGood && now.seen.agent === 'ready')
  },
  turn_allowed(now) {
    const { queue, agent } = now.seen
    if (queue.isInLine && now.isFree) drain(now, agent === 'ready')
  },
}

export function step(
  machine: TurnMachine,
  input: Input,
  seen: Seen,
): { machine: TurnMachine; effects: readonly Effect[] } {
  const now = new TurnStep(machine, seen)
  // TypeScript does not see that the function is the one for this input.
  const take = steps[input.type] as (now: TurnStep, input: Input) => void
  take(now, input)
  return { machine: now.machine, effects: now.effects }
}

/** The ends of turns that have waited for their steers. */
function endTurns(now: TurnStep): void {
  if (now.seen.steers.some(({ isSent }) => isSent)) return
  const { ends } = now.machine
  now.set({ ends: [] })
  for (const end of ends) {
    if (end.type === 'settled') steps.settled(now, end)
    else steps.turn_ended(now, end)
  }
}

function takePrepared(now: TurnStep, { id, entry }: PromptOnItsWay, outcome: Preparation): void {
  const { isUrgent } = now.machine
  switch (outcome) {
    case 'ready':
      if (!now.isFree) return entry === null ? retry(now) : now.putFirst(entry)
      if (entry === null && now.seen.isLimitReached) return askLimit(now)
      now.set({ request: { id, kind: 'prompt', why: 'request', entry } })
      now.add({ type: 'send', id })
      // Another prompt was to be sent at once meanwhile.
      return isUrgent ? now.add({ type: 'abort' }) : undefined
    case 'ran':
      return
    case 'refused':
      return entry === null ? undefined : now.putFirst(entry, true)
    case 'returned':
      return now.pause()
    case 'dropped':
      return drain(now, now.seen.agent === 'ready')
  }
}

function requestChange(now: TurnStep, { change }: Extract<Input, { type: 'change_requested' }>): void {
  if (change.holdsQueue) {
    now.pause()
    now.add({ type: 'hint', text: null })
  }
  const current = now.machine.change
  if (!current) return beginChange(now, change)
  if (isSame(change.operation, current.operation)) return now.add({ type: 'join', id: change.id, to: current.id })
  now.set({ waiting: [...now.machine.waiting, change] })
}

function beginChange(now: TurnStep, change: AgentChange): void {
  now.set({ change })
  if (change.operation.kind === 'resume') now.set({ session: change.operation.session })
  now.add({ type: 'change', change })
}

function endChange(now: TurnStep, { operation }: AgentChange): void {
  const { request, owesOffer, waiting } = now.machine
  now.set({ change: null, owesOffer: false })
  if (giveBackLost(now)) endTurns(now)
  if (request?.isOrphan && now.machine.request === request) settle(now, request, endOfOrphan(request))
  if (owesOffer) now.add({ type: 'offer_restart', inTurn: false })
  const [next, ...rest] = waiting
  if (next) {
    now.set({ waiting: rest })
    return beginChange(now, next)
  }
  const isReady = now.seen.agent === 'ready'
  if (isReady || drainsAfter(operation)) drain(now, isReady)
}

/** An agent that was idle and ended by itself is restarted, so that it is ready before the next prompt. */
function followEnd(now: TurnStep, { at, isExpected, isLost }: Extract<Input, { type: 'agent_ended' }>): void {
  const { request, change, restartedAt } = now.machine
  markLostSteers(now)
  // What follows the request decides.
  if (request) now.set({ request: { ...request, isOrphan: true } })
  if (isExpected || request) return
  if (change) return now.set({ owesOffer: isLost })
  // The user decides whether one in the background is resumed.
  if (isLost || at - restartedAt < RESTART_PAUSE) return now.add({ type: 'offer_restart', inTurn: false })
  now.set({ restartedAt: at })
  now.add({ type: 'restart' })
}
