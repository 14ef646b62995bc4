/**
 * The steps of steering: words for the running turn. The agent has them once, or they are in the queue or in the composer again, in the
 * order in which they were said.
 */
import type { SteerOutcome } from '../agent/backend.ts'
import type { PromptEntry, WaitingSteer } from '../state/composer/queue-entry.ts'
import { sentence } from '../text/sentence.ts'
import type { Input, TurnMachine } from './machine.ts'
import { phaseOf } from './phases.ts'
import { drain, say, sendNow } from './queue-steps.ts'
import type { TurnStep } from './turn-step.ts'

/** Steers with an entry, or else with the first one of the queue. While no turn runs, it is a prompt. */
export function steer(now: TurnStep, entry: PromptEntry | null): void {
  const first = entry ?? now.seen.queue.entries[0]
  if (!first) return now.add({ type: 'hint', text: 'There is nothing to send.' })
  if (first.kind === 'command') return now.add({ type: 'hint', text: COMMAND_WAITS })
  if (!reachesTurn(now)) return entry ? say(now, entry) : sendWaiting(now)
  const id = now.machine.count + 1
  now.set({ count: id })
  // The drafts hold it at all times.
  now.setSteers([...now.seen.steers, { id, entry: first, isSent: false, isTakenBack: false }])
  if (entry === null) now.takeFirst()
  now.add({ type: 'save_drafts' })
  if (nextToPrepare(now)?.id === id) now.add({ type: 'prepare_steer', id, entry: first })
}

/** A steer was prepared: the agent gets it, and the next one is prepared. */
export function takePreparedSteer(now: TurnStep, { id, outcome }: Extract<Input, { type: 'steer_prepared' }>): void {
  const steer = now.seen.steers.find(each => each.id === id)
  if (!steer || steer.isSent || steer.isTakenBack) return
  if (outcome === 'returned') remove(now, steer)
  else if (outcome === 'refused') intoQueue(now, steer, true)
  else if (reachesTurn(now)) {
    change(now, steer, { isSent: true })
    now.add({ type: 'steer', id })
  } else intoQueue(now, steer, false)
  const next = nextToPrepare(now)
  if (next) now.add({ type: 'prepare_steer', id: next.id, entry: next.entry })
  if (now.isFree) drain(now, now.seen.agent === 'ready')
}

/** Says whether the steer was one of those with the agent. */
export function settleSteer(now: TurnStep, id: number, outcome: SteerOutcome): boolean {
  const steer = now.seen.steers.find(each => each.id === id)
  if (!steer?.isSent) return false
  if (outcome.how === 'delivered') {
    remove(now, steer)
    if (steer.isTakenBack && now.seen.open?.isStopping !== true)
      now.add({ type: 'hint', text: 'Too late: the agent already has your message.' })
  } else if (outcome.how === 'refused') giveBack(now, steer, sentence(outcome.message))
  else if (outcome.how === 'unknown') giveBack(now, steer, UNCONFIRMED)
  else if (steer.isTakenBack) giveBack(now, steer, null)
  else intoQueue(now, steer, false)
  giveBackUnsent(now)
  return true
}

/** The person stops the turn, or zotui ends. */
export function takeBackSteers(now: TurnStep): void {
  for (const steer of now.seen.steers) {
    if (steer.isTakenBack) continue
    change(now, steer, { isTakenBack: true })
    if (steer.isSent) now.add({ type: 'withdraw_steer', id: steer.id })
  }
  giveBackUnsent(now)
}

/** Takes the newest steer back, to be edited. */
export function takeSteer(now: TurnStep): void {
  const steer = now.seen.steers.at(-1)
  if (!steer || steer.isTakenBack) return
  if (!steer.isSent) return giveBack(now, steer, null)
  change(now, steer, { isTakenBack: true })
  now.add({ type: 'withdraw_steer', id: steer.id })
}

/** Keeps the end of a turn until it is known what became of its steers, which go before the queue. False if there are none. */
export function awaitsSteers(now: TurnStep, end: TurnMachine['ends'][number]): boolean {
  for (const steer of unsent(now)) if (!steer.isTakenBack) intoQueue(now, steer, false)
  if (!now.seen.steers.some(({ isSent }) => isSent)) return false
  now.set({ ends: [...now.machine.ends, end] })
  return true
}

