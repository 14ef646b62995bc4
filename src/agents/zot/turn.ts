/** What zot's events mean within an operation, which may take several of zot's own prompts. */
import type { Prompt } from '../../agent/backend.ts'
import type { AgentEvent, EventOf } from '../../agent/event.ts'
import type { AgentOperation } from '../host/driver.ts'
import type { WireCommand } from './command.ts'
import type { ZotEvent } from './frame.ts'
import { errorMessage, translate } from './translate.ts'

/** zot does not know which part of the message the user wrote. `note` comes first, '' for none. */
export function promptCommand(
  { text, images, before = [], memory }: Prompt,
  note: string,
): Extract<WireCommand, { type: 'prompt' }> {
  const message = [...(note === '' ? [] : [note, '']), ...(memory ? [memory.text, ''] : []), ...before, text].join('\n')
  const attached = images.map(image => ({ mime_type: image.mimeType, data: image.data }))
  return { type: 'prompt', message, ...(attached.length > 0 ? { images: attached } : {}) }
}

/** The times that zot repeats a failed call, and the milliseconds before the first; each further pause is twice as long. */
const RETRIES = 3
const FIRST_RETRY = 2000

export class ZotTurn {
  /** The steps of the earlier prompts, and of all of them. */
  #earlierSteps = 0
  #steps = 0
  /** The failed tries of this step. */
  #failures = 0

  /** Translates an event that does not end the operation. */
  translate(event: ZotEvent, isAborted: boolean, at: number): AgentEvent | null {
    const translated = translate(this.#counted(event), at)
    return translated && this.#withRetry(translated, isAborted)
  }

  /** Another prompt of zot follows. */
  nextPrompt(): void {
    this.#earlierSteps = this.#steps
  }

  /** zot counts the steps of each prompt from 1. */
  #counted(event: ZotEvent): ZotEvent {
    if (event.type !== 'turn_start') return event
    this.#steps = this.#earlierSteps + event.step
    return { ...event, step: this.#steps }
  }

  /** zot repeats a failed call three times, after 2, 4 and 8 s, and does not report it; if it does not repeat it, the turn ends at once. */
  #withRetry(event: AgentEvent, isAborted: boolean): AgentEvent {
    if (event.type === 'step_started') this.#failures = 0
    if (event.type !== 'step_ended' || event.stop !== 'error' || isAborted) return event
    this.#failures += 1
    return this.#failures > RETRIES ? event : { ...event, retryMs: FIRST_RETRY * 2 ** (this.#failures - 1) }
  }
}

/** The last event of the operation, if zot's event ends it. */
export function operationEnd(
  { type, isAborted }: Pick<AgentOperation, 'type' | 'isAborted'>,
  event: ZotEvent,
  at: number,
): AgentEvent | null {
  if (type === 'compact') return compactionEnd(event, isAborted, at)
  return event.type === 'done' ? { type: 'turn_ended', at } : null
}

/** A compaction has no common end: it ends with `compact_done`, with `error`, or some time after an abort. */
function compactionEnd(event: ZotEvent, isAborted: boolean, at: number): AgentEvent | null {
  if (event.type === 'compact_done') return { type: 'compaction_finished', at, summary: event.summary }
  // Upstream never sends `done` here; a fork always does, and only `done` if the compaction failed.
  if (event.type !== 'error' && event.type !== 'done') return null
  if (isAborted) return { type: 'compaction_aborted', at }
  return notCompacted(event.type === 'error' ? errorMessage(event) : 'zot ended the compaction without a summary', at)
}

/** zot says it of a conversation that has nothing but its latest messages, which stay as they are. */
const NOTHING = /^nothing to compact\b/i

export function notCompacted(message: string, at: number): EventOf<'compaction_failed'> {
  return { type: 'compaction_failed', at, message, ...(NOTHING.test(message) && { nothing: true }) }
}
