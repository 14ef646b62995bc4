/** Finds the end of a copy of a session that keeps only some of its prompts. Pure. */
import type { SessionCut } from '../../../agent/backend.ts'

/**
 * The index of the first message that the copy leaves out; null where the history does not show it beyond doubt.
 *
 * The history may lack prompts: those that were stopped before a step was kept, and those that another agent answered. So prompts are
 * known by their texts. `shown` makes of a text of the history what the conversation has of it.
 */
export function placeOfCut(
  messages: readonly unknown[],
  { prompts, kept }: SessionCut,
  shown: (text: string) => string = text => text,
): number | null {
  const places = messages.flatMap((message, index) => (promptIn(message) === null ? [] : [index]))
  const texts = places.map(index => shown(promptIn(messages[index]) ?? ''))
  const first = earliest(texts, prompts)
  const last = earliest(texts.toReversed(), prompts.toReversed())
    ?.map(index => prompts.length - 1 - index)
    .toReversed()
  if (!first || !last) return null
  const count = first.filter(index => index < kept).length
  // Prompts with the same text can be confused: it may be unknown which of them the history has.
  if (count !== last.filter(index => index < kept).length) return null
  // The last prompt's answer is not in the history.
  if (kept > 0 && (first[count - 1] !== kept - 1 || last[count - 1] !== kept - 1)) return null
  const cut = places[count] ?? messages.length
  return cut - contextBefore(messages, cut)
}

/** The text of a prompt of the user; null for any other message. */
export function promptIn(message: unknown): string | null {
  const { role, content, transcript_role: by } = (message ?? {}) as UserMessage
  if (role !== 'user' || by !== undefined) return null
  const blocks = Array.isArray(content) ? (content as { text?: unknown }[]).map(block => block?.text) : [content]
  const texts = blocks.filter(text => typeof text === 'string')
  return texts.join('\n').trim()
}

type UserMessage = { role?: unknown; content?: unknown; transcript_role?: unknown }

/** The index of each text among the prompts, which are in the same order; null if one is not among them. */
function earliest(texts: readonly string[], prompts: readonly string[]): readonly number[] | null {
  const found: number[] = []
  for (const text of texts) {
    const index = prompts.findIndex((prompt, at) => at > (found.at(-1) ?? -1) && prompt.trim() === text)
    if (index === -1) return null
    found.push(index)
  }
  return found
}

/** The number of messages before this one that were sent with it. */
function contextBefore(messages: readonly unknown[], index: number): number {
  let count = 0
  while ((messages[index - count - 1] as UserMessage | undefined)?.transcript_role === 'injected_context') count += 1
  return count
}
