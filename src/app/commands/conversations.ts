/** The slash commands for several conversations. */
import { expand } from '../../state/composer/chips.ts'
import { sentence } from '../../text/sentence.ts'
import type { AppContext } from '../context/context.ts'
import type { NewConversation } from '../context/conversations.ts'
import type { ConversationList } from '../pickers/conversations.ts'
import type { CommandRows } from '../turns/command-runner.ts'
import { readSpawnFlags } from './spawn/spawn-flags.ts'
import { spawnPlace } from './spawn/spawn-place.ts'

/** `hasMode` resolves when the user has chosen a permission mode: a new conversation begins with it. */
export function conversationCommands(context: AppContext, list: ConversationList | null) {
  const { conversations, state, dispatch, announce, aside, hint, keyed } = context
  return {
    conversations: argument => (argument === '' ? list?.open() : argument === 'news' ? list?.news() : go(argument)),
    another: (_argument, typed) => open({ prompt: promptOf(typed), isShown: true }),
    spawn: (_argument, typed) => spawn(typed),
  } satisfies Partial<CommandRows>

  function go(argument: string): void {
    const number = /^[1-9]\d*$/.test(argument) ? Number(argument) : 0
    if (!conversations?.show(number)) hint(`There is no conversation ${argument}: /conversations lists them.`)
  }

  async function spawn(typed: string): Promise<void> {
    const flags = readSpawnFlags(typed)
    const prompt = promptOf(flags.prompt)
    if (prompt === null) return hint('/spawn needs a prompt: /spawn fix the failing tests')
    const place = await spawnPlace({ ...flags, prompt }, context)
    if (!place.ok) return announce('error', `No worktree was made: ${place.why}.`, '/spawn --here works without one.')
    const { folder, note, undo } = place
    if (flags.isBackground) {
      const isBegun = await begin({ prompt, ...(folder !== undefined && { folder }) }, note)
      return isBegun ? undefined : void undo()
    }
    const number = await open({ prompt, isShown: false, ...(folder !== undefined && { folder }) })
    if (number === null) return void undo()
    const where = keyed(` {composer.list_conversations}, ${number} opens it.`)
    aside('info', `Started conversation ${number}.${where}${note && ` ${note}`}`)
  }

  /** False if it could not be started. */
  async function begin(wanted: { prompt: string; folder?: string }, note: string): Promise<boolean> {
    hint('Starting it in the background.')
    const reply = await conversations?.begin(wanted)
    dispatch({ type: 'hinted', hint: null })
    if (reply?.ok === false) announce('error', `Nothing was started in the background: ${sentence(reply.message)}`)
    if (!reply?.ok) return false
    const where = keyed(`: {composer.list_conversations} lists it with &`)
    aside('info', `It runs in the background${where}. ${note}`.trim(), `zotui attach ${reply.value}`)
    return true
  }

  /** The typed text with its chips expanded; null if it is blank. */
  function promptOf(typed: string): string | null {
    const { text } = expand(typed, state().chips)
    return text.trim() === '' ? null : text
  }

  async function open(wanted: NewConversation): Promise<number | null> {
    const reply = await conversations?.open(wanted)
    if (reply?.ok === false) announce('error', `No conversation was opened: ${sentence(reply.message)}`)
    return reply?.ok ? reply.value : null
  }
}
