/** What is in progress: the events of the agent, the clock of the screen, the user's own command, and the end of it all. */
import { silenceAt } from '../conversation/queries/silence.ts'
import { isBusy } from '../state/state.ts'
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
  const batcher = createEventBatcher(events => {
    for (const event of events) loadColours(event)
    context.report(events, now())
  }, isShown)
  const clock = createClock({
    now,
    shown: () => state().now,
    isMoving: () => isShown() && (isBusy(state()) || state().chat.shell !== null) && !settings.values().reducedMotion,
    changesAt: () => silenceAt(state().chat, state().lastEventAt, now()),
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
