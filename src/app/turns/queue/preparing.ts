/** Makes a queue entry ready to be sent, or runs it: a prompt, a built-in command, or the prompt that a file makes of its argument. */
import type { PromptCommand } from '../../../config/prompts/command.ts'
import type { PromptCheck } from '../../../hooks/prompts.ts'
import { edit } from '../../../composer/editor.ts'
import { expand, expandedLength } from '../../../state/composer/chips.ts'
import type { Preparation } from '../../../turn/machine.ts'
import { isReplaced } from '../../../platform/errors.ts'
import { replacedNotice } from '../../context/replaced.ts'
import type { AppContext } from '../../context/context.ts'
import { nothingAttached } from '../../mentions/mention-reader.ts'
import type { CommandRunner } from '../command-runner.ts'
import type { AnswerUse, AskedUse } from '../answer-use.ts'
import type { Delivery } from '../delivery.ts'
import type { MachineKeeper } from '../turn-machine.ts'
import { entryText, type PromptEntry, type QueueEntry } from '../../../state/composer/queue-entry.ts'
import { commandOf } from '../../../state/slash.ts'

export type PreparingParts = {
  context: AppContext
  machine: MachineKeeper
  delivery: Pick<Delivery, 'send' | 'steer' | 'read' | 'prepareAgain'>
  answerUse: Pick<AnswerUse, 'follow'>
  runner: Pick<CommandRunner, 'run'>
}

/** `mentioning` is the part that may mention files; `shown` is what people see instead of the text; `use` is what the answer is for. */
type SentText = {
  text: string
  mentioning: string
  shown: string
  from?: string | undefined
  use?: AskedUse | null
}

const unchecked: PromptCheck = { ok: true, context: [], onSent() {} }

/** Characters. A prompt file can repeat its argument any number of times, and the agent limits the length of a line. */
const LONGEST_PROMPT = 10_000_000

export class Preparing {
  readonly #parts: PreparingParts
  /** What sends the prompts that are ready. */
  readonly #ready = new Map<number, (id: number) => void>()
  /** Those of them that are for the running turn. */
  readonly #steers = new Set<number>()

  constructor(parts: PreparingParts) {
    this.#parts = parts
  }

