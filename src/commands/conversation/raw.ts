/** `/raw`: shows messages as source, so that the terminal's selection copies the source. */
import type { CommandApp } from '../../app/command-app.ts'
import { slashCommand } from '../slash-command.ts'

export const raw = slashCommand({
  name: 'raw',
  argument: '[on|off]',
  completes: { choices: () => ['on', 'off'].map(label => ({ label, detail: '' })) },
  help: 'raw mode: show text as written; to select and copy it',
  group: 'conversation',
  run: ({ context, redraw }, argument) => switchRaw(context, redraw, argument),
})

/** Sets raw mode (`on`, `off`), or toggles it (''). The screen is redrawn; the scrollback stays as it was printed. */
export function switchRaw(
  { state, dispatch, hint, keyed }: CommandApp['context'],
  redraw: () => void,
  typed: string,
): void {
  if (!['', 'on', 'off'].includes(typed)) return hint('/raw, /raw on or /raw off.')
  const raw = typed === '' ? !state().raw : typed === 'on'
  if (raw !== state().raw) {
    dispatch({ type: 'raw_chosen', raw })
    redraw()
  }
  hint(
    raw
      ? `Raw mode: text is shown as written. ${keyed('{composer.raw} ends it.') || '/raw ends it.'}`
      : 'Raw mode is off.',
  )
}
