/** Continues from a place of any session: resumes it, or forks it after the turn that the place is in. */
import type { AgentEvent } from '../../agent/event.ts'
import type { SessionPlace } from '../../conversation/queries/session/session-place.ts'
import { rewindPoints, type IndexedPoint } from '../../conversation/queries/session/rewind-points.ts'
import type { ChoicePrompt } from '../context/choice-prompt.ts'
import type { AppContext } from '../context/context.ts'
import { readStored } from '../context/stored-session.ts'
import type { Branching } from '../turns/branching.ts'
import type { Resuming } from '../turns/resuming.ts'

export type ContinueFromParts = {
  context: Pick<AppContext, 'sessions' | 'state' | 'hint'>
  choicePrompt: Pick<ChoicePrompt, 'ask'>
  resuming: Pick<Resuming, 'resume'>
  branching: Pick<Branching, 'forkAfter'>
}

/** The events that make the list of turns. */
const ofTurns: ReadonlySet<AgentEvent['type']> = new Set(['prompt_sent', 'turn_begun', 'prompt_refused'])

/** Asks if the place is not the end of its session. */
export async function continueFrom(parts: ContinueFromParts, { session, at }: SessionPlace): Promise<void> {
  const { context, choicePrompt, resuming, branching } = parts
  const { sessions, state, hint } = context
  if (!sessions) return
  const points = await pointsOf(sessions, session, () => !state().leaving)
  if (state().leaving) return
  if (points === null) return hint('That session is gone, or cannot be read.')
  const isOwn = session === sessions.current().id
  const point = points.findLast(each => each.at <= at)
  if (!point || point.turn === points.length) return resuming.resume(session)
  const fork = async (): Promise<void> => {
    const before = sessions.current().id
    if (!isOwn) await resuming.resume(session)
    // It may have failed, which was said.
    if (isOwn || sessions.current().id !== before) await branching.forkAfter(point.turn)
  }
  const later = points.length - point.turn
  choicePrompt.ask({
    title: `go on from turn ${point.turn} of ${points.length}`,
    answers: [
      {
        label: 'in a fork after this turn',
        detail: `without the ${later === 1 ? 'turn' : `${later} turns`} after it, which the session keeps`,
        run: () => void fork(),
      },
      ...(isOwn
        ? []
        : [{ label: 'at the end of the session', detail: 'resumes it', run: () => void resuming.resume(session) }]),
      { label: 'not now', detail: '', run: () => undefined },
    ],
  })
}

async function pointsOf(
  sessions: NonNullable<ContinueFromParts['context']['sessions']>,
  id: string,
  goesOn: () => boolean,
): Promise<IndexedPoint[] | null> {
  const events: AgentEvent[] = []
  const facts = await readStored(sessions, id, piece => {
    events.push(...piece.filter(({ type }) => ofTurns.has(type)))
    return goesOn()
  })
  return facts && rewindPoints(events)
}
