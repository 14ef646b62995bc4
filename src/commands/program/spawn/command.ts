/** `/spawn`: sends a prompt to a new conversation in the background. */
import { NOT_DONE } from '../../../state/slash.ts'
import type { CommandApp } from '../../../app/command-app.ts'
import type { NewConversation } from '../../../app/context/conversations.ts'
import { RAISE_DAY } from '../../../storage/usage/raise-day.ts'
import { oneLine, sanitize } from '../../../text/sanitize.ts'
import { sentence } from '../../../text/sentence.ts'
import { slashCommand } from '../../slash-command.ts'
import { openConversation, typedPrompt } from '../open-conversation.ts'
import { machineNamed, readSpawnFlags, type SpawnFlags } from './spawn-flags.ts'

export const spawn = slashCommand({
  name: 'spawn',
  aliases: ['background'],
  argument: '[prompt]',
  help: 'send a prompt to a new background conversation; or end the prompt with &; --worktree, --here or --on MACHINE: where it runs; --agent NAME; --background: keeps running after zotui exits',
  group: 'program',
  needs: ['conversations'],
  async run(app, _argument, typed) {
    const { context } = app
    const { addNotice, addProgramNotice, hint, keyed } = context
    const flags = readSpawnFlags(typed)
    const prompt = typedPrompt(context, flags.prompt)
    const fault = faultOf(flags)
    if (fault !== null) return hint(fault)
    if (prompt === null) return hint('/spawn needs a prompt: /spawn fix the failing tests')
    if (context.dayCost?.isReached()) {
      addNotice('error', `Nothing was started: ${context.dayCost.why()}.`, RAISE_DAY)
      return NOT_DONE
    }
    const { on, agent } = flags
    const { HERE, spawnPlace } = await import('./spawn-place.ts')
    const place = on === null ? await spawnPlace({ ...flags, prompt }, app) : HERE
    if (!place.ok) {
      const what = place.isMade ? 'Nothing was started' : 'No worktree was made'
      const left = place.isLeft ? 'The worktree stays: /worktrees has it. ' : ''
      addNotice('error', `${what}: ${place.why}.`, `${left}/spawn --here works without one.`)
      return NOT_DONE
    }
    const { folder, note, undo } = place
    const options = {
      prompt,
      ...(folder !== undefined && { folder }),
      ...(on !== null && { on: machineNamed(on) }),
      ...(agent !== null && { agent }),
    }
    const opened = async (more: Pick<NewConversation, 'signal' | 'onProgress'>): Promise<number | null> =>
      openConversation(context, { ...options, ...more, isShown: false })
    const number = flags.isBackground ? null : on === null ? await opened({}) : await stoppable(context, on, opened)
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

/** Starts something on another machine, says what happens, and ends it with the stop key. */
async function stoppable<Result>(
  { starts, hint, keyed }: CommandApp['context'],
  on: string,
  start: (how: Required<Pick<NewConversation, 'signal' | 'onProgress'>>) => Promise<Result>,
): Promise<Result> {
  const stopping = new AbortController()
  // The key comes first: the words may be longer than the line, such as those of a scheduler.
  const onProgress = (words: string): void => hint(`${keyed('{composer.stop} stops it. ')}${oneLine(sanitize(words))}`)
  starts.add(stopping)
  onProgress(`Connecting to ${machineNamed(on)}…`)
  try {
    return await start({ signal: stopping.signal, onProgress })
  } finally {
    starts.delete(stopping)
  }
}

/** What cannot be done; null if there is nothing. */
function faultOf({ on, agent, place, isBackground }: SpawnFlags): string | null {
  if (on === '') return '/spawn --on needs a machine: ssh:HOST[:DIR], docker:CONTAINER[:DIR] or kubectl:POD[:DIR]'
  if (agent === '') return '/spawn --agent needs the name of an agent, or its command in quotes'
  if (on !== null && place !== null) return `/spawn takes --on or --${place}, not both`
  if (on !== null && isBackground) return NOT_THERE
  return null
}

/** A process in the background has no UI of its own: each that attaches has the files, the rules and the commands of this machine. */
const NOT_THERE =
  'Not in the background: a zotui that attaches would look for its files and its rules on this machine. Without --background it runs there until this zotui ends.'

/** Starts it in a process of its own; false if that failed. */
async function begin(
  { conversations, dispatch, addNotice, addProgramNotice, hint, keyed }: CommandApp['context'],
  options: { prompt: string; folder?: string; agent?: string },
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
