/** Sends the draft: as a prompt, a slash command, a shell command or a note. */
import { attachmentsProblem } from '../../platform/images/attachment.ts'
import { imagesIn } from '../../state/composer/chips.ts'
import type { Composing } from '../composer/composing.ts'
import type { AppContext } from '../context/context.ts'
import { addNote, noteOf } from './project-note.ts'
import type { Turns } from './turns.ts'
import { isShellCommand, type ShellCommand } from './shell-command.ts'
import type { QueueEntry } from '../../state/composer/queue-entry.ts'
import { entryOfSlash } from '../../state/composer/typed-entry.ts'
import { mayComeLater, parseSlash, unknownText, type ParsedSlash, type UnknownSlash } from '../../state/slash.ts'
import { isBusy } from '../../state/state.ts'

/** What becomes of a prompt while a turn runs. The words after `or` are for an agent that cannot be steered. */
type WhileWorking = 'queue' | 'steer-or-stop' | 'steer-or-queue'

export type SendingParts = { turns: Turns; composing: Composing; shell: Pick<ShellCommand, 'run'> }

export class Sending {
  readonly #context: AppContext
  readonly #parts: SendingParts
  #isReading = false

  constructor(context: AppContext, parts: SendingParts) {
    this.#context = context
    this.#parts = parts
  }

  /** Up and Down: to a queued entry, an earlier prompt, or another line of the text. */
  browse(direction: 'up' | 'down'): void {
    const { turns, composing } = this.#parts
    const { state } = this.#context
    const { editor, queue, steers, edited, history } = state()
    const reachesQueue = direction === 'up' && queue.entries.length > 0 && history.at === null
    if (reachesQueue && editor.text === '' && !edited) return turns.queue.takeNewest()
    if (direction === 'up' && editor.text === '' && !edited && history.at === null && steers.length > 0)
      return turns.queue.takeSteer()
    // A waiting prompt is edited in its place: a copy of it would be sent twice.
    const isInQueue = (edited !== null || reachesQueue) && composing.isAtEdge(direction)
    if (isInQueue) return turns.queue.editNext(direction === 'up' ? 'previous' : 'next')
    composing.moveOrBrowse(direction)
  }

  /** Sends the draft, runs it as a command, or sends a paused queue. While a turn runs, the setting says whether it steers. */
  submit(): void {
    this.#submit(this.#context.settings.values().enterWhileWorking === 'steer' ? 'steer-or-queue' : 'queue')
  }

  /** Queues the draft while the agent works. */
  queue(): void {
    this.#submit('queue')
  }

