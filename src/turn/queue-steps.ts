/**
 * The steps of the queue: its entries are sent one by one, each after a turn that went well. They wait here and never in the
 * agent's own queue. An entry that is being edited keeps its place, and those after it wait.
 */
import { commandEntry, type QueueEntry } from '../state/composer/queue-entry.ts'
import type { TurnStep } from './turn-step.ts'
import { phaseRules } from './phases.ts'

const RESTARTS = 'The agent is not running: /restart starts it again.'

/** Sends an entry, or queues it while the agent works. */
export function say(now: TurnStep, entry: QueueEntry): void {
  // A prompt that is sent while the agent is replaced is for the new one.
  if (!now.isFree) return now.append(entry)
  if (!now.seen.mayBegin) {
    now.append(entry)
    return waitInLine(now)
  }
  if (now.seen.isLimitReached) {
    now.append(entry)
    return askLimit(now)
  }
  now.prepare(entry)
}

/** Stops the open turn and sends this entry, or else the first one of the queue. */
export function sendNow(now: TurnStep, entry: QueueEntry | null): void {
  if (entry !== null) now.putFirst(entry)
  const { queue, steers } = now.seen
  if (queue.entries.length + steers.length === 0) return now.add({ type: 'hint', text: 'There is nothing to send.' })
  if (now.isFree) return sendNext(now)
  now.set({ isUrgent: true })
  if (phaseRules(now.machine, now.seen).stop !== 'abort') return
  // They follow it.
  for (const { id, isSent } of steers) if (isSent) now.add({ type: 'withdraw_steer', id })
  now.add({ type: 'abort' })
}

/** Sends the last prompt again. */
export function retry(now: TurnStep): void {
  if (now.isFree) now.prepare(null)
  else now.append(commandEntry('retry', ''))
}

/** The agent has become idle: sends the next entry if that was for a good reason, else pauses the queue. */
export function drain(now: TurnStep, isGood: boolean): void {
  if (now.isQueueEmpty) return
  const { queue, edited, agent } = now.seen
  const { isUrgent } = now.machine
  const goes = isGood || (isUrgent && agent === 'ready')
  if (!goes || (queue.paused && !isUrgent)) return now.pause()
  // An entry that is being edited is sent after the edit.
  if (edited?.at !== 0) sendNext(now)
}

/** Sends a paused queue. */
export function unpause(now: TurnStep): void {
  const { agent, queue } = now.seen
  if (agent !== 'ready') return now.add({ type: 'hint', text: RESTARTS })
  now.setQueue({ ...queue, paused: false })
  sendNext(now)
}

/** Sends an entry out of a paused queue, if it is still there. Another prompt that is on its way goes in its place. */
export function sendKept(now: TurnStep, entry: QueueEntry): void {
  const { queue, edited, agent } = now.seen
  const at = queue.entries.indexOf(entry)
  if (at < 0 || now.machine.preparing !== null) return
  if (agent !== 'ready') return now.add({ type: 'hint', text: RESTARTS })
  const first = [entry, ...queue.entries.toSpliced(at, 1)]
  now.setQueue({ ...queue, entries: first }, edited && { ...edited, at: edited.at <= at ? edited.at + 1 : edited.at })
  // It may have to wait for the turns of other conversations.
  now.set({ isUrgent: true })
  sendNext(now)
}

export function drainAfterEdit(now: TurnStep): void {
  const { queue, agent } = now.seen
  if (!queue.paused && agent === 'ready') sendNext(now)
}

export function replaceNewest(now: TurnStep, entry: QueueEntry): void {
  const { queue } = now.seen
  now.setQueue({ ...queue, entries: [...queue.entries.slice(0, -1), entry] })
  now.add({ type: 'save_drafts' })
}

/** Removes the newest entry, which goes into the composer. */
export function takeNewest(now: TurnStep): void {
  const { queue } = now.seen
  const entries = queue.entries.slice(0, -1)
  now.setQueue({ entries, paused: queue.paused && entries.length > 0 })
}

/** Holds the queue, and asks whether to raise the cost limit. */
export function askLimit(now: TurnStep): void {
  now.pause()
  const wasStopped = now.machine.isLimited
  now.set({ isLimited: false })
  now.add({ type: 'ask_limit', wasStopped })
}

function sendNext(now: TurnStep): void {
  const [first] = now.seen.queue.entries
  if (first === undefined || !now.isFree) return
  if (!now.seen.mayBegin) return waitInLine(now)
  if (now.seen.isLimitReached) return askLimit(now)
  if (now.seen.queue.isInLine) now.add({ type: 'hint', text: null })
  // First it is on its way, then it leaves the queue, so that the drafts hold it at all times.
  now.prepare(first)
  now.takeFirst()
}

/** Waits because too many conversations run a turn, until one of these turns has ended. */
function waitInLine(now: TurnStep): void {
  now.setQueue({ ...now.seen.queue, isInLine: true })
  now.add({ type: 'hint', text: 'Queued: too many conversations are working (turnsAtOnce).' })
}
