/** The answers to zot's calls: allowed, refused, or the result of a tool that zotui ran. */
import type { ToolOutcome } from '../../../local-tools/tool.ts'
import { tooLongAnswer } from '../../tool-host/model-messages.ts'
import type { GuardFrame, WireBlock } from './link/frames.ts'
import type { GuardLink } from './link/guard-link.ts'

export type Intercept = Extract<GuardFrame, { type: 'event_intercept' }>

/** zot cannot read a line of 4 MiB from an extension. In bytes, without what is around the content. */
const LONGEST_ANSWER = 4_180_000
/** Bytes of a part of the content, without its text or data. */
const MOST_OF_FRAME = 200

export type Replies = {
  /** Lets a call go on. */
  pass: (frame: Intercept) => void
  /** Refuses a call; the model reads the reason. */
  block: (frame: Intercept, reason: string) => void
  /** The result of a tool that ran here, for zot's call with this id or, before zot makes it, with this mark. */
  reply: (call: ResultOf, outcome: ToolOutcome) => void
}

export type ResultOf = { id: string } | { mark: string }

export function createReplies(link: Pick<GuardLink, 'send'>): Replies {
  return {
    pass({ id }) {
      link.send({ type: 'event_intercept_response', id })
    },
    block({ id }, reason) {
      link.send({ type: 'event_intercept_response', id, block: true, reason })
    },
    reply(call, outcome) {
      const bytes = tooManyBytes(outcome)
      const content: WireBlock[] = bytes === null ? toBlocks(outcome) : [{ type: 'text', text: tooLongAnswer(bytes) }]
      link.send({ type: 'tool_result', ...call, content, is_error: outcome.isError })
    },
  }
}

/** JSON has no more bytes than that for one character. */
const MOST_OF_CHARACTER = 6

/** The bytes of a content that is too long; null for one that is not. Most are too short for that by far. */
export function tooManyBytes({ content }: ToolOutcome): number | null {
  const characters = content.reduce((sum, part) => sum + (part.type === 'text' ? part.text : part.data).length, 0)
  if (characters * MOST_OF_CHARACTER < LONGEST_ANSWER - MOST_OF_FRAME * content.length) return null
  const bytes = Buffer.byteLength(JSON.stringify(content))
  return bytes > LONGEST_ANSWER ? bytes : null
}

/** The outcome of a tool that ran here, in zot's words. */
function toBlocks({ content }: ToolOutcome): WireBlock[] {
  return content.map(part => {
    if (part.type === 'image') return { type: 'image', mime_type: part.mimeType, data: part.data }
    // zot drops an empty text, and then says that there is no answer.
    return part.text === '' ? { type: 'text', text: '\n' } : part
  })
}
