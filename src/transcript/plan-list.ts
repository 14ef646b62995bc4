/** The agent's to-do list, an item on each line. */
import { currentStep } from '../conversation/queries/current-plan.ts'
import type { Turn } from '../conversation/state.ts'
import { indented, drawn, type Styled } from '../style/styled.ts'
import { oneLine, sanitize } from '../text/sanitize.ts'
import { truncate } from '../text/lines/shorten.ts'
import { displayWidth } from '../text/lines/width.ts'
import { wrap } from '../text/lines/wrap.ts'
import type { ItemContext } from './entry-lines.ts'

type Plan = Turn['plan']

const SPOKEN: Readonly<Record<Plan[number]['status'], string>> = {
  completed: 'done:',
  in_progress: 'in progress:',
  pending: 'to do:',
}

/** Items shown while the turn runs. */
const OPEN_ITEMS = 6

/** One line: how many are done, and the item that the agent works on. */
export function foldedPlanLine(plan: Plan, { theme, width }: Pick<ItemContext, 'theme' | 'width'>): Styled {
  const { signs } = theme
  const done = sanitize(`${plan.filter(({ status }) => status === 'completed').length}/${plan.length}`)
  const step = currentStep(plan)
  if (!step) return indented(2, drawn`${theme.ok(sanitize(signs.done))} ${theme.dim(done)}`)
  const isBegun = step.status === 'in_progress'
  const sign = isBegun ? theme.running(sanitize(signs.begun)) : theme.dim(sanitize(signs.waiting))
  const room = Math.max(2, width - 5 - displayWidth(done) - displayWidth(sanitize(signs.begun)))
  const words = truncate(oneLine(sanitize(step.text)), room, signs.ellipsis)
  return indented(2, drawn`${sign} ${theme.dim(done)} ${isBegun ? theme.strong(words) : words}`)
}

/** The items around the first that is not done. */
export function openPlanLines(plan: Plan, context: Pick<ItemContext, 'theme' | 'width'>): Styled[] {
  if (plan.length <= OPEN_ITEMS) return planLines(plan, context)
  const next = plan.findIndex(({ status }) => status !== 'completed')
  const from = Math.max(0, Math.min(plan.length, next < 0 ? plan.length : next + OPEN_ITEMS - 2) - OPEN_ITEMS + 1)
  const shown = plan.slice(from, from + OPEN_ITEMS - 1)
  const more = `+${plan.length - shown.length} more, ${plan.filter(({ status }) => status === 'completed').length} done`
  return [...planLines(shown, context), indented(2, context.theme.dim(sanitize(more)))]
}

export function planLines(
  plan: Plan,
  { theme, width, whole = false }: Pick<ItemContext, 'theme' | 'width' | 'whole'>,
): Styled[] {
  const { signs, isSpoken } = theme
  const looks = {
    completed: { sign: theme.ok(sanitize(signs.done)), paint: theme.dim },
    in_progress: { sign: theme.running(sanitize(signs.begun)), paint: theme.strong },
    pending: { sign: theme.dim(sanitize(signs.waiting)), paint: (text: ReturnType<typeof sanitize>) => drawn`${text}` },
  }
  return plan.flatMap(({ text, status }) => {
    const { sign, paint } = looks[status]
    const words = oneLine(sanitize(text))
    const mark = isSpoken ? sanitize(SPOKEN[status]) : sign
    const room = Math.max(2, width - 3 - displayWidth(mark))
    // Text for a screen reader is never cut.
    const rows = whole || isSpoken ? wrap(words, room) : [truncate(words, room, signs.ellipsis)]
    return rows.map((row, index) => (index === 0 ? indented(2, drawn`${mark} ${paint(row)}`) : indented(4, paint(row))))
  })
}
