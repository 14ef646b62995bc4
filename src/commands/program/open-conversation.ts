/** Opens another conversation, for /another and /spawn. */
import type { CommandApp } from '../../app/command-app.ts'
import type { NewConversation } from '../../app/context/conversations.ts'
import { expand } from '../../state/composer/chips.ts'
import { sentence } from '../../text/sentence.ts'

/** Its number; null if it could not be opened, which is said. */
export async function openConversation(
  { conversations, addNotice }: CommandApp['context'],
  options: NewConversation,
): Promise<number | null> {
  const reply = await conversations?.open(options)
  if (reply?.ok === false) addNotice('error', `No conversation was opened: ${sentence(reply.message)}`)
  return reply?.ok ? reply.value : null
}

/** The typed text with its chips expanded; null if it is blank. */
export function typedPrompt({ state }: CommandApp['context'], typed: string): string | null {
  const { text } = expand(typed, state().chips)
  return text.trim() === '' ? null : text
}
