/** Sends the draft: as a prompt, a slash command, a shell command or a note. */
import { attachmentsProblem } from '../../platform/images/attachment.ts'
import { imagesIn } from '../../state/composer/chips.ts'
import type { Composing } from '../composer/composing.ts'
import type { AppContext } from '../context/context.ts'
import { addNote, noteOf } from './project-note.ts'
import type { Turns } from './turns.ts'
import { isShellCommand, type ShellCommand } from './shell-command.ts'
import { entryOfSlash } from '../../state/composer/queue-entry.ts'
import { mayComeLater, parseSlash, unknownText, type ParsedSlash } from '../../state/slash.ts'
import { isBusy } from '../../state/state.ts'

export type Sending = {
  /** Sends the draft, runs it as a command, or sends a paused queue. */
  submit: () => void
  /** Stops the open turn and sends the draft before the queue. */
  sendNow: () => void
  /** Moves the draft into the history. If a queue entry was being edited, the composer gets the draft back. */
  archiveDraft: () => void
  /** Up and Down: to a queued entry, an earlier prompt, or another line of the text. */
  browse: (direction: 'up' | 'down') => void
}

export function createSending(
  context: AppContext,
  turns: Turns,
  composing: Composing,
  shell: Pick<ShellCommand, 'run'>,
): Sending {
  const { state, commands, promptCommands, hint, keyed } = context
  const { queue: waiting } = turns
  let isReading = false
  return { submit, sendNow, archiveDraft, browse }

  function browse(direction: 'up' | 'down'): void {
    const { editor, queue, edited, history } = state()
    const reachesQueue = direction === 'up' && queue.entries.length > 0 && history.at === null
    if (reachesQueue && editor.text === '' && !edited) return waiting.takeNewest()
    // A waiting prompt is edited in its place: a copy of it would be sent twice.
    const isInQueue = (edited !== null || reachesQueue) && composing.isAtEdge(direction)
    if (isInQueue) return waiting.editNext(direction === 'up' ? 'previous' : 'next')
    composing.moveOrBrowse(direction)
  }

  function submit(): void {
    const { editor, queue, edited } = state()
    const { text } = editor
    if (text.endsWith('\\') && editor.caret === text.length) {
      composing.edit({ kind: 'deleteLeft' })
      return composing.edit({ kind: 'newline' })
    }
    if (state().noting && !edited) return takeNote()
    if (isTooMuch(text)) return
    const slash = parseSlash(text, commands())
    if (mayBeUnread(slash)) return void afterReading(submit)
    if (edited) {
      context.drafts.remember(text)
      return waiting.finishEdit()
    }
    if (text.trim() === '') return !isBusy(state()) && queue.paused ? waiting.unpause() : undefined
    if (isShellCommand(text)) return shell.run(text) ? archiveDraft() : undefined
    if (ranAsCommand(slash)) return
    if (text.endsWith(' &') && composing.isEndTyped() && context.conversations) {
      composing.archiveDraft()
      return turns.command('spawn', text.slice(0, -2))
    }
    if (!hasAgent()) return
    archiveDraft()
    turns.queue.say(entryOfSlash(text, slash))
  }

  function sendNow(): void {
    const { editor, edited } = state()
    const { text } = editor
    if (!edited && (isShellCommand(text) || state().noting)) return submit()
    const slash = parseSlash(text, commands())
    if (mayBeUnread(slash)) return void afterReading(sendNow)
    if (isTooMuch(text) || (!edited && ranAsCommand(slash)) || !hasAgent()) return
    composing.archiveDraft()
    if (edited) waiting.dropEdit()
    waiting.sendNow(text.trim() === '' ? null : entryOfSlash(text, slash))
  }

  function takeNote(): void {
    const note = noteOf(state())
    if (note === '') return hint('A note needs words: # always run the tests')
    composing.archiveDraft()
    void addNote(context, note, file => turns.offerReading(file))
  }

  /** Rejects attachments that are too large for one prompt: they would end the agent. */
  function isTooMuch(text: string): boolean {
    const problem = attachmentsProblem(imagesIn(text, state().chips))
    if (problem !== null) hint(problem)
    return problem !== null
  }

  /** True if the command may be a prompt file that has not been read yet, or one that replaces the prompt of the same name. */
  function mayBeUnread(slash: ParsedSlash | null): boolean {
    if (slash?.kind === 'unknown') return !promptCommands.isRead() || promptCommands.isReading()
    return slash?.command.kind === 'prompt' && promptCommands.isReading()
  }

  /** Sends the draft when the prompt files are read. What is typed behind it meanwhile is the next draft; an Enter does nothing. */
  async function afterReading(send: () => void): Promise<void> {
    if (isReading) return
    isReading = true
    const { text } = state().editor
    await promptCommands.read().finally(() => (isReading = false))
    const now = state().editor.text
    if (!now.startsWith(text)) return hint('The draft was changed, so it was not sent.')
    if (now === text) return send()
    composing.edit({ kind: 'setText', text })
    send()
    composing.edit({ kind: 'insert', text: now.slice(text.length) })
  }

  /** Runs a slash command, or hints that it does not exist. Not for prompt files, which are sent as prompts. */
  function ranAsCommand(slash: ParsedSlash | null): boolean {
    if (slash === null) return false
    if (slash.kind === 'unknown') {
      refuse(slash)
      return true
    }
    const { command, argument } = slash
    if (command.kind === 'prompt') {
      if (command.problem !== null) hint(`/${command.name} ${command.problem}.`)
      return command.problem !== null
    }
    composing.archiveDraft(false)
    turns.command(command.name, argument)
    return true
  }

  /** Says that there is no such command. Its text is one key away, unless it may soon be one. */
  function refuse(slash: Extract<ParsedSlash, { kind: 'unknown' }>): void {
    const text = unknownText(slash, state())
    if (mayComeLater(slash, state())) return hint(`${text} Put a space before it to send it as text.`)
    archiveDraft()
    hint(`${text}${keyed(' {composer.up} brings it back; with a space before it, it is sent as text.')}`)
  }

  function hasAgent(): boolean {
    const { phase } = state().chat.agent
    const isGone = (phase === 'ended' || phase === 'closed') && !turns.machine.isComing()
    if (isGone) hint('The agent is not running: /restart starts it again. Your text stays here.')
    return !isGone
  }

  function archiveDraft(): void {
    composing.archiveDraft()
    if (state().edited) waiting.finishEdit()
  }
}
