/** What a person types in a story with a real agent. */
import type { Screen } from '../helpers/screen.ts'

/** Presses Enter when the line is on the screen: read together with text, that would be part of a paste. */
export async function say(zotui: Screen, line: string): Promise<void> {
  await zotui.type(line)
  await zotui.see(line)
  await zotui.press('enter')
}

/** Waits until no turn runs and none is being stopped. */
export const idle = (zotui: Screen): Promise<void> => zotui.gone(/\ds\s+Esc stops|stopping\s+\d/)
