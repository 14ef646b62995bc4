/** The conversations of one zotui as rows: for the signs in the status line, the list, and notifications. */
import { oneLine, sanitize } from '../../text/sanitize.ts'
import { displayWidth } from '../../text/lines/width.ts'

/**
 * `starting`: its agent is not ready. `waiting`: it waits for another conversation's turn to end. `asks`: it waits for
 * an answer of the user. `done` and `failed`: its last turn ended, and the user has not looked at it since. `resting`:
 * its agent was ended to save memory.
 */
export type ConversationState = 'starting' | 'working' | 'waiting' | 'asks' | 'done' | 'failed' | 'idle' | 'resting'

/** A call that waits for an answer. */
export type WaitingCall = {
  id: string
  subject: string
  /** True if the subject says all that would run. */
  isWhole: boolean
  /** The subagent whose call it is; null or absent for the agent's own. */
  asker?: string | null
}

export type ConversationRow = {
  /** Its place in the list, counted from 1; 0 for one that this zotui does not show. */
  number: number
  /** The ID under which a separate process holds it in the background; absent for one that this zotui holds. */
  backgroundId?: string
  isShown: boolean
  /** Its name from the user or the agent, or else its first prompt; empty if there is none. */
  title: string
  state: ConversationState
  /** The time at which its turn began or its last turn ended; null before the first. */
  since: number | null
  /** The last line that the agent wrote. */
  lastLine: string
  costUsd: number | null
  folder: string
  /** The whole path of its folder; absent for one that this zotui shows. */
  path?: string
  branch: string | null
  /** The first call that waits for an answer; null if none does. */
  call: WaitingCall | null
}

/** A conversation that is not shown, and asks something or has ended its turn. */
export type News = {
  row: ConversationRow
  /** The time at which that began, in milliseconds since the Unix epoch. */
  at: number
}

/** The columns of a row of the list that its call cannot use. */
export const BESIDE_CALL = 12

/** True if a list of this width shows exactly and fully what would run. Only such a call can be allowed from there. */
export function isCallInFull({ subject, isWhole }: WaitingCall, columns: number): boolean {
  return isWhole && oneLine(sanitize(subject)) === subject && displayWidth(subject) <= columns - BESIDE_CALL
}

/** The number of conversations that are not shown and would be stopped in their work by an exit. */
export function othersAtWork({ conversations }: { conversations: readonly ConversationRow[] }): number {
  return conversations.filter(
    ({ isShown, backgroundId, state }) => !isShown && backgroundId === undefined && AT_WORK.has(state),
  ).length
}

/** One that starts may have a prompt that is sent then. */
const AT_WORK: ReadonlySet<ConversationState> = new Set(['starting', 'working', 'waiting', 'asks'])

/** The conversation that is shown; undefined while it is the only one. */
export function shownRow({
  conversations,
}: {
  conversations: readonly ConversationRow[]
}): ConversationRow | undefined {
  return conversations.find(({ isShown }) => isShown)
}
