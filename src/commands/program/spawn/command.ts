/** `/spawn`: sends a prompt to a new conversation in the background. */
import { NOT_DONE } from '../../../state/slash.ts'
import type { CommandApp } from '../../../app/command-app.ts'
import { RAISE_DAY } from '../../../storage/usage/raise-day.ts'
import { sentence } from '../../../text/sentence.ts'
import { slashCommand } from '../../slash-command.ts'
import { openConversation, typedPrompt } from '../open-conversation.ts'
import { readSpawnFlags } from './spawn-flags.ts'

export const spawn = slashCommand({
  name: 'spawn',
  aliases: ['background'],
  argument: '[prompt]',
  help: 'send a prompt to a new background conversation; or end the prompt with &; --worktree or --here: where it runs; --background: keeps running after zotui exits',
  group: 'program',
  needs: ['conversations'],
  async run(app, _argument, typed) {
    const { context } = app
    const { addNotice, addProgramNotice, hint, keyed } = context
    const flags = readSpawnFlags(typed)
    const prompt = typedPrompt(context, flags.prompt)
    if (prompt === null) return hint('/spawn needs a prompt: /spawn fix the failing tests')
    if (context.dayCost?.isReached()) {
      addNotice('error', `Nothing was started: ${context.dayCost.why()}.`, RAISE_DAY)
      return NOT_DONE
    }
    const { spawnPlace } = await import('./spawn-place.ts')
    const place = await spawnPlace({ ...flags, prompt }, app)
    if (!place.ok) {
      const what = place.isMade ? 'Nothing was started' : 'No worktree was made'
      addNotice('error', `${what}: ${place.why}.`, '/spawn --here works without one.')
      return NOT_DONE
    }
    const { folder, note, undo } = place
    const options = { prompt, ...(folder !== undefined && { folder }) }
    const number = flags.isBackground ? null : await openConversation(context, { ...options, isShown: false })
    const isBegun = flags.isBackground ? await begin(context, options, note) : number !== null
    if (!isBegun) {
      void undo()
      return NOT_DONE
    }
    if (number === null) return undefined
    const where = keyed(` {composer.list_conversations}, ${number} opens it.`)
    addProgramNotice('info', `Started conversation ${number}.${where}${note && ` ${note}`}`)
    return undefined
  },
})

/** Starts it in a process of its own; false if that failed. */
async function begin(
  { conversations, dispatch, addNotice, addProgramNotice, hint, keyed }: CommandApp['context'],
  options: { prompt: string; folder?: string },
  note: string,
): Promise<boolean> {
  hint('Starting it in the background.')
  const reply = await conversations?.begin(options)
  dispatch({ type: 'hinted', hint: null })
  if (reply?.ok === false) addNotice('error', `Nothing was started in the background: ${sentence(reply.message)}`)
  if (!reply?.ok) return false
  const where = keyed(`: {composer.list_conversations} lists it with &`)
  addProgramNotice('info', `It runs in the background${where}. ${note}`.trim(), `zotui attach ${reply.value}`)
  return true
}
