/** What a race gets of the program that runs it, so that it goes on when the conversation is closed that began it. */
import type { DayCost } from '../../storage/usage/day-cost.ts'
import type { Worktrees } from '../../worktrees/worktrees.ts'
import type { Background } from '../context/background.ts'
import type { AppContext } from '../context/context.ts'
import type { Conversations } from '../context/conversations.ts'
import type { Host } from '../context/host.ts'
import { setupFor, type SetupSettings } from '../worktrees/setup-settings.ts'

export type RaceParts = {
  /** Where races and sessions are kept. */
  stateFolder: string
  conversations: Pick<Conversations, 'begin' | 'say' | 'turnsAtOnce'>
  background: Background
  worktrees: Worktrees
  host: Pick<Host, 'env' | 'watch'>
  /** What is done in a new worktree before its agent starts, as the settings are then. */
  setup: () => SetupSettings
  /** The cost limit of the day; null for none. */
  dayCost: Pick<DayCost, 'isReached' | 'why'> | null
  /** The setting: days that sessions are kept, and 0 for as long as they are there. */
  retentionDays: () => number
  redact: (text: string) => string
  redactStream: AppContext['redactStream']
  /** Milliseconds since the Unix epoch. */
  now: () => number
}

/** Null where there are no worktrees, or nothing can run in the background. */
export function racePartsOf(context: AppContext, stateFolder: string): RaceParts | null {
  const { conversations, worktrees, host, settings, dayCost = null, redact, redactStream, now } = context
  if (!conversations?.background || !worktrees || !host || host.remote) return null
  const { background } = conversations
  return {
    stateFolder,
    conversations,
    background,
    worktrees,
    host,
    setup: () => setupFor(settings, worktrees.at),
    dayCost,
    retentionDays: () => settings.values().retentionDays,
    redact,
    redactStream,
    now,
  }
}
