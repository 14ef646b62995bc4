import { tokens } from './meter.ts'

/** A block of a message, with zot's field names. */
export type MessageBlock = { readonly type: string; readonly [field: string]: unknown }

export type Message = { role: 'user' | 'assistant' | 'tool'; content: readonly MessageBlock[]; time: string }

/** The pretended system prompt and tools, in tokens. */
const preamble = 5_200

/** The number of messages that a compaction keeps. */
const keptByCompaction = 4

/** The heading by which zot marks a summary; the `compact_done` event carries the summary without it. */
const summaryHeading = '## Context Summary (compacted)'

/** The conversation as the agent remembers it. */
export class DemoTranscript {
  #messages: readonly Message[] = []

  get messages(): readonly Message[] {
    return this.#messages
  }

  /** The whole conversation, in tokens. */
  get tokens(): number {
    return this.#messages.reduce((sum, message) => sum + tokens(JSON.stringify(message.content)), preamble)
  }

  get compactable(): boolean {
    return this.#messages.length > keptByCompaction
  }

  add(message: Message): void {
    this.#messages = [...this.#messages, message]
  }

  /** Removes an answer that is about to be retried. */
  dropLast(): void {
    this.#messages = this.#messages.slice(0, -1)
  }

  clear(): void {
    this.#messages = []
  }

  /** Replaces all but the last messages with a summary. */
  compact(summary: string, time: string): void {
    const kept = this.#messages.slice(-keptByCompaction)
    // Results at the beginning lost their calls to the summary.
    const start = kept.findIndex(message => message.role !== 'tool')
    const content = [{ type: 'text', text: `${summaryHeading}\n\n${summary}` }]
    this.#messages = [{ role: 'user', content, time }, ...(start === -1 ? [] : kept.slice(start))]
  }
}
