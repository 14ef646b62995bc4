/** The agent's to-do list above the working line, while the turn runs. */
import { currentPlan, currentStep } from '../../src/conversation/queries/current-plan.ts'
import type { ChatState } from '../../src/conversation/state.ts'
import type { Styled } from '../../src/style/styled.ts'
import type { Theme } from '../../src/style/theme.ts'
import { type Panel, rowsOnly } from '../regions.ts'
import { oneLine, sanitize } from '../../src/text/sanitize.ts'
import { foldedPlanLine, openPlanLines } from '../../src/transcript/plan-list.ts'

export const plan: Panel = {
  name: 'plan',
  draw: ({ state, theme, columns }, room) =>
    rowsOnly(planPanelLines(state.chat, { theme, width: columns, room }), true),
  /** The step that the agent has begun. */
  spoken(before, now) {
    const [was, is] = [before, now].map(({ chat }) => {
      const steps = currentPlan(chat)
      const step = steps && currentStep(steps)
      return steps && step ? `step ${steps.indexOf(step) + 1} of ${steps.length}: ${step.text}` : null
    })
    return is === was || typeof is !== 'string' ? [] : [oneLine(sanitize(is))]
  },
}

/** With fewer columns or rows than these it has one line. */
const NARROW = 50
const LOW = 14

/** `room`: the rows that the panel shares with the open turn. */
export function planPanelLines(
  chat: Pick<ChatState, 'open'>,
  { theme, width, room }: { theme: Theme; width: number; room: number },
): Styled[] {
  const steps = currentPlan(chat)
  if (!steps) return []
  const isFolded = !theme.isSpoken && (width < NARROW || room < LOW)
  return isFolded ? [foldedPlanLine(steps, { theme, width })] : openPlanLines(steps, { theme, width })
}
