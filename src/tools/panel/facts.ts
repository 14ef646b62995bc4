/** The facts at the end of a call's title, most important first: on a narrow screen the last ones are dropped. */
import type { ToolCall } from '../../conversation/part.ts'
import { oneLine, sanitize, sanitizeExact } from '../../text/sanitize.ts'
import { joinStyled, type Styled } from '../../style/styled.ts'
import type { Theme } from '../../style/theme.ts'
import type { CallDescription, CallFact } from '../describe-call.ts'

export function paintedFact(fact: CallFact, theme: Theme): Styled {
  if (fact.kind !== 'changes') return theme[fact.tone](oneLine(sanitizeExact(fact.words)))
  return joinStyled([theme.added(sanitize(`+${fact.added}`)), theme.removed(sanitize(`-${fact.removed}`))], ' ')
}

/** The facts that must be shown even if the title has no room for them. */
export function vitalFacts({ facts }: CallDescription, { state, name, heldIn }: ToolCall, theme: Theme): Styled[] {
  // A failed call has its own sign, and its output shows the reason.
  const isVital = state === 'not_run' || state === 'aborted' || (state === 'failed' && name === 'bash')
  return facts
    .filter(
      ({ kind }) => kind === 'marks' || (kind === 'held' && heldIn === 'outside') || (kind === 'state' && isVital),
    )
    .map(fact => paintedFact(fact, theme))
}
