/** The screen below the scrollback, from the top. A new panel is a folder, and a line here. */
import { beside } from './beside/rows.ts'
import { composer } from './composer/panel.ts'
import { header } from './header/rows.ts'
import { keyDebug } from './key-debug/rows.ts'
import type { LiveFrame } from './live-frame.ts'
import { news } from './news/rows.ts'
import { list, listTitle } from './picker/panel.ts'
import { plan } from './plan/rows.ts'
import { popup } from './popup/rows.ts'
import { answers, question } from './question/panel.ts'
import { queue } from './queue/rows.ts'
import { steers } from './queue/steers.ts'
import { layOut, type LiveZone, type Panel, pieceOf, type ScreenLayout } from './regions.ts'
import { rowEach } from './row-each.ts'
import { hint, status } from './status/panel.ts'
import { shellCommand, turn } from './turn/rows.ts'
import { welcome } from './welcome/rows.ts'
import { shellWorking, leavingLine, working } from './working/rows.ts'

const progress = [working, shellWorking, steers, queue, news]

export const layout: ScreenLayout<LiveFrame> = {
  conversation: [header, turn, shellCommand, plan, beside, welcome],
  progress: rowEach(progress),
  input: [question, listTitle, composer],
  below: [answers, keyDebug, list, popup, hint, status],
}

export const panels: readonly Panel<LiveFrame>[] = [
  ...layout.conversation,
  ...progress,
  ...layout.input,
  ...layout.below,
]

export function liveZone(frame: LiveFrame): LiveZone {
  const { leaving } = frame.state
  if (leaving === null) return layOut(layout, frame)
  // While zotui ends, only the reason for waiting is shown, and then nothing.
  const reason = leaving === 'gone' ? null : leavingLine(frame.state, frame.theme, frame.columns)
  const pieces = reason ? [pieceOf('leaving', { rows: [reason] }, frame)] : []
  return { conversation: [], progress: pieces, input: [], below: [], cursor: { x: 0, y: 0 } }
}
