/** `/keys debug` shows what the terminal sent, the key that was read from it, and its action, which is not run. */
import { actionName } from '../../config/keys/action-name.ts'
import type { AppContext } from '../context/context.ts'
import type { Action } from '../../state/binding.ts'
import type { SeenKey } from '../../state/state.ts'

export type KeyDebug = {
  start: () => void
  /** Shows a key, and what the terminal sent for it; false if the key must have its usual effect. */
  press: (key: string, raw: string) => boolean
  /** The same for text; `meant` is the key that was pressed with Option on a Mac. */
  type: (meant: string | null, raw: string) => boolean
  paste: (text: string, raw: string) => boolean
  /** The same for input that is not a key. */
  ignore: (raw: string) => void
}

/** The maximum of rows on the screen. */
const SHOWN = 8
/** Ctrl+C closes the view, and the key of force_quit keeps its effect, too. */
const CARRIED_OUT: ReadonlySet<Action['do']> = new Set(['interrupt', 'force_quit'])

export function createKeyDebug({ state, dispatch, keymap }: AppContext): KeyDebug {
  return {
    start: () => show([]),
    press(key, raw) {
      const action = keymap.actionFor(key, 'composer')
      if (!state().watched) return false
      if (action && CARRIED_OUT.has(action.do)) {
        dispatch({ type: 'keys_watched', watched: null })
        return action.do === 'interrupt'
      }
      return add(raw, key, nameOf(key, action))
    },
    type(meant, raw) {
      const action = meant === null ? null : keymap.actionFor(meant, 'composer')
      if (meant !== null && action) return add(raw, `${meant}, typed by Option`, nameOf(meant, action))
      return add(raw, 'text', 'types it')
    },
    paste: (text, raw) => add(raw, 'paste', `pastes ${text.length} characters`),
    ignore: raw => void add(raw, null, null),
  }

  function nameOf(key: string, action: Action | null): string {
    if (action) return actionName('composer', action)
    return keymap.begins(key, 'composer') ? 'waits for a second key' : 'nothing'
  }

  function add(raw: string, key: string | null, action: string | null): boolean {
    const { watched } = state()
    if (watched) show([...watched, { bytes: readable(raw), key, action }].slice(-SHOWN))
    return watched !== null
  }

  function show(watched: readonly SeenKey[]): void {
    dispatch({ type: 'keys_watched', watched })
  }
}

/** Characters that are shown of one input. */
const LONGEST = 40

/** Bytes as people write them: `ESC [1;5D`, `^C`, `DEL`. */
function readable(raw: string): string {
  const text = raw.slice(0, LONGEST).replaceAll('\u001B', ' ESC ').replaceAll('\u007F', ' DEL ')
  const shown = text.replaceAll(/[\u0000-\u001F]/g, control => `^${String.fromCharCode(control.charCodeAt(0) + 64)}`)
  return `${shown.trim()}${raw.length > LONGEST ? '...' : ''}`
}
