/** Plays a session in the UI. */
import { loadColours } from '../../../../src/app/context/colours.ts'
import type { InputRouter } from '../../../../src/app/input/input-router.ts'
import type { AppStore } from '../../../../src/state/app-store.ts'
import { createReplayControls } from '../../../../src/replay/controls.ts'
import type { Replay } from '../../../../src/replay/player.ts'
import { formatDuration } from '../../../../src/text/format.ts'

export type ReplayParts = {
  store: AppStore
  keyboard: InputRouter
  leave: () => Promise<void>
  /** Moves elapsed times on the screen as long as something is going on. */
  followClock: () => void
}

export type ReplayInput = {
  /** Keys that control the replay. Typing does nothing; keys that only change the view still work. */
  keyboard: InputRouter
  begin: () => void
}

export function createReplayInput(replay: Replay, { store, keyboard, leave, followClock }: ReplayParts): ReplayInput {
  const { clock } = replay
  const controls = createReplayControls(clock, replay, () => void leave())
  const hint = (words: string | null): void => store.dispatch({ type: 'hinted', hint: words })
  const show = (): void => hint(controls.status())
  let isWaiting = false
  const pressControl = (key: string): boolean => {
    const isControl = controls.press(key)
    if (isControl) show()
    return isControl
  }
  const play = async (): Promise<void> => {
    await replay.play({
      chat: () => store.get().chat,
      show(chat, events) {
        for (const event of events) loadColours(event)
        store.dispatch({ type: 'conversation_folded', chat, now: replay.now() })
        followClock()
        if (isWaiting) hint(null)
        isWaiting = false
      },
      onWait(leftOut) {
        isWaiting = !clock.isPaused()
        if (isWaiting) hint(`A wait, shortened by ${formatDuration(leftOut)}.`)
      },
    })
    show()
  }
  /** Passes input to an open page, which cannot change the replay. False while it is closed. */
  const inPage = (act: () => void): boolean => {
    if (!store.get().page) return false
    act()
    if (!store.get().page) show()
    return true
  }
  return {
    begin() {
      store.dispatch({ type: 'edited', editor: { ...store.get().editor, text: INSTEAD } })
      if (clock.isPaused()) show()
      void play()
    },
    keyboard: {
      ...keyboard,
      press(key, raw) {
        if (inPage(() => keyboard.press(key, raw)) || pressControl(key)) return
        if (LOOKS.has(key)) keyboard.press(key, raw)
      },
      type(text, raw) {
        // Keys that were pressed quickly come as one text.
        for (const character of text) if (!inPage(() => keyboard.type(character, raw))) pressControl(character)
      },
      paste: (text, raw) => void inPage(() => keyboard.paste(text, raw)),
    },
  }
}

/** Stands in the composer, which takes no text. */
const INSTEAD = 'A replay: nothing is sent.'

const LOOKS = new Set(['ctrl+l', 'ctrl+o', 'ctrl+t', 'alt+h'])
