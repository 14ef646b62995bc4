/** Sends or runs a queue entry: a prompt, a built-in command, or the prompt that a file makes of its argument. */
import type { PromptCommand } from '../../../config/prompts/command.ts'
import type { PromptCheck } from '../../../hooks/prompts.ts'
import { edit } from '../../../composer/editor.ts'
import { expand, expandedLength } from '../../../state/composer/chips.ts'
import type { AppContext } from '../../context/context.ts'
import { nothingAttached } from '../../mentions/mention-reader.ts'
import type { CommandRunner } from '../command-runner.ts'
import type { CommitDraft } from '../commit-draft.ts'
import type { Delivery } from '../delivery.ts'
import type { Operation } from '../operation.ts'
import type { QueueEntries } from './entries.ts'
import { entryText, type QueueEntry } from '../../../state/composer/queue-entry.ts'
import { commandOf } from '../../../state/slash.ts'

export type QueuedInput = { run: (entry: QueueEntry) => void }

export type QueuedInputParts = {
  context: AppContext
  entries: Pick<QueueEntries, 'putBack' | 'pause'>
  operation: Pick<Operation, 'isFree' | 'alone'>
  delivery: Pick<Delivery, 'send' | 'read'>
  commitDraft: Pick<CommitDraft, 'follow'>
  runner: Pick<CommandRunner, 'run'>
}

/** `mentioning` is the part that may mention files; `shown` is what people see instead of the text. */
type SentText = { text: string; mentioning: string; shown: string }

const unchecked: PromptCheck = { ok: true, context: [], onSent() {} }

/** Characters. A prompt file can repeat its argument any number of times, and the agent limits the length of a line. */
const LONGEST_PROMPT = 10_000_000

export function createQueuedInput(parts: QueuedInputParts): QueuedInput {
  const { context, entries, operation, delivery, commitDraft, runner } = parts
  const { state, dispatch, announce, commands, promptCommands } = context
  const { isFree, alone } = operation
  return { run }

  function run(entry: QueueEntry): void {
    if (entry.kind === 'prompt')
      return void send(entry, { text: entry.text, mentioning: entry.text, shown: entry.text })
    const { name, argument } = entry
    const command = commandOf(name, commands())
    if (!command) return void runLater(entry, name)
    if (command.kind === 'prompt') return void sendMade(command, argument, entry)
    runner.run(command.name, argument)
  }

  /** Sends a text if the hooks allow it. */
  async function send(entry: QueueEntry, { text, mentioning, shown }: SentText, asksForCommit = false): Promise<void> {
    const checking = checkOf(text)
    const checked = checking === null ? unchecked : await alone(checking)
    if (!checked.ok) return takeBack(entry, checked.words)
    if (checking !== null && !isFree()) return entries.putBack(entry, 'next')
    const reading = delivery.read(mentioning)
    const attached = reading === null ? nothingAttached : await alone(reading)
    if (reading !== null && !isFree()) return entries.putBack(entry, 'next')
    checked.onSent()
    commitDraft.follow(asksForCommit)
    delivery.send(text, shown, attached, checked.context.map(context.redact))
  }

  /** Asks the hooks about a text; null, at once, if there are none. */
  function checkOf(text: string): Promise<PromptCheck> | null {
    const prompts = context.hooks?.prompts
    return prompts?.apply() === true ? prompts.check(expand(text, state().chips).text) : null
  }

  /** Runs an unknown command: its file has not been read yet, or was deleted meanwhile. */
  async function runLater(entry: QueueEntry, name: string): Promise<void> {
    if (!promptCommands.isRead()) await alone(promptCommands.read())
    if (commandOf(name, commands())) return isFree() ? run(entry) : entries.putBack(entry, 'next')
    announce('warn', `There is no command /${name}, and nothing was sent.`, 'Put a space before it to send it as text.')
    entries.putBack(entry, 'paused')
  }

  /** Sends the prompt that a file makes of the argument, as the file is now. */
  async function sendMade(command: PromptCommand, argument: string, entry: QueueEntry): Promise<void> {
    const made = await alone(command.prompt(argument))
    const isTooLong = made.ok && expandedLength(made.text, state().chips) > LONGEST_PROMPT
    if (made.ok && !isTooLong) {
      const { text } = made
      const shown = isShownAsTyped(command) ? entryText(entry) : text
      if (isFree()) return send(entry, { text, mentioning: argument, shown }, command.answer === 'commit')
      return entries.putBack(entry, 'next')
    }
    const reason = made.ok ? 'makes a prompt of more than 10 MB' : made.reason
    announce('warn', `/${command.name} ${reason}, and nothing was sent.`)
    entries.putBack(entry, 'paused')
  }

  /** Nobody has answered for what a project's file says, until the user trusts the project. So it is shown in full. */
  function isShownAsTyped({ isOfProject }: PromptCommand): boolean {
    return isOfProject !== true || context.settings.trust() === true
  }

  /** Returns the text to the composer, or to the queue if something else is being written. */
  function takeBack(entry: QueueEntry, words: string): void {
    context.aside('warn', words, 'Nothing was sent.')
    const { editor, edited } = state()
    if (editor.text !== '' || edited) return entries.putBack(entry, 'paused')
    const text = entryText(entry)
    dispatch({ type: 'edited', editor: edit(editor, { kind: 'setText', text }, context.composerWidth()) })
    entries.pause()
    context.drafts.flush()
  }
}
