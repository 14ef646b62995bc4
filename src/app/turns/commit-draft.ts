/** Puts the message that an agent wrote for `/commit` into the composer, as a `!` command to edit and send. */
import { withoutChips } from '../../composer/chips.ts'
import { addEntry } from '../../composer/history.ts'
import { normalisePaste } from '../../composer/paste.ts'
import { lastPromptedTurn } from '../../conversation/queries/last-turn.ts'
import type { Composing } from '../composer/composing.ts'
import { commitLine, commitMessageOf } from '../context/commit-message.ts'
import type { AppContext } from '../context/context.ts'

export type CommitDraft = {
  /** Called with each prompt that is sent; true if its answer will be a commit message. */
  follow: (asksForCommit: boolean) => void
  /** Called after each prompt. */
  after: () => void
}

export function createCommitDraft(context: AppContext, composing: Pick<Composing, 'edit'>): CommitDraft {
  const { state, dispatch, hint, keyed, host } = context
  let isAsked = false
  return {
    follow(asksForCommit) {
      isAsked = asksForCommit
    },
    after() {
      const turn = lastPromptedTurn(state().chat.entries)
      // A failed turn may be sent again.
      if (!isAsked || turn?.outcome !== 'done') return
      isAsked = false
      const message = commitMessageOf(turn)
      if (message === null) return
      // The shell of Windows has no here-documents.
      if (!host || host.platform === 'win32') return hint('/copy copies the message.')
      offer(commitLine(normalisePaste(withoutChips(message))))
    },
  }

  /** A key that was meant for a draft must not send the message, so a draft stays. */
  function offer(line: string): void {
    const { editor, edited, history } = state()
    if (edited || history.at !== null) return hint('/copy copies the message.')
    if (editor.text !== '') {
      context.drafts.remember(line)
      dispatch({ type: 'history_moved', editor, history: addEntry(history, line) })
      return hint(keyed('The commit is ready: {composer.up} fetches it.'))
    }
    composing.edit({ kind: 'setText', text: line })
    hint(keyed('{composer.submit} commits with this message, {composer.edit_outside} opens your editor.'))
  }
}
