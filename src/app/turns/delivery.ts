/** Sends prompts to the agent, with images, shell outputs, and the conversation if the agent does not know it. */
import type { Prompt } from '../../agent/backend.ts'
import { lastPromptedTurn } from '../../conversation/queries/last-turn.ts'
import { shownPrompt } from '../../conversation/queries/shown-prompt.ts'
import { sessionEntries } from '../../conversation/queries/session/session-entries.ts'
import { mentionText } from '../../composer/mentions.ts'
import { expand, mentioningText } from '../../state/composer/chips.ts'
import { commandEntry, type QueueEntry } from '../../state/composer/queue-entry.ts'
import { entryOf } from '../../state/composer/typed-entry.ts'
import type { AppContext } from '../context/context.ts'
import { nothingAttached, type Attachments, type MentionReader } from '../mentions/mention-reader.ts'
import type { AgentMemory } from './agent/agent-memory.ts'
import type { AgentRequests } from './agent-requests.ts'
import type { ShellCommand } from './shell-command.ts'
import type { Steering } from './steering.ts'
import type { TurnCheckpoints } from './turn-checkpoints.ts'

/** The last prompt with everything that was sent with it. */
type Sent = {
  text: string
  typed: string
  before: readonly string[]
  images: Prompt['images']
  attached: Attachments
  /** The device from which it came. */
  from?: string
  /** Identifies its conversation: see `AppState.restored`. */
  conversation: number
}

/** A prompt that is ready to be sent. */
export type ReadyPrompt = {
  /** The text, with the content of its chips and the files that it mentions. */
  text: string
  /** What people see instead of the text. */
  typed: string
  attached: Attachments
  /** The device from which it came. */
  from?: string | undefined
  /** Notes before the text that the user did not write. */
  notes: readonly string[]
}

export type DeliveryParts = {
  context: AppContext
  requests: AgentRequests
  memory: Pick<AgentMemory, 'digest'>
  shell: Pick<ShellCommand, 'takeOutputs' | 'giveBack'>
  steering: Pick<Steering, 'send'>
  files: Pick<TurnCheckpoints, 'before'>
  mentions: MentionReader
}

export class Delivery {
  readonly #parts: DeliveryParts
  #sent: Sent | null = null

  constructor(parts: DeliveryParts) {
    this.#parts = parts
  }

  send(id: number, { text, typed, attached, notes, from }: ReadyPrompt): void {
    const { chips, restored } = this.#parts.context.state()
    const before = [...this.#parts.shell.takeOutputs(), ...notes]
    const own = from === undefined ? {} : { from }
    const prompt = { ...expand(text, chips), typed: expand(typed, chips).text, ...own }
    this.#deliver(id, { ...prompt, attached, before, conversation: restored.times })
  }

  /** Sends it to the running turn. */
  steer(id: number, { text, typed, attached, notes, from }: ReadyPrompt): void {
    const { chips } = this.#parts.context.state()
    const outputs = this.#parts.shell.takeOutputs()
    const { text: whole, images } = expand(text, chips)
    const prompt = {
      text: whole,
      typed: expand(typed, chips).text,
      images: [...images, ...attached.images],
      before: [...outputs, ...notes, ...attached.texts],
      files: attached.files,
      ...(attached.resources.length > 0 && { resources: attached.resources }),
      ...(from !== undefined && { from }),
    }
    this.#parts.steering.send(id, prompt, outputs)
  }

  /** Reads the files that a text mentions; null if there is nothing to read. */
  read(text: string, isFromOutside = false): Promise<Attachments> | null {
    return this.#parts.mentions.read(mentioningText(text, this.#parts.context.state().chips), isFromOutside)
  }

  /** Sends the last prompt as it was. */
  resend(id: number): void {
    const { requests } = this.#parts
    if (this.#sent) requests.prompt(id, this.#whole(this.#sent))
    else requests.giveUp(id)
  }

  /** Makes the last prompt ready to be sent again. Calls `ready` with what sends it, or says why that is impossible: then `ready` gets null. */
  async prepareAgain(ready: (send: ((id: number) => void) | null) => void): Promise<void> {
    const { context, shell } = this.#parts
    // Turns before /clear are not sent again.
    const turn = lastPromptedTurn(sessionEntries(context.state().chat))
    const isReady = context.state().chat.agent.phase === 'ready'
    if (!turn) context.addNotice('info', 'There is no prompt to send again yet.')
    else if (!isReady) context.addNotice('warn', 'The agent is not running.', '/restart starts it again.')
    if (!turn || !isReady) return ready(null)
    const { times } = context.state().restored
    if (this.#sent?.conversation !== times) {
      const reading = this.read(turn.mentions.map(({ path, lines = null }) => mentionText(path, lines)).join(' '))
      const attached = reading ? await reading : nothingAttached
      const typed = shownPrompt(turn)
      this.#sent = { text: turn.prompt, typed, attached, before: [], images: [], conversation: times }
    }
    // Who sends it again does so here.
    const { from: _from, ...sent } = this.#sent
    if (sent.images.length + sent.attached.images.length < turn.images.length) {
      context.addNotice('warn', 'That prompt had images, which are not stored: attach them again.')
      return ready(null)
    }
    ready(id => this.#deliver(id, { ...sent, before: [...sent.before, ...shell.takeOutputs()] }))
  }

  /** The last prompt as it was typed; empty if there is none. */
  lastText(): string {
    return this.#sent?.typed ?? ''
  }

  /** What sends the last prompt again later: its text, which is also kept over a restart, or `/retry` if more went with it. */
  entryToSendAgain(): QueueEntry {
    const { typed = '', before = [], images = [], attached } = this.#sent ?? {}
    const isText = typed.trim() !== '' && before.length + images.length + (attached?.images.length ?? 0) === 0
    return isText ? entryOf(typed, this.#parts.context.commands()) : commandEntry('retry', '')
  }

  /** Shell outputs of a prompt that was refused, or lost with the agent, go with the next prompt. */
  takeBackOutputs(): void {
    const isRefused = lastPromptedTurn(this.#parts.context.state().chat.entries)?.outcome === 'refused'
    if (!this.#sent || !(isRefused || this.#parts.requests.isLost)) return
    this.#parts.shell.giveBack(this.#sent.before)
    this.#sent = { ...this.#sent, before: [] }
  }

  #deliver(id: number, prompt: Sent): void {
    this.#sent = prompt
    this.#parts.requests.prompt(id, this.#whole(prompt))
  }

  #whole({ attached, ...prompt }: Sent): Prompt {
    const memory = this.#parts.memory.digest()
    const ready = this.#parts.files.before(prompt.typed)
    const before = [...prompt.before, ...attached.texts]
    const images = [...prompt.images, ...attached.images]
    const { files, resources } = attached
    return {
      ...prompt,
      before,
      images,
      files,
      ...(resources.length > 0 && { resources }),
      ...(memory && { memory }),
      ...(ready && { ready }),
    }
  }
}
