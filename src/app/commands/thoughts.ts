/** `/thoughts`: shows the model's thinking in full or folded to one line. */
import type { AppContext } from '../context/context.ts'

/** Unfolds (`on`), folds (`off`) or toggles it (''). The screen is redrawn; the scrollback stays as it was printed. */
export function switchThoughts({ state, dispatch, hint, keyed }: AppContext, redraw: () => void, wanted: string): void {
  if (!['', 'on', 'off'].includes(wanted)) return hint('/thoughts, /thoughts on or /thoughts off.')
  const thoughts = wanted === '' ? !state().thoughts : wanted === 'on'
  if (thoughts !== state().thoughts) {
    dispatch({ type: 'thoughts_chosen', thoughts })
    redraw()
  }
  hint(
    thoughts
      ? `Thinking is shown in full. ${keyed('{composer.thoughts} folds it.') || '/thoughts folds it.'}`
      : 'Thinking is folded.',
  )
}