/** The agent is gone, and may never say what became of them. */
export function markLostSteers(now: TurnStep): void {
  if (now.seen.steers.length === 0) return
  now.setSteers(now.seen.steers.map(steer => (steer.isSent ? { ...steer, isLost: true } : steer)))
  if (!now.machine.request) for (const steer of unsent(now)) giveBack(now, steer, null)
}

/** Another agent is there: what the one before has not settled comes back. False if that is nothing. */
export function giveBackLost(now: TurnStep): boolean {
  if (!now.seen.steers.some(({ isLost }) => isLost)) return false
  for (const steer of now.seen.steers) if (steer.isLost) giveBack(now, steer, UNCONFIRMED)
  giveBackUnsent(now)
  return true
}

/** True if a turn runs that the words can reach. */
function reachesTurn({ machine, seen }: TurnStep): boolean {
  const { request, ends } = machine
  if (phaseOf(machine, seen) !== 'turn') return false
  return seen.open !== null || (request !== null && request.isOrphan !== true && ends.length === 0)
}

function sendWaiting(now: TurnStep): void {
  if (now.isFree) sendNow(now, null)
  else now.add({ type: 'hint', text: 'No turn runs: it waits in the queue.' })
}

function unsent({ seen }: TurnStep): WaitingSteer[] {
  return seen.steers.filter(({ isSent }) => !isSent)
}

/** They are prepared one by one, so that the agent gets them in their order. */
function nextToPrepare(now: TurnStep): WaitingSteer | undefined {
  return unsent(now).find(({ isTakenBack }) => !isTakenBack)
}

/** Those that were taken back before the agent got them, once nothing that was said before them can come back. */
function giveBackUnsent(now: TurnStep): void {
  if (now.seen.steers.some(({ isSent }) => isSent)) return
  for (const steer of now.seen.steers) if (steer.isTakenBack) giveBack(now, steer, null)
}

/** Gives a text back to the person: into the composer if that is free, else into the queue, which waits. */
function giveBack(now: TurnStep, steer: WaitingSteer, why: string | null): void {
  const { isComposerFree, isLeaving } = now.seen
  // A prompt that stopped the turn goes out at once, and the queue after it.
  const goesOn = now.machine.isUrgent && why === null
  const fills = isComposerFree && !isLeaving && !goesOn
  if (why !== null)
    now.add({ type: 'add_notice', level: 'warn', text: `${why} ${fills ? IN_COMPOSER : goesOn ? IN_QUEUE : PAUSED}` })
  if (!fills) return intoQueue(now, steer, !goesOn)
  now.add({ type: 'fill_composer', text: steer.entry.text })
  now.seen = { ...now.seen, isComposerFree: false }
  remove(now, steer)
}

/** Before the queue, but after an entry that is to go out at once, and after the steers that were said earlier. */
function intoQueue(now: TurnStep, steer: WaitingSteer, paused: boolean): void {
  const { queue, edited } = now.seen
  const returned = now.machine.returned.filter(({ entry }) => queue.entries.includes(entry))
  const idAt = (at: number): number | undefined => returned.find(({ entry }) => entry === queue.entries[at])?.id
  let at = now.machine.isUrgent && queue.entries.length > 0 && idAt(0) === undefined ? 1 : 0
  while ((idAt(at) ?? steer.id) < steer.id) at += 1
  if (paused) now.set({ isUrgent: false })
  now.set({ returned: [...returned, steer] })
  const entries = queue.entries.toSpliced(at, 0, steer.entry)
  now.setQueue(
    { ...queue, entries, paused: paused || queue.paused },
    edited && (at <= edited.at ? { ...edited, at: edited.at + 1 } : edited),
  )
  remove(now, steer)
}

function remove(now: TurnStep, { id }: WaitingSteer): void {
  now.setSteers(now.seen.steers.filter(each => each.id !== id))
  now.add({ type: 'save_drafts' })
}

function change(now: TurnStep, { id }: WaitingSteer, fields: Partial<WaitingSteer>): void {
  now.setSteers(now.seen.steers.map(each => (each.id === id ? { ...each, ...fields } : each)))
}

const COMMAND_WAITS = 'The first message of the queue is a command: it runs after the turn.'
const UNCONFIRMED = 'It is not known whether your words for the running turn arrived.'
const IN_COMPOSER = 'They are in the composer again.'
const IN_QUEUE = 'They are in the queue.'
const PAUSED = 'They are in the queue, which waits for you.'
