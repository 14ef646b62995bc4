/** The key of the line about another conversation: allows the call that the line shows in full, or else goes to that conversation. */
import type { ConversationRow, WaitingCall } from '../../state/conversations/conversations.ts'
import { conversationName } from '../../state/conversations/conversation-row.ts'
import { newsLineOf } from '../../state/conversations/news.ts'
import type { AppContext } from '../context/context.ts'
import type { ConversationActions } from './conversation-actions.ts'

/** Milliseconds for which the line must have stayed the same: a key that was pressed for another one does nothing. */
const QUIET = 400
/** The columns of the screen beside the composer's text. */
const BESIDE_COMPOSER = 2

export function createNewsKey(context: AppContext, actions: ConversationActions): () => void {
  const { conversations, state, hint, keyed } = context
  return () => {
    if (!conversations) return
    const size = { columns: context.composerWidth() + BESIDE_COMPOSER, rows: context.screenRows() }
    const line = newsLineOf(state(), size)
    if (!line) return hint('No other conversation has news.')
    const { row, does } = line
    if (does === 'opens' || !row.call) return goTo(row)
    if (context.elapsed() - state().newsChangedAt < QUIET) return hint('That line has just changed: press again.')
    void allow(row, row.call)
  }

  async function allow(row: ConversationRow, call: WaitingCall): Promise<void> {
    const isAnswered = await actions.answer(row, call.id, true)
    hint(isAnswered ? `Allowed once: ${call.subject}` : `Nothing was answered${keyed(': {composer.news} goes there')}.`)
    conversations?.follow()
  }

  /** Shows one of this zotui, attaches to one in the background, or resumes the session of one that has ended there. */
  function goTo(row: ConversationRow): void {
    if (row.backgroundId === undefined || row.number > 0) return actions.show(row.number)
    void attachOrResume(row, row.backgroundId)
  }

  async function attachOrResume(row: ConversationRow, id: string): Promise<void> {
    if ((await conversations?.attach(id))?.ok) return conversations?.dropNews(id)
    const folder = row.path
    const reply = await conversations?.open({ prompt: null, isShown: true, resumes: id, ...(folder && { folder }) })
    if (reply?.ok) return conversations?.dropNews(id)
    hint(`${conversationName(row)} is not shown: ${reply?.message ?? 'it has ended'}`)
  }
}
