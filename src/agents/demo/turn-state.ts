/** What a turn remembers while a model answers, and while its tools run. */
import type { DemoFrame } from './frame.ts'
import { tokens } from './meter.ts'
import type { MessageBlock } from './transcript.ts'

export type DemoToolCall = { type: 'tool_call'; id: string; name: string; args: unknown }

/** An answer as far as it has come. */
export class Answering {
  #blocks: MessageBlock[] = []
  #open = ''
  #written = 0
  /** A tool call was begun, whether or not it was finished. */
  drafting = false

  get blocks(): MessageBlock[] {
    return this.#open === '' ? [...this.#blocks] : [...this.#blocks, { type: 'text', text: this.#open }]
  }

  get calls(): (DemoToolCall & DemoFrame)[] {
    return this.#blocks.filter(isToolCall)
  }

  /** What the provider will charge as output. */
  get tokens(): number {
    return this.#written
  }

  text(delta: string): void {
    this.#open += delta
    this.#written += tokens(delta)
  }

  draft(): void {
    this.drafting = true
    this.#blocks = this.blocks
    this.#open = ''
  }

  argument(delta: string): void {
    this.#written += tokens(delta)
  }

  tool(call: DemoToolCall): void {
    this.#blocks.push(call)
  }
}

function isToolCall(block: MessageBlock): block is DemoToolCall {
  return block.type === 'tool_call'
}

/** The tools of one answer, which run one after another. */
export class Working {
  readonly #waiting: DemoToolCall[]
  readonly #inner = new Set<string>()
  readonly results: MessageBlock[] = []
  /** What the running tool has printed. */
  output = ''
  /** When the running tool began. */
  since: number

  constructor(calls: readonly DemoToolCall[], now: number) {
    this.#waiting = [...calls]
    this.since = now
  }

  get running(): DemoToolCall | undefined {
    return this.#waiting[0]
  }

  get command(): string {
    const args = this.running?.args
    const command = typeof args === 'object' && args !== null && 'command' in args ? args.command : ''
    return String(command)
  }

  get innerOpen(): readonly string[] {
    return [...this.#inner]
  }

  printed(id: string, text: string): void {
    if (id === this.running?.id) this.output += text
  }

  innerCalled(id: string): void {
    this.#inner.add(id)
  }

  innerEnded(id: string): void {
    this.#inner.delete(id)
  }

  /** Ends the running tool and lets the next begin. Returns the id of the one that ended. */
  finish(text: string, failed: boolean, now: number): string {
    const id = this.#waiting.shift()?.id ?? ''
    this.results.push({ type: 'tool_result', call_id: id, is_error: failed, content: [{ type: 'text', text }] })
    this.output = ''
    this.since = now
    return id
  }
}
