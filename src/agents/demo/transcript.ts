import { tokens } from './meter.ts'

/** A block of a message, in zot's words. */
export type MessageBlock = { readonly type: string; readonly [field: string]: unknown }

export type Message = { role: 'user' | 'assistant' | 'tool'; content: readonly MessageBlock[]; time: string }

/** What the demo pretends to have been told before the first prompt: a system prompt and its tools, in tokens. */
const preamble = 5_200

/** Messages that a compaction leaves as they are. */
const keptByCompaction = 4

/** The heading by which zot marks a summary; the `compact_done` event carries the summary without it. */
const summaryHeading = '## Context Summary (compacted)'

/** The conversation as the agent remembers it. */
export class DemoTranscript {
  #messages: readonly Message[] = []

  get messages(): readonly Message[] {
    return this.#messages
  }

  /** What a model has to read to go on, in tokens. */
  get tokens(): number {
    return this.#messages.reduce((sum, message) => sum + tokens(JSON.stringify(message.content)), preamble)
  }

  get compactable(): boolean {
    return this.#messages.length > keptByCompaction
  }

  add(message: Message): void {
    this.#messages = [...this.#messages, message]
  }

  /** Takes back an answer that is about to be tried again. */
  dropLast(): void {
    this.#messages = this.#messages.slice(0, -1)
  }

  clear(): void {
    this.#messages = []
  }

  /** Puts a summary in the place of all but the last messages. */
  compact(summary: string, time: string): void {
    const kept = this.#messages.slice(-keptByCompaction)
    // Results whose calls went into the summary belong to nothing any more.
    const start = kept.findIndex(message => message.role !== 'tool')
    const content = [{ type: 'text', text: `${summaryHeading}\n\n${summary}` }]
    this.#messages = [{ role: 'user', content, time }, ...(start === -1 ? [] : kept.slice(start))]
  }
}