  /** Prepares an entry of the queue, or else the last prompt. The machine gets the result as an input. */
  prepare(id: number, entry: QueueEntry | null): void {
    const { context, delivery } = this.#parts
    if (entry === null) return void delivery.prepareAgain(send => this.#finish(id, send ?? 'dropped'))
    if (entry.kind === 'prompt') {
      const { text, from } = entry
      return void this.#orTakeBack(id, entry, this.#check(id, entry, { text, mentioning: text, shown: text, from }))
    }
    const command = commandOf(entry.name, context.commands())
    if (!command) void this.#read(id, entry)
    else if (command.kind === 'prompt') void this.#orTakeBack(id, entry, this.#make(id, entry, command))
    else this.#run(id, () => this.#parts.runner.run(command.name, entry.argument, entryText(entry)))
  }

  /** Prepares words for the running turn as a prompt is prepared. */
  prepareSteer(id: number, entry: PromptEntry): void {
    const { text, from } = entry
    this.#steers.add(id)
    void this.#orTakeBack(id, entry, this.#check(id, entry, { text, mentioning: text, shown: text, from }))
  }

  /** Sends a prompt that was prepared. */
  send(id: number): void {
    const send = this.#ready.get(id)
    this.#ready.delete(id)
    // Without it the prompt would be gone, and its turn would never end.
    if (!send) throw new Error(`prompt ${id} was never prepared`)
    send(id)
  }

  #finish(id: number, outcome: Preparation | ((id: number) => void)): void {
    const { machine } = this.#parts
    const send = typeof outcome === 'function' ? outcome : null
    if (send) this.#ready.set(id, send)
    const how = typeof outcome === 'function' ? 'ready' : outcome
    if (!this.#steers.delete(id)) machine.send({ type: 'prepared', id, outcome: how })
    else if (how !== 'ran' && how !== 'dropped') machine.send({ type: 'steer_prepared', id, outcome: how })
    // One that was not sent after all.
    machine.later(() => void (send && this.#ready.delete(id)))
  }

  /** A part of the program that the prompt needs may be gone. */
  async #orTakeBack(id: number, entry: QueueEntry, work: Promise<void>): Promise<void> {
    try {
      await work
    } catch (error) {
      if (!isReplaced(error)) throw error
      const [, text, hint] = replacedNotice
      this.#takeBack(id, entry, `${text} ${hint}`)
    }
  }

  /** Asks the hooks about a text, and reads the files that it mentions. */
  async #check(id: number, entry: QueueEntry, sent: SentText): Promise<void> {
    const { context, delivery, answerUse } = this.#parts
    const { text, mentioning, shown, from, use = null } = sent
    const isSteer = this.#steers.has(id)
    const checking = this.#checkOf(text)
    const checked = checking === null ? unchecked : await checking
    if (!checked.ok) return this.#takeBack(id, entry, checked.words)
    const reading = delivery.read(mentioning, from !== undefined)
    const attached = reading === null ? nothingAttached : await reading
    this.#finish(id, own => {
      checked.onSent()
      const ready = { text, typed: shown, attached, from, notes: checked.context.map(context.redact) }
      if (isSteer) return delivery.steer(own, ready)
      answerUse.follow(use)
      delivery.send(own, ready)
    })
  }

  /** Asks the hooks about a text; null, at once, if there are none. */
  #checkOf(text: string): Promise<PromptCheck> | null {
    const { hooks, state } = this.#parts.context
    return hooks?.prompts.apply() === true ? hooks.prompts.check(expand(text, state().chips).text) : null
  }

  /** A command runs when the machine knows that nothing is prepared any more. */
  #run(id: number, run: () => void): void {
    this.#finish(id, 'ran')
    this.#parts.machine.later(run)
  }

  /** An unknown command: its file has not been read yet, or was deleted meanwhile. */
  async #read(id: number, entry: QueueEntry & { kind: 'command' }): Promise<void> {
    const { promptCommands, commands, addNotice } = this.#parts.context
    if (!promptCommands.isRead()) await promptCommands.read()
    if (commandOf(entry.name, commands())) return this.prepare(id, entry)
    const hint = 'Put a space before it to send it as text.'
    addNotice('warn', `There is no command /${entry.name}, and nothing was sent.`, hint)
    this.#finish(id, 'refused')
  }

  /** Makes the prompt of a file and an argument, as the file is now. */
  async #make(id: number, entry: QueueEntry & { kind: 'command' }, command: PromptCommand): Promise<void> {
    const { state, addNotice } = this.#parts.context
    const made = await command.prompt(entry.argument)
    const isTooLong = made.ok && expandedLength(made.text, state().chips) > LONGEST_PROMPT
    if (made.ok && !isTooLong) {
      const use = useOf(command, entry.argument)
      const text = use?.kind === 'findings' ? `${made.text}\n\n${await findingsWords()}` : made.text
      const shown = this.#isShownAsTyped(command) ? entryText(entry) : text
      return this.#check(id, entry, { text, mentioning: entry.argument, shown, use })
    }
    const reason = made.ok ? 'makes a prompt of more than 10 MB' : made.reason
    addNotice('warn', `/${command.name} ${reason}, and nothing was sent.`)
    this.#finish(id, 'refused')
  }

  /** Nobody has answered for what a project's file says, until the user trusts the project. So it is shown in full. */
  #isShownAsTyped({ isOfProject }: PromptCommand): boolean {
    return isOfProject !== true || this.#parts.context.settings.trust() === true
  }

  /** Returns the text to the composer, or to the queue if something else is being written. */
  #takeBack(id: number, entry: QueueEntry, words: string): void {
    const { context, machine } = this.#parts
    // It went back into the queue already, because zotui ends.
    if (!machine.isPreparing(id)) return
    context.addProgramNotice('warn', words, 'Nothing was sent.')
    const { editor, edited, noting } = context.state()
    if (editor.text !== '' || edited || noting) return this.#finish(id, 'refused')
    const text = entryText(entry)
    context.dispatch({ type: 'edited', editor: edit(editor, { kind: 'setText', text }, context.composerWidth()) })
    this.#finish(id, 'returned')
  }
}

function useOf({ name, answer }: PromptCommand, argument: string): AskedUse | null {
  if (answer === 'findings') return { kind: 'findings', command: name, argument }
  return answer === undefined ? null : { kind: answer }
}

async function findingsWords(): Promise<string> {
  const { askForFindings } = await import('../../../review/findings-prompt.ts')
  return askForFindings()
}
