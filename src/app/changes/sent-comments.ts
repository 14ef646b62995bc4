/** Comments that a prompt contains count as sent once that is sent, whatever became of its draft in between. */
import type { AgentEvent } from '../../agent/event.ts'
import type { AppContext } from '../context/context.ts'

type SentContext = Pick<AppContext, 'review' | 'now'>

/** Returns what takes each event. Prompts without the mark of a comment cost nothing. */
export function createSentComments(context: SentContext): (event: AgentEvent) => void {
  return event => {
    if (event.type !== 'prompt_sent' && event.type !== 'steer_delivered') return
    const isOfBefore = event.type === 'prompt_sent' && event.remembered === true
    if (!isOfBefore && event.text.includes('(comment ')) void markSent(context, event.text)
  }
}

async function markSent({ review, now }: SentContext, text: string): Promise<void> {
  const { commentsIn } = await import('../../review/comment-prompt.ts')
  const file = review()
  const open = file?.comments().filter(({ state }) => state === 'open') ?? []
  const sentAt = now()
  for (const comment of commentsIn(text, open)) file?.put({ ...comment, state: 'sent', sentAt, changedAt: sentAt })
}
