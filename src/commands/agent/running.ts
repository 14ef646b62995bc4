/** `/running`: the agent's commands that run, and the processes that they left; ends one. */
import type { RunningCommand } from '../../agent/requests.ts'
import type { CommandApp } from '../../app/command-app.ts'
import type { ChoiceAnswer } from '../../app/context/choice-prompt.ts'
import { formatDuration } from '../../text/format.ts'
import { sanitizeExact } from '../../text/sanitize.ts'
import { sentence } from '../../text/sentence.ts'
import { slashCommand } from '../slash-command.ts'

export const running = slashCommand({
  name: 'running',
  aliases: ['ps', 'jobs'],
  help: 'running commands and leftover processes; end one',
  group: 'agent',
  abilities: ['listRunning'],
  run: ({ context, choicePrompt }) => void listRunning(context, choicePrompt),
})

type Context = CommandApp['context']

async function listRunning(context: Context, choicePrompt: CommandApp['choicePrompt']): Promise<void> {
  const commands = await context.backend.listRunning()
  if (commands.length === 0) return context.hint('The agent has no commands running, and left none in the background.')
  const answers = commands.map(command => answerFor(context, command))
  choicePrompt.ask({ title: 'running: end which one?', answers })
}

function answerFor(context: Context, command: RunningCommand): ChoiceAnswer {
  const age = formatDuration(Math.max(0, context.now() - command.startedAt))
  const facts = [String(command.pid), age]
  const detail = command.callId === null ? 'left in the background' : 'runs now'
  const label = sanitizeExact(command.command)
  // A narrow screen cuts the command off: then it stands whole below the list.
  return { label, facts, detail, whole: `${detail}: ${label}`, run: () => void end(context, command) }
}

async function end(
  { backend, addProgramNotice, hint, state }: Context,
  { pid, command }: RunningCommand,
): Promise<void> {
  const reply = await backend.endRunning(pid)
  if (!reply.ok) return addProgramNotice('error', `${command} was not ended: ${sentence(reply.message)}`)
  hint(`Ended ${command}${state().chat.open ? '; the turn continues' : ''}.`)
}
