/** `/study`: the agent gets to know the project, or a part of it, before its first task. */
import { promptEntry } from '../../state/composer/queue-entry.ts'
import { slashCommand } from '../slash-command.ts'

export const study = slashCommand({
  name: 'study',
  argument: '[path]',
  completes: { files: true },
  help: 'have the agent explore the project or a part of it',
  group: 'agent',
  needsIdle: true,
  sendsPrompt: true,
  run({ context, turns }, _argument, typed) {
    if (context.state().chat.agent.phase === 'ready' || turns.machine.isReplacing())
      return turns.queue.say(promptEntry(studyPrompt(typed)))
    context.addNotice('warn', 'The agent is not running.', '/restart starts it again.')
  },
})

function studyPrompt(part: string): string {
  const what = part === '' ? 'this project' : `${part}, a part of this project,`
  return `Get to know ${what} before we work on it.

Begin with its layout and what it says about itself: the README, other documentation, notes for contributors and agents. See what it is built with, and how it is built, run and tested. Then read as much of its code as you need to say how the parts work together, the central parts first. Leave out dependencies, generated files and bulk data. Change nothing.

When you know your way around, tell me in short: what it is for, how it is put together and where to find what, how to build, run and test it, the conventions that new code should keep to, and whatever seems unfinished or wrong.`
}
