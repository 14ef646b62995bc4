/** What is in progress: the events of the agent, the clock of the screen, the user's own command, and the end of it all. */
import { silenceAt } from '../conversation/queries/silence.ts'
import { workBeside } from '../conversation/queries/work-beside.ts'
import { hasTasksAtWork } from '../state/conversations/at-work.ts'
import { isBusy, type AppState } from '../state/state.ts'
import { loadColours } from './context/colours.ts'
import type { AppContext } from './context/context.ts'
import { createLeaving } from './context/leaving.ts'
import type { ControllerOptions } from './controller-options.ts'
import { createEventBatcher } from './events/batcher.ts'
import { createClock } from './events/clock.ts'
import { createShellCommand } from './turns/shell-command.ts'

export type EventParts = ReturnType<typeof createEventParts>

export function createEventParts(context: AppContext, options: ControllerOptions) {
  const { now, state, dispatch, settings } = context
  const { isShown = () => true } = options
  /** On the screen, or by somebody else. */
  const isSeen = (): boolean => isShown() || state().watchers.length > 0
  const batcher = createEventBatcher(events => {
    for (const event of events) loadColours(event)
    context.report(events, now())
  }, isSeen)
  const clock = createClock({
    now,
    shown: () => state().now,
    isMoving: () => isShown() && (isBusy(state()) || state().chat.shell !== null) && !settings.values().reducedMotion,
    changesAt: () => nextChange(state(), now(), isShown() && !settings.values().reducedMotion),
    onTick: () => dispatch({ type: 'ticked', now: now() }),
  })
  batcher.subscribe(clock.follow)
  const own = createLeaving(context, batcher.flush, code => {
    clock.stop()
    options.onLeave(code)
  })
  // An exit leaves all conversations.
  const { leave, quit } = context.conversations ?? own
  const leaving = { ...own, leave, quit }
  const shell = createShellCommand(context, batcher)
  leaving.subscribe(shell.close)
  leaving.subscribe(() => context.hooks?.hooks.close())
  return { context, batcher, clock, leaving, leave, leaveThis: own.leave, quitThis: own.quit, shell }
}

/** Milliseconds between two looks at the times of what works beside an idle agent, and while their list is open. */
const BESIDE = 5000
const LISTED = 1000

/** When the screen changes next although nothing happens. Without motion the times of what works beside the turn stand still. */
function nextChange({ chat, lastEventAt, picker }: AppState, now: number, counts: boolean): number | null {
  // The list has wake-ups, too.
  const isListed = picker?.kind === 'running' && hasTasksAtWork(chat)
  const every = isListed ? LISTED : workBeside(chat).length > 0 ? BESIDE : Infinity
  const beside = counts ? now + every : Infinity
  const next = Math.min(silenceAt(chat, lastEventAt, now) ?? Infinity, beside)
  return next === Infinity ? null : next
}
