/** `/raw`: shows messages as source, so that the terminal's selection copies the source. */
import type { AppContext } from '../context/context.ts'

/** Sets raw mode (`on`, `off`), or toggles it (''). The screen is redrawn; the scrollback stays as it was printed. */
export function switchRaw({ state, dispatch, hint, keyed }: AppContext, redraw: () => void, wanted: string): void {
  if (!['', 'on', 'off'].includes(wanted)) return hint('/raw, /raw on or /raw off.')
  const raw = wanted === '' ? !state().raw : wanted === 'on'
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
