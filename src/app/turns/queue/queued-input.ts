/** Sends or runs a queue entry: a prompt, a built-in command, or the prompt that a file makes of its argument. */
import type { PromptCommand } from '../../../config/prompts/command.ts'
import { expandedLength } from '../../../state/chips.ts'
import type { AppContext } from '../../context/context.ts'
import type { CommandTable } from '../command-table.ts'
import type { Delivery } from '../delivery.ts'
import type { Operation } from '../operation.ts'
import type { QueueEntries } from './entries.ts'
import type { QueueEntry } from '../../../state/queue-entry.ts'
import { commandOf } from '../../../state/slash.ts'

export type QueuedInput = { run: (entry: QueueEntry) => void }

export type QueuedInputParts = {
  context: AppContext
  entries: Pick<QueueEntries, 'putBack'>
  operation: Pick<Operation, 'isFree' | 'alone'>
  delivery: Pick<Delivery, 'send'>
  table: Pick<CommandTable, 'run'>
}

/** Characters. A file can repeat its argument any number of times, and the agent limits the length of a line. */
const LONGEST_PROMPT = 10_000_000

export function createQueuedInput({ context, entries, operation, delivery, table }: QueuedInputParts): QueuedInput {
  const { state, announce, commands, promptCommands } = context
  const { isFree, alone } = operation
  return { run }

  function run(entry: QueueEntry): void {
    if (entry.kind === 'prompt') return delivery.send(entry.text)
    const { name, argument } = entry
    const command = commandOf(name, commands())
    if (!command) return void runLater(entry, name)
    if (command.kind === 'prompt') return void sendMade(command, argument, entry)
    table.run(command.name, argument)
  }

  /** The command does not exist: its file may not have been read yet, or may be gone since it was typed. */
  async function runLater(entry: QueueEntry, name: string): Promise<void> {
    if (!promptCommands.isRead()) await alone(promptCommands.read())
    if (commandOf(name, commands())) return isFree() ? run(entry) : entries.putBack(entry, 'next')
    announce('warn', `There is no command /${name}, and nothing was sent.`, 'A space before it sends it as text.')
    entries.putBack(entry, 'held')
  }

  /** Sends the prompt that a file makes of the argument, as the file is now. */
  async function sendMade(command: PromptCommand, argument: string, entry: QueueEntry): Promise<void> {
    const made = await alone(command.prompt(argument))
    const isTooLong = made.ok && expandedLength(made.text, state().chips) > LONGEST_PROMPT
    if (made.ok && !isTooLong) return isFree() ? delivery.send(made.text) : entries.putBack(entry, 'next')
    const reason = made.ok ? 'makes a prompt of more than 10 MB' : made.reason
    announce('warn', `/${command.name} ${reason}, and nothing was sent.`)
    entries.putBack(entry, 'held')
  }
}
