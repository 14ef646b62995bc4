/** What becomes of what was said when its turn comes: a prompt as it is, a command, or the prompt that a file makes of it. */
import type { PromptCommand } from '../../config/prompts/command.ts'
import { expandedLength } from '../../state/chips.ts'
import type { AppContext } from '../context/context.ts'
import type { PromptQueue } from './queue.ts'
import { parseSlash, type CommandName } from '../../state/slash.ts'

export type QueuedInput = { run: (entry: string) => void }

export type QueuedInputParts = {
  context: AppContext
  queue: Pick<PromptQueue, 'putBack'>
  /** Whether something can be sent now. */
  isFree: () => boolean
  /** While it lasts, nothing else is sent. */
  alone: <Value>(work: Promise<Value>) => Promise<Value>
  send: (text: string) => void
  runCommand: (name: CommandName, argument: string) => void
}

/** Characters. A file can say its argument any number of times, and the agent takes so much in one line only. */
const LONGEST_PROMPT = 10_000_000

export function createQueuedInput({ context, queue, isFree, alone, send, runCommand }: QueuedInputParts): QueuedInput {
  const { state, announce, commands, promptCommands } = context
  return { run }

  function run(entry: string): void {
    // As typed: a space before it makes a command text.
    const slash = parseSlash(entry, commands())
    if (slash === null) return send(entry)
    if (slash.kind === 'unknown') return void runLater(entry, slash.word)
    if (slash.command.kind === 'prompt') return void sendMade(slash.command, slash.argument, entry)
    runCommand(slash.command.name, slash.argument)
  }

  /** A command that is not there: it may be one of a file that has not been read yet, or is gone since it was typed. */
  async function runLater(entry: string, word: string): Promise<void> {
    if (!promptCommands.isRead()) await alone(promptCommands.read())
    if (parseSlash(entry, commands())?.kind !== 'unknown') return isFree() ? run(entry) : queue.putBack(entry, 'next')
    announce('warn', `There is no command ${word}, and nothing was sent.`, 'A space before it sends it as text.')
    queue.putBack(entry, 'held')
  }

  /** Sends what a command of a file makes of its argument, as the file is now. */
  async function sendMade(command: PromptCommand, argument: string, entry: string): Promise<void> {
    const made = await alone(command.prompt(argument))
    const isTooLong = made.ok && expandedLength(made.text, state().chips) > LONGEST_PROMPT
    if (made.ok && !isTooLong) return isFree() ? send(made.text) : queue.putBack(entry, 'next')
    const reason = made.ok ? 'makes a prompt of more than 10 MB' : made.reason
    announce('warn', `/${command.name} ${reason}, and nothing was sent.`)
    queue.putBack(entry, 'held')
  }
}