  /** Steers with the draft, or with the first entry of the queue; queues it if that is what Enter does not do. */
  steer(): void {
    const { turns } = this.#parts
    const { editor, noting, edited } = this.#context.state()
    if (this.#context.settings.values().enterWhileWorking === 'steer') return this.queue()
    if (editor.text.trim() === '' && !edited && !noting) return turns.queue.steer(null)
    this.#submit('steer-or-stop')
  }

  #submit(whileWorking: WhileWorking): void {
    const { turns, composing, shell } = this.#parts
    const { state, commands } = this.#context
    const { editor, queue, edited } = state()
    const { text } = editor
    if (text.endsWith('\\') && editor.caret === text.length) {
      composing.edit({ kind: 'deleteLeft' })
      return composing.edit({ kind: 'newline' })
    }
    if (state().noting && !edited) return this.#takeNote()
    if (this.#isTooMuch(text)) return
    const slash = parseSlash(text, commands())
    if (this.#mayBeUnread(slash)) return void this.#afterReading(() => this.#submit(whileWorking))
    const isNoPrompt = text.trim() === '' || slash !== null || isShellCommand(text)
    if (edited && (whileWorking !== 'steer-or-stop' || isNoPrompt)) {
      this.#context.drafts.remember(text)
      return turns.queue.finishEdit()
    }
    if (text.trim() === '') return !isBusy(state()) && queue.paused ? turns.queue.unpause() : undefined
    if (isShellCommand(text)) return shell.run(text) ? this.archiveDraft() : undefined
    if (this.#ranAsCommand(slash)) return
    if (text.endsWith(' &') && composing.isEndTyped() && this.#context.conversations) {
      composing.archiveDraft()
      return turns.command('spawn', text.slice(0, -2), text)
    }
    if (!this.#hasAgent()) return
    composing.archiveDraft()
    if (edited) turns.queue.dropEdit()
    this.#say(entryOfSlash(text, slash), whileWorking)
  }

  #say(entry: QueueEntry, whileWorking: WhileWorking): void {
    const { queue, machine } = this.#parts.turns
    const { backend, hint } = this.#context
    const canSteer = backend.abilities.has('steer')
    if (whileWorking === 'steer-or-stop' || (whileWorking === 'steer-or-queue' && canSteer)) return queue.steer(entry)
    queue.say(entry)
    // Enter does not stop an agent.
    if (whileWorking === 'steer-or-queue' && machine.isInTurn())
      hint(`${backend.name} cannot be steered: this waits in the queue.`)
  }

  /** Stops the open turn and sends the draft before the queue. */
  sendNow(): void {
    const { turns, composing } = this.#parts
    const { state, commands } = this.#context
    const { editor, edited } = state()
    const { text } = editor
    if (!edited && (isShellCommand(text) || state().noting)) return this.submit()
    const slash = parseSlash(text, commands())
    if (this.#mayBeUnread(slash)) return void this.#afterReading(() => this.sendNow())
    if (this.#isTooMuch(text) || (!edited && this.#ranAsCommand(slash)) || !this.#hasAgent()) return
    composing.archiveDraft()
    if (edited) turns.queue.dropEdit()
    turns.queue.sendNow(text.trim() === '' ? null : entryOfSlash(text, slash))
  }

  #takeNote(): void {
    const { turns, composing } = this.#parts
    const { state, hint } = this.#context
    const note = noteOf(state())
    if (note === '') return hint('A note needs words: # always run the tests')
    composing.archiveDraft()
    void addNote(this.#context, note, file => turns.offerReading(file))
  }

  /** Rejects attachments that are too large for one prompt: they would end the agent. */
  #isTooMuch(text: string): boolean {
    const { state, hint } = this.#context
    const problem = attachmentsProblem(imagesIn(text, state().chips))
    if (problem !== null) hint(problem)
    return problem !== null
  }

  /** True if the command may be a prompt file that has not been read yet, or one that replaces the prompt of the same name. */
  #mayBeUnread(slash: ParsedSlash | null): boolean {
    const { promptCommands } = this.#context
    if (slash?.kind === 'unknown') return !promptCommands.isRead() || promptCommands.isReading()
    return slash?.command.kind === 'prompt' && promptCommands.isReading()
  }

  /** Sends the draft when the prompt files are read. What is typed behind it meanwhile is the next draft; an Enter does nothing. */
  async #afterReading(send: () => void): Promise<void> {
    const { composing } = this.#parts
    const { state, promptCommands, hint } = this.#context
    if (this.#isReading) return
    this.#isReading = true
    const { text } = state().editor
    await promptCommands.read().finally(() => (this.#isReading = false))
    const now = state().editor.text
    if (!now.startsWith(text)) return hint('The draft was changed, so it was not sent.')
    if (now === text) return send()
    composing.edit({ kind: 'setText', text })
    send()
    composing.edit({ kind: 'insert', text: now.slice(text.length) })
  }

  /** Runs a slash command, or hints that it does not exist. Not for prompt files, which are sent as prompts. */
  #ranAsCommand(slash: ParsedSlash | null): boolean {
    const { turns, composing } = this.#parts
    const { hint, state } = this.#context
    if (slash === null) return false
    const { text } = state().editor
    if (slash.kind === 'unknown') {
      this.#refuse(slash)
      return true
    }
    const { command, argument } = slash
    if (command.kind === 'prompt') {
      if (command.problem !== null) hint(`/${command.name} ${command.problem}.`)
      return command.problem !== null
    }
    composing.archiveDraft(false)
    turns.command(command.name, argument, text)
    return true
  }

  /** Says that there is no such command. Its text is one key away, unless it may soon be one. */
  #refuse(slash: UnknownSlash): void {
    const { state, hint, keyed, commands } = this.#context
    const text = unknownText(slash, commands(), state())
    if (mayComeLater(slash, state())) return hint(`${text} Put a space before it to send it as text.`)
    this.archiveDraft()
    hint(`${text}${keyed(' {composer.up} brings it back; with a space before it, it is sent as text.')}`)
  }

  #hasAgent(): boolean {
    const { turns } = this.#parts
    const { state, hint } = this.#context
    const { phase } = state().chat.agent
    const isGone = (phase === 'ended' || phase === 'closed') && !turns.machine.isComing()
    if (isGone) hint('The agent is not running: /restart starts it again. Your text stays here.')
    return !isGone
  }

  /** Moves the draft into the history. If a queue entry was being edited, the composer gets the draft back. */
  archiveDraft(): void {
    const { turns, composing } = this.#parts
    const { state } = this.#context
    composing.archiveDraft()
    if (state().edited) turns.queue.finishEdit()
  }
}
