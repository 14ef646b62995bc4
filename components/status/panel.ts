/** The last rows of the screen: a hint, or the status line with that of the user. */
import { currentWindows } from '../../src/conversation/queries/plan-windows.ts'
import { noCommandHint } from '../../src/state/completion/popup.ts'
import { vimWords } from '../../src/state/composer/vim-view.ts'
import type { AppState } from '../../src/state/state.ts'
import { oneLine, sanitize, type SafeText } from '../../src/text/sanitize.ts'
import { fromSlice } from '../from-slice.ts'
import type { LiveFrame } from '../live-frame.ts'
import { type Panel, rowsOnly } from '../regions.ts'
import { customStatusLine } from './custom-status.ts'
import { planFact } from './plan-windows.ts'
import { watchersFact, watchersInWords } from './watchers.ts'
import { drawStatus, HINT_ROWS, hintRows } from './rows.ts'

/** A hint that does not fit in a row. A shorter one is in the place of the status line. */
export const hint: Panel<LiveFrame> = {
  name: 'hint',
  draw(frame, room) {
    const words = hintOf(frame)
    const rows = words === null ? [] : hintRows(frame.state, words, frame, Math.min(HINT_ROWS, room))
    return rows.length > 1 ? rowsOnly(rows) : null
  },
  spoken: (before, now) => (now.hint !== null && now.hint !== before.hint ? [oneLine(sanitize(now.hint))] : []),
}

export const status = fromSlice(
  {
    name: 'status',
    spoken: (before, now) => [
      ...modeInWords(before, now),
      ...sandboxInWords(before, now),
      ...vimInWords(before, now),
      ...watchersInWords(before, now),
    ],
  },
  frame => {
    const { state, theme, columns, rows } = frame
    const { vim, statusFacts, sandbox, startup, raw, conversations, customStatus, watchers } = state
    const { agent, options, permissionMode, context, usage, usageIsPartial } = state.chat
    const limits = currentWindows(state.chat.limits, state.now)
    const chat = { agent, options, permissionMode, context, usage, usageIsPartial, limits }
    const shown = {
      hint: hintOf(frame),
      vim,
      statusFacts,
      sandbox,
      startup,
      raw,
      conversations,
      customStatus,
      watchers,
    }
    return { ...shown, ...chat, theme, columns, rows }
  },
  slice =>
    drawStatus({ ...slice, chat: slice }, slice, { custom: customStatusLine, plan: planFact, watchers: watchersFact }),
)

function hintOf({ state, commands }: Pick<LiveFrame, 'state' | 'commands'>): string | null {
  return state.hint ?? noCommandHint(state, commands)
}

/** The permission mode, which the status line shows. */
function modeInWords(before: AppState, { chat }: AppState): SafeText[] {
  const { permissionMode } = chat
  if (permissionMode === null || permissionMode === before.chat.permissionMode) return []
  return [sanitize(`permission mode ${permissionMode}`)]
}

function sandboxInWords({ sandbox: before }: AppState, { sandbox }: AppState): SafeText[] {
  return sandbox === before ? [] : [sanitize(`sandbox ${sandbox}`)]
}

/** The vim mode, or a note that it was switched off. */
function vimInWords({ vim: before }: AppState, { vim }: AppState): SafeText[] {
  if (vim?.mode === before?.mode) return []
  return [sanitize(vim ? `${vimWords[vim.mode].toLowerCase()} mode` : 'no vim keys')]
}
