/** `/keys debug`: shows what the terminal sent, the key that was read from it, and what that key does. Nothing is done. */
import { actionName } from '../../config/keys/action-name.ts'
import type { AppContext } from '../context/context.ts'
import type { Action } from '../../state/keymap.ts'
import type { SeenKey } from '../../state/state.ts'

export type KeyDebug = {
  start: () => void
  /** What the terminal sent, right before the program hears of it. */
  sent: (raw: string) => void
  /** Shows a key; false where nobody watches, and the key is to be carried out. */
  press: (key: string) => boolean
  /** The same of text; `meant` is the key that Option was held for on a Mac. */
  type: (meant: string | null) => boolean
  paste: (text: string) => boolean
}

/** So many are shown. */
const SHOWN = 8
/** Ctrl+C leaves, and the key for emergencies is one. */
const CARRIED_OUT: ReadonlySet<Action['do']> = new Set(['interrupt', 'emergency'])

export function createKeyDebug({ state, dispatch, keymap }: AppContext): KeyDebug {
  return {
    start: () => show([]),
    sent(raw) {
      const { watched } = state()
      if (watched) show([...watched, { bytes: readable(raw), key: null, action: null }].slice(-SHOWN))
    },
    press(key) {
      const action = keymap.actionFor(key, 'composer')
      if (!state().watched) return false
      if (action && CARRIED_OUT.has(action.do)) {
        dispatch({ type: 'keys_watched', watched: null })
        return action.do === 'interrupt'
      }
      return told(key, nameOf(key, action))
    },
    type(meant) {
      const action = meant === null ? null : keymap.actionFor(meant, 'composer')
      if (meant !== null && action) return told(`${meant}, typed by Option`, nameOf(meant, action))
      return told('text', 'types it')
    },
    paste: text => told('paste', `pastes ${text.length} characters`),
  }

  function nameOf(key: string, action: Action | null): string {
    if (action) return actionName('composer', action)
    return keymap.begins(key, 'composer') ? 'waits for a second key' : 'nothing'
  }

  /** Says what came of what was sent last. */
  function told(key: string, action: string): boolean {
    const { watched } = state()
    const last = watched?.at(-1)
    if (!watched) return false
    show([...watched.slice(0, -1), { bytes: last?.bytes ?? '', key, action }])
    return true
  }

  function show(watched: readonly SeenKey[]): void {
    dispatch({ type: 'keys_watched', watched })
  }
}

/** Of a paste, no more than this. */
const LONGEST = 40

/** Bytes as people write them: `ESC [1;5D`, `^C`, `DEL`. */
function readable(raw: string): string {
  const text = raw.slice(0, LONGEST).replaceAll('\u001B', ' ESC ').replaceAll('\u007F', ' DEL ')
  const shown = text.replaceAll(/[\u0000-\u001F]/g, control => `^${String.fromCharCode(control.charCodeAt(0) + 64)}`)
  return `${shown.trim()}${raw.length > LONGEST ? '...' : ''}`
}
