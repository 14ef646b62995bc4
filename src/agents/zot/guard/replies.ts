/** The answers to zot's calls: allowed, refused, or the result of a tool that zotui ran. */
import type { ToolOutcome } from '../../../local-tools/tool.ts'
import { tooLongAnswer } from '../../calls/model-messages.ts'
import type { GuardFrame, WireBlock } from './link/frames.ts'
import type { GuardLink } from './link/guard-link.ts'

export type Intercept = Extract<GuardFrame, { type: 'event_intercept' }>

/** zot cannot read a line of 4 MiB from an extension. In bytes, without what is around the content. */
const LONGEST_ANSWER = 4_180_000

export type Replies = {
  /** Lets a call go on. */
  pass: (frame: Intercept) => void
  /** Refuses a call; the model reads the reason. */
  block: (frame: Intercept, reason: string) => void
  /** The result of a tool that ran here. */
  reply: (id: string, outcome: ToolOutcome) => void
}

export function createReplies(link: Pick<GuardLink, 'send'>): Replies {
  return {
    pass({ id }) {
      link.send({ type: 'event_intercept_response', id })
    },
    block({ id }, reason) {
      link.send({ type: 'event_intercept_response', id, block: true, reason })
    },
    reply(id, outcome) {
      const bytes = Buffer.byteLength(JSON.stringify(outcome.content))
      const content: WireBlock[] =
        bytes > LONGEST_ANSWER ? [{ type: 'text', text: tooLongAnswer(bytes) }] : toBlocks(outcome)
      link.send({ type: 'tool_result', id, content, is_error: outcome.isError })
    },
  }
}

/** The outcome of a tool that ran here, in zot's words. */
function toBlocks({ content }: ToolOutcome): WireBlock[] {
  return content.map(part => {
    if (part.type === 'image') return { type: 'image', mime_type: part.mimeType, data: part.data }
    // zot drops an empty text, and then says that there is no answer.
    return part.text === '' ? { type: 'text', text: '\n' } : part
  })
}
