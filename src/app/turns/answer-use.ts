/** What becomes of the answer to a prompt from a file that says so: the message of a commit, or findings on the lines that they name. */
import { finalAnswer } from '../../conversation/queries/answer.ts'
import { lastPromptedTurn } from '../../conversation/queries/last-turn.ts'
import { isReplaced } from '../../platform/errors.ts'
import type { AppContext } from '../context/context.ts'
import { replacedNotice } from '../context/replaced.ts'
import type { CommitDraft } from './commit-draft.ts'

/** A review that was asked for. */
export type AskedReview = {
  /** The name of its command, without the slash. */
  command: string
  /** What to look at, as it was typed. */
  argument: string
}

export type ReviewAnswer = AskedReview & {
  answer: string
  /** When its turn began, in milliseconds since the Unix epoch. */
  at: number
}

/** Offers the findings of an answer on their lines. Rejects only if this part of the program is gone. */
export type OfferFindings = (review: ReviewAnswer) => Promise<void>

export type AskedUse = { kind: 'commit' } | ({ kind: 'findings' } & AskedReview)

export type AnswerUse = {
  /** Called with each prompt that is sent: what its answer is for; null if it is only for the user. */
  follow: (use: AskedUse | null) => void
  /** Called after each prompt. */
  after: () => void
}

export function createAnswerUse(
  context: Pick<AppContext, 'state' | 'addProgramNotice'>,
  { commitDraft, offerFindings }: { commitDraft: CommitDraft; offerFindings: OfferFindings },
): AnswerUse {
  let asked: AskedReview | null = null
  return {
    follow(use) {
      commitDraft.follow(use?.kind === 'commit')
      asked = use?.kind === 'findings' ? use : null
    },
    after() {
      commitDraft.after()
      const turn = lastPromptedTurn(context.state().chat.entries)
      // A failed turn may be sent again.
      if (!asked || turn?.outcome !== 'done') return
      const { command, argument } = asked
      asked = null
      void offer({ command, argument, answer: finalAnswer(turn), at: turn.startedAt })
    },
  }

  async function offer(review: ReviewAnswer): Promise<void> {
    try {
      await offerFindings(review)
    } catch (error) {
      if (!isReplaced(error)) throw error
      context.addProgramNotice(...replacedNotice)
    }
  }
}
