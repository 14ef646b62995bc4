/** What zotui says itself: in the conversation, or in one line for the next key. */
import type { AgentEvent } from '../../agent/event.ts'
import type { Notice } from '../../conversation/part.ts'
import type { AppState } from '../../state/state.ts'
import { keyed, type KeyNames } from '../../text/key-hints.ts'
import type { CommandNaming } from './commands/command-name.ts'
import type { ScreenState } from './parts.ts'

export type Notices = {
  /** Prints a notice of zotui in the conversation. */
  addNotice: (level: Notice['level'], text: string, hint?: string) => void
  /** Prints a notice that is about zotui and not about the conversation: exports omit it. */
  addProgramNotice: (level: Notice['level'], text: string, hint?: string) => void
  /** Prints a Markdown text of zotui in the conversation. */
  show: (markdown: string) => void
  /** Prints a preview of what a question is about, in Markdown. Call the result with a few words if the user cancels it: it folds then. */
  preview: (markdown: string) => (words: string) => void
  /** Shows one line until the next key; `armed` is the effect of a second press. */
  hint: (text: string, armed?: AppState['armed']) => void
  /** A hint with the names of keys in its placeholders; see `keyed` of `text/key-hints.ts`. */
  keyed: (hint: string) => string
}

type NoticeEvent = Extract<AgentEvent, { type: 'remark_made' }>

export type NoticesParts = Pick<ScreenState, 'dispatch'> & {
  publish: (events: readonly AgentEvent[]) => void
  naming: Pick<CommandNaming, 'take'>
  keyNames: KeyNames
  now: () => number
}

/** Milliseconds that a key which must be pressed twice waits for its second press. */
const ARMED = 2000

/** `stop` ends the timer of a hint. */
export function createNotices({
  publish,
  naming,
  keyNames,
  now,
  dispatch,
}: NoticesParts): Notices & { stop: () => void } {
  let disarming: NodeJS.Timeout | undefined
  const add = (notice: Pick<NoticeEvent, 'level' | 'text'> & Partial<NoticeEvent>): void => {
    const command = naming.take()
    const answers = command === undefined ? {} : { command }
    publish([{ type: 'remark_made', at: now(), hint: null, markdown: false, ...notice, ...answers }])
  }
  return {
    addNotice: (level, text, hint = '') => add({ level, text, hint: hint || null }),
    addProgramNotice: (level, text, hint = '') => add({ level, text, hint: hint || null, aside: true }),
    show: text => add({ level: 'info', text, markdown: true }),
    preview(text) {
      add({ level: 'info', text, markdown: true, isPreview: true })
      return words => add({ level: 'info', text: words, cancels: true, details: text, aside: true })
    },
    hint(text, armed = null) {
      clearTimeout(disarming)
      dispatch({ type: 'hinted', hint: text, armed })
      if (armed) disarming = setTimeout(() => dispatch({ type: 'hinted', hint: null }), ARMED)
    },
    keyed: hint => keyed(keyNames, hint),
    stop: () => clearTimeout(disarming),
  }
}
