/** The conversation of a subagent in the place of the whole one. */
import { taskTitle } from '../../../src/conversation/queries/task-words.ts'
import { initialChat, type AgentTask, type ChatState, type Entry } from '../../../src/conversation/state.ts'
import type { AppState } from '../../../src/state/state.ts'
import { formatBytes } from '../../../src/text/format.ts'

/** Makes the function that puts it there. Its entries are the same for the same conversation, so that they are drawn once. */
export function conversationOfTask(id: string): (app: AppState) => AppState {
  let last: { entries: readonly Entry[]; omitted: number; all: readonly Entry[] } | null = null

  function entriesOf({ omitted }: AgentTask, { entries }: ChatState): readonly Entry[] {
    if (last?.entries !== entries || last.omitted !== omitted)
      last = { entries, omitted, all: [noteOf(omissionWords(omitted)), ...entries] }
    return last.all
  }

  return app => {
    const task = app.chat.tasks.get(id)
    // A shortened conversation is another one: its parts have other places.
    const restored = { ...app.restored, times: app.restored.times + (task?.omitted ?? 0) }
    const chat = task?.chat ?? initialChat
    const entries = task && task.omitted > 0 ? entriesOf(task, chat) : task?.chat ? chat.entries : task ? SILENT : GONE
    return { ...app, restored, chat: { ...chat, entries } }
  }
}

/** Whose conversation it is, for the line at the bottom. */
export function whoseConversation({ chat }: AppState, id: string): string {
  const task = chat.tasks.get(id)
  return task ? taskTitle(task) : ''
}

const omissionWords = (omitted: number): string =>
  `The beginning of this conversation is not kept in memory: about ${formatBytes(omitted)}. Exports of the session have all of it.`

/** An entry that stands where there is no conversation. */
export const noteOf = (text: string): Entry => ({
  kind: 'notice',
  withdrawn: false,
  at: 0,
  level: 'info',
  source: null,
  text,
  hint: null,
  markdown: false,
})

const GONE: readonly Entry[] = [noteOf('This subagent is no longer known.')]
const SILENT: readonly Entry[] = [noteOf('The agent has reported nothing of this conversation.')]
