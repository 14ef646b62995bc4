/** Sends prompts to the agent, with images, shell outputs, and a summary if the agent needs one. */
import type { Prompt } from '../../agent/backend.ts'
import { lastTurn } from '../../conversation/queries/last-turn.ts'
import { shownPrompt } from '../../conversation/queries/shown-prompt.ts'
import { sessionEntries } from '../../conversation/queries/session/session-entries.ts'
import { mentionText } from '../../composer/mentions.ts'
import { expand, mentioningText } from '../../state/composer/chips.ts'
import type { AppContext } from '../context/context.ts'
import { nothingAttached, type Attachments, type MentionReader } from '../mentions/mention-reader.ts'
import type { EventBatcher } from '../events/batcher.ts'
import type { AgentLifecycle } from './agent/agent-lifecycle.ts'
import type { Operation } from './operation.ts'
import type { CostLimit } from './queue/cost-limit.ts'
import type { ShellCommand } from './shell-command.ts'
import type { TurnCheckpoints } from './turn-checkpoints.ts'

export type Delivery = {
  /**
   * Sends a text, the content of its chips and the files that it mentions, after notes that the user did not write. `typed` is
   * what people see instead of the text.
   */
  send: (text: string, typed: string, attached: Attachments, notes: readonly string[]) => void
  /** Reads the files that a text mentions; null if there is nothing to read. */
  read: MentionReader['read']
  /** Sends the last prompt again; what follows an operation is left to the caller. */
  resend: () => Promise<void>
  /** Sends the last prompt again, or says why that is impossible. */
  retry: () => void
  /** The last prompt as it was typed; empty if there is none. */
  lastText: () => string
}

/** The last prompt with everything that was sent with it. */
type Sent = {
  text: string
  typed: string
  before: readonly string[]
  images: Prompt['images']
  attached: Attachments
  /** Identifies its conversation: see `AppState.restored`. */
  conversation: number
}

export type DeliveryParts = {
  context: AppContext
  batcher: EventBatcher
  operation: Operation
  life: Pick<AgentLifecycle, 'memory'>
  limit: Pick<CostLimit, 'asksFirst'>
  shell: Pick<ShellCommand, 'takeOutputs' | 'giveBack'>
  files: Pick<TurnCheckpoints, 'before'>
  mentions: MentionReader
}

export function createDelivery(parts: DeliveryParts): Delivery {
  const { context, batcher, operation, life, limit, shell, files, mentions } = parts
  const { backend, state, announce } = context
  let sent: Sent | null = null
  operation.subscribe(takeBackOutputs)
  batcher.subscribe(events => {
    // The shell outputs belong to the cleared conversation.
    if (events.some(event => event.type === 'conversation_cleared')) shell.takeOutputs()
  })

  return {
    send(text, typed, attached, notes) {
      const { chips, restored } = state()
      const before = [...shell.takeOutputs(), ...notes]
      const prompt = { ...expand(text, chips), typed: expand(typed, chips).text }
      deliver({ ...prompt, attached, before, conversation: restored.times })
    },
    read,
    resend: async () => (sent ? operation.perform(backend.prompt(whole(sent))) : undefined),
    retry: () => void retry(),
    lastText: () => sent?.typed ?? '',
  }

  function deliver(prompt: Sent): void {
    sent = prompt
    void operation.operate(backend.prompt(whole(prompt)))
  }

  function read(text: string): Promise<Attachments> | null {
    return mentions.read(mentioningText(text, state().chips))
  }

  function whole({ attached, ...prompt }: Sent): Prompt {
    const memory = life.memory()
    const ready = files.before(prompt.typed)
    const before = [...prompt.before, ...attached.texts]
    const images = [...prompt.images, ...attached.images]
    return { ...prompt, before, images, files: attached.files, ...(memory && { memory }), ...(ready && { ready }) }
  }

  /** Shell outputs of a prompt that was refused go with the next prompt. */
  function takeBackOutputs(): void {
    if (lastTurn(state().chat.entries)?.outcome !== 'refused' || !sent) return
    shell.giveBack(sent.before)
    sent = { ...sent, before: [] }
  }

  async function retry(): Promise<void> {
    // Turns before /clear are not sent again.
    const turn = lastTurn(sessionEntries(state().chat))
    if (!turn) return announce('info', 'There is no prompt to send again yet.')
    if (state().chat.agent.phase !== 'ready')
      return announce('warn', 'The agent is not running.', '/restart starts it again.')
    const { times } = state().restored
    if (sent?.conversation !== times) {
      const reading = read(turn.mentions.map(({ path, lines = null }) => mentionText(path, lines)).join(' '))
      const attached = reading ? await operation.alone(reading) : nothingAttached
      sent = { text: turn.prompt, typed: shownPrompt(turn), attached, before: [], images: [], conversation: times }
    }
    if (sent.images.length + sent.attached.images.length < turn.images.length)
      return announce('warn', 'That prompt had images, which are not stored: attach them again.')
    if (!limit.asksFirst()) deliver({ ...sent, before: [...sent.before, ...shell.takeOutputs()] })
  }
}
