/** A stored session in the place of the conversation. */
import type { ChatPlace } from '../../../src/conversation/queries/session/place-in-chat.ts'
import { shownPrompt } from '../../../src/conversation/queries/shown-prompt.ts'
import { initialChat, type ChatState, type Entry } from '../../../src/conversation/state.ts'
import type { AppState } from '../../../src/state/state.ts'
import { formatPercent } from '../../../src/text/format.ts'
import { conversationOfTask, noteOf } from './task.ts'

/** What was read so far of a session that is shown instead of the conversation. */
export type ShownSession = {
  id: string
  /** Null until enough of it was read to show the place that is asked for. */
  chat: ChatState | null
  /** From 0 to 1. */
  share: number
  /** Unsanitised; '' while it is not known. */
  title: string
  /** Its folder as an absolute path; null while it is not known. */
  folder: string | null
  /** The subagent whose conversation the place is in. */
  task: string | null
  /** One line instead of the session, if it cannot be read. */
  problem: string | null
}

/** The place that is shown once it is drawn, with the words that are searched for there. */
export type Arrival = Pick<ChatPlace, 'entry' | 'part'> & { isCall: boolean; words: string }

/** A session of which nothing was read yet. */
export function unread(id: string): ShownSession {
  return { id, chat: null, share: 0, title: '', folder: null, task: null, problem: null }
}

/** What names a session in the line at the bottom. Unsanitised. */
export function nameOfSession({ id, title, chat }: ShownSession): string {
  if (title !== '') return title
  const first = chat?.entries.find(entry => entry.kind === 'turn' && entry.prompt !== '')
  return first?.kind === 'turn' ? shownPrompt(first) : id
}

/** Makes the function that puts a session there. Its entries are the same as long as nothing more was read. */
export function conversationOfSession(): (app: AppState, shown: ShownSession) => AppState {
  let last: { words: string; entries: readonly Entry[] } | null = null
  let ofTask: { id: string; of: (app: AppState) => AppState } | null = null

  function entriesOf(words: string): readonly Entry[] {
    if (last?.words !== words) last = { words, entries: [noteOf(words)] }
    return last.entries
  }

  return (app, { chat, share, problem, task }) => {
    // The session is another conversation than what is shown while it is read.
    const restored = { ...app.restored, times: app.restored.times + (chat ? 2 : 1) }
    if (!chat) {
      const words = problem ?? `The session is being read: ${formatPercent(share)}.`
      return { ...app, restored, chat: { ...initialChat, entries: entriesOf(words) } }
    }
    if (task === null) return { ...app, restored, chat }
    if (ofTask?.id !== task) ofTask = { id: task, of: conversationOfTask(task) }
    return ofTask.of({ ...app, restored, chat })
  }
}

export const GONE = 'This session is gone, or cannot be read.'
