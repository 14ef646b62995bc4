/**
 * Comments that a prompt contains count as sent once that is sent, whatever became of its draft in between. If the agent refuses it, they are
 * open again.
 */
import type { AgentEvent } from '../../agent/event.ts'
import type { AppContext } from '../context/context.ts'

type SentContext = Pick<AppContext, 'review' | 'now'>

/** Returns what takes each event. Prompts without the mark of a comment cost nothing. */
export function createSentComments(context: SentContext): (event: AgentEvent) => void {
  /** What undoes the last prompt. */
  let last: Promise<() => void> | null = null
  return event => {
    if (event.type === 'prompt_refused') {
      void last?.then(reopen => reopen())
      last = null
    }
    if (event.type !== 'prompt_sent' && event.type !== 'steer_delivered') return
    if (event.type === 'prompt_sent') last = null
    const isOfBefore = event.type === 'prompt_sent' && event.remembered === true
    if (isOfBefore || !event.text.includes('(comment ')) return
    const marking = markSent(context, event.text).catch(() => () => undefined)
    if (event.type === 'prompt_sent') last = marking
  }
}

/** Returns what opens them again. */
async function markSent({ review, now }: SentContext, text: string): Promise<() => void> {
  const { commentsIn } = await import('../../review/comment-prompt.ts')
  const file = review()
  const open = file?.comments().filter(({ state }) => state === 'open') ?? []
  const sentAt = now()
  const sent = commentsIn(text, open)
  for (const { id } of sent) file?.change(id, { state: 'sent', sentAt })
  return () => {
    const now = new Map(file?.comments().map(comment => [comment.id, comment]))
    for (const { id, sentAt: before } of sent) {
      const comment = now.get(id)
      if (comment?.state === 'sent' && comment.sentAt === sentAt) file?.change(id, { state: 'open', sentAt: before })
    }
  }
}
