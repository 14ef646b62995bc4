import type { InputRouter } from '../../../../src/app/input/input-router.ts'
import type { AppStore } from '../../../../src/state/app-store.ts'
import { createReplayControls, type Replayed } from '../../../../src/agents/replay/controls.ts'
import type { ReplayClock } from '../../../../src/agents/replay/clock.ts'

export type UiReplay = Replayed & { pace: ReplayClock; finished: Promise<void> }

/** Keys that control a replay. Typing does nothing; keys that only change the view still work. */
export function withReplayKeys(
  controller: InputRouter & { leave: () => Promise<void> },
  replay: UiReplay,
  store: AppStore,
): InputRouter {
  const controls = createReplayControls(replay.pace, replay, () => void controller.leave())
  const show = (): void => store.dispatch({ type: 'hinted', hint: controls.status() })
  const hear = (key: string): boolean => {
    const heard = controls.hear(key)
    if (heard) show()
    return heard
  }
  const sayEnd = async (): Promise<void> => {
    await replay.finished
    show()
  }
  void sayEnd()
  if (replay.pace.isPaused()) show()
  /** Passes input to an open page, which cannot change the replay. False while it is closed. */
  const inPage = (act: () => void): boolean => {
    if (!store.get().page) return false
    act()
    if (!store.get().page) show()
    return true
  }
  return {
    ...controller,
    press(key, raw) {
      if (inPage(() => controller.press(key, raw)) || hear(key)) return
      if (LOOKS.has(key)) controller.press(key, raw)
    },
    type(text, raw) {
      // Keys that were pressed quickly come as one text.
      for (const character of text) if (!inPage(() => controller.type(character, raw))) hear(character)
    },
    paste: (text, raw) => void inPage(() => controller.paste(text, raw)),
  }
}

const LOOKS = new Set(['ctrl+l', 'ctrl+o', 'ctrl+t', 'alt+h'])
