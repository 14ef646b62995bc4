/** Sends or runs a queue entry: a prompt, a built-in command, or the prompt that a file makes of its argument. */
import type { PromptCommand } from '../../config/prompts/command.ts'
import { expandedLength } from '../../state/chips.ts'
import type { AppContext } from '../context/context.ts'
import type { PromptQueue } from './queue.ts'
import type { QueueEntry } from '../../state/queue-entry.ts'
import { commandOf, type CommandName } from '../../state/slash.ts'

export type QueuedInput = { run: (entry: QueueEntry) => void }

export type QueuedInputParts = {
  context: AppContext
  queue: Pick<PromptQueue, 'putBack'>
  /** Whether a prompt can be sent now. */
  isFree: () => boolean
  /** Nothing else is sent until `work` is done. */
  alone: <Value>(work: Promise<Value>) => Promise<Value>
  send: (text: string) => void
  runCommand: (name: CommandName, argument: string) => void
}

/** Characters. A file can repeat its argument any number of times, and the agent limits the length of a line. */
const LONGEST_PROMPT = 10_000_000

export function createQueuedInput({ context, queue, isFree, alone, send, runCommand }: QueuedInputParts): QueuedInput {
  const { state, announce, commands, promptCommands } = context
  return { run }

  function run(entry: QueueEntry): void {
    if (entry.kind === 'prompt') return send(entry.text)
    const { name, argument } = entry
    const command = commandOf(name, commands())
    if (!command) return void runLater(entry, name)
    if (command.kind === 'prompt') return void sendMade(command, argument, entry)
    runCommand(command.name, argument)
  }

  /** The command does not exist: its file may not have been read yet, or may be gone since it was typed. */
  async function runLater(entry: QueueEntry, name: string): Promise<void> {
    if (!promptCommands.isRead()) await alone(promptCommands.read())
    if (commandOf(name, commands())) return isFree() ? run(entry) : queue.putBack(entry, 'next')
    announce('warn', `There is no command /${name}, and nothing was sent.`, 'A space before it sends it as text.')
    queue.putBack(entry, 'held')
  }

  /** Sends the prompt that a file makes of the argument, as the file is now. */
  async function sendMade(command: PromptCommand, argument: string, entry: QueueEntry): Promise<void> {
    const made = await alone(command.prompt(argument))
    const isTooLong = made.ok && expandedLength(made.text, state().chips) > LONGEST_PROMPT
    if (made.ok && !isTooLong) return isFree() ? send(made.text) : queue.putBack(entry, 'next')
    const reason = made.ok ? 'makes a prompt of more than 10 MB' : made.reason
    announce('warn', `/${command.name} ${reason}, and nothing was sent.`)
    queue.putBack(entry, 'held')
  }
}
