/** The conversation as it is told to a new session: a server remembers none. Each prompt begins a turn. */
import type { Prompt } from '../../agent/backend.ts'
import { toStruct } from './wire/struct.ts'
import type { WireContentPart, WireMessage } from './wire/messages.ts'

export type RozMemory = {
  /** All messages, without the oldest turns. */
  history(withoutOldest?: number): readonly WireMessage[]
  /** The turns that are kept. */
  readonly turns: number
  prompted(prompt: Pick<Prompt, 'text' | 'images'>, context: readonly string[]): void
  said(text: string): void
  called(id: string, name: string, args: Readonly<Record<string, unknown>>): void
  answered(id: string, name: string, content: string, isError: boolean): void
  /** The turn is over: calls without a result will get none. */
  ended(): void
  forget(): void
}

const NO_RESULT = 'There is no result: the turn ended first.'

export function createRozMemory(): RozMemory {
  let turns: WireMessage[][] = []
  /** Calls without a result, with their names. */
  const open = new Map<string, string>()

  /** Adds to the last message if it is of the same side. */
  function add(role: WireMessage['role'], part: WireContentPart): void {
    const turn = turns.at(-1)
    if (!turn) return
    const last = turn.at(-1)
    if (last?.role === role) last.parts.push(part)
    else turn.push({ role, parts: [part] })
  }

  const memory: RozMemory = {
    get turns() {
      return turns.length
    },
    history: (withoutOldest = 0) => turns.slice(withoutOldest).flat(),
    prompted({ text, images }, context) {
      turns.push([])
      for (const each of [...context, text]) if (each !== '') add('user', { text: { text: each } })
      for (const { mimeType, data } of images)
        add('user', { image: { media_type: mimeType, data: Buffer.from(data, 'base64') } })
    },
    said(text) {
      const last = turns.at(-1)?.at(-1)
      const part = last?.role === 'assistant' ? last.parts.at(-1) : undefined
      if (part && 'text' in part) part.text.text += text
      else add('assistant', { text: { text } })
    },
    called(id, name, args) {
      open.set(id, name)
      add('assistant', { tool_use: { id, name, input: toStruct(args) } })
    },
    answered(id, name, content, isError) {
      if (!open.delete(id)) return
      add('user', { tool_result: { tool_use_id: id, name, content, is_error: isError } })
    },
    ended() {
      for (const [id, name] of open) memory.answered(id, name, NO_RESULT, true)
    },
    forget() {
      turns = []
      open.clear()
    },
  }
  return memory
}
