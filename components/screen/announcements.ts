/** Changes on the screen in words for people who use a screen reader: a line for each. */
import { labelled } from '../../src/state/composer/chips.ts'
import { visibleQuestion, type AppState } from '../../src/state/state.ts'
import { sanitize, type SafeText } from '../../src/text/sanitize.ts'
import { keyDebug } from '../key-debug/rows.ts'
import type { LiveFrame } from '../live-frame.ts'
import { news } from '../news/rows.ts'
import { list } from '../picker/panel.ts'
import { plan } from '../plan/rows.ts'
import { beside } from '../beside/rows.ts'
import { popup } from '../popup/rows.ts'
import { question } from '../question/panel.ts'
import { queue } from '../queue/rows.ts'
import { steers } from '../queue/steers.ts'
import type { Panel, SpokenContext } from '../regions.ts'
import { hint, status } from '../status/panel.ts'
import { working } from '../working/rows.ts'

/** The panels that say something, in the order in which they are spoken. */
export const speaking: readonly Panel<LiveFrame>[] = [
  news,
  working,
  plan,
  beside,
  steers,
  queue,
  status,
  question,
  list,
  popup,
  keyDebug,
  hint,
]

/** The changes from one state to the next in words, apart from the conversation itself. */
export function announcementLines(former: AppState, now: AppState, context: Omit<SpokenContext, 'former'>): SafeText[] {
  const before = sameConversation(former, now)
  return speaking.flatMap(({ spoken }) => spoken?.(before, now, { ...context, former }) ?? [])
}

/** The state to compare with. In another conversation only the list, the question and the hint are new. */
function sameConversation(before: AppState, now: AppState): AppState {
  if (before.startup.conversation === now.startup.conversation) return before
  return { ...now, picker: null, question: null, hint: null }
}

/** The text in the composer, with a bar at the caret unless it is at the end. */
export function announcedDraft(state: AppState): SafeText {
  const { chips } = state
  const { text, caret } = visibleQuestion(state)?.typed?.editor ?? state.editor
  const marked = caret < text.length ? `${text.slice(0, caret)}|${text.slice(caret)}` : text
  return sanitize(labelled(marked, chips))
}
