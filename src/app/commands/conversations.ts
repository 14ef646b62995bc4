/** The slash commands for several conversations. */
import { expand } from '../../state/chips.ts'
import { sentence } from '../../text/sentence.ts'
import type { AppContext } from '../context/context.ts'
import type { NewConversation } from '../context/conversations.ts'
import type { ConversationList } from '../pickers/conversations.ts'
import type { CommandRows } from '../turns/command-table.ts'

/** `hasMode` resolves when the user has chosen a permission mode, which another conversation begins with. */
export function conversationCommands(context: AppContext, list: ConversationList | null, hasMode: () => Promise<void>) {
  const { conversations, state, announce, aside, hint, keyed } = context
  return {
    conversations: argument => (argument === '' ? list?.open() : go(argument)),
    another: (_argument, typed) => open({ prompt: promptOf(typed), isShown: true }),
    spawn: (_argument, typed) => spawn(typed),
  } satisfies Partial<CommandRows>

  function go(argument: string): void {
    const number = /^[1-9]\d*$/.test(argument) ? Number(argument) : 0
    if (!conversations?.show(number)) hint(`There is no conversation ${argument}: /conversations lists them.`)
  }

  async function spawn(typed: string): Promise<void> {
    const prompt = promptOf(typed)
    if (prompt === null) return hint('/spawn needs a prompt: /spawn fix the failing tests')
    const number = await open({ prompt, isShown: false })
    if (number !== null)
      aside(
        'info',
        `Conversation ${number} answers that${keyed(`: {composer.list_conversations} ${number} goes there`)}.`,
      )
  }

  /** The typed text with what its chips stand for; null for none. */
  function promptOf(typed: string): string | null {
    const { text } = expand(typed, state().chips)
    return text.trim() === '' ? null : text
  }

  async function open(wanted: NewConversation): Promise<number | null> {
    await hasMode()
    const reply = await conversations?.open(wanted)
    if (reply?.ok === false) announce('error', `No conversation was opened: ${sentence(reply.message)}`)
    return reply?.ok ? reply.value : null
  }
}
