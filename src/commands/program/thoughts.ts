/** `/thoughts`: shows the model's thinking in full or folded to one line. */
import { slashCommand } from '../slash-command.ts'

export const thoughts = slashCommand({
  name: 'thoughts',
  argument: '[on|off]',
  help: "unfold or fold the model's thinking; if the agent reports it",
  group: 'program',
  /** Unfolds (`on`), folds (`off`) or toggles it (''). The screen is redrawn; the scrollback stays as it was printed. */
  run({ context: { state, dispatch, hint, keyed }, redraw }, argument) {
    if (!['', 'on', 'off'].includes(argument)) return hint('/thoughts, /thoughts on or /thoughts off.')
    const isShown = argument === '' ? !state().thoughts : argument === 'on'
    if (isShown !== state().thoughts) {
      dispatch({ type: 'thoughts_chosen', thoughts: isShown })
      redraw()
    }
    hint(
      isShown
        ? `Thinking is shown in full. ${keyed('{composer.thoughts} folds it.') || '/thoughts folds it.'}`
        : 'Thinking is folded.',
    )
  },
})
