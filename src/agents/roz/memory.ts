/** The conversation that a new session receives, because a server stores none. Each prompt begins a turn. */
import type { Prompt } from '../../agent/backend.ts'
import { toStruct } from './wire/struct.ts'
import type { WireContentPart, WireMessage } from './wire/messages.ts'
import { bytesOfPart, MOST_BYTES } from './wire/methods.ts'

export type RozMemory = {
  /** The messages of the turns that are kept. With the tools and the instructions they fit in one message of the wire. */
  history(): readonly WireMessage[]
  /** The number of kept turns, and of older ones that exceeded the limit. */
  readonly turns: number
  readonly leftOut: number
  /**
   * Sets the images of the next prompt; none removes those of a prompt that was not sent. Returns false if they are too large.
   */
  shown(images: Prompt['images']): boolean
  prompted(text: string, context: readonly string[]): void
  said(text: string): void
  called(id: string, name: string, args: Readonly<Record<string, unknown>>): void
  answered(id: string, name: string, content: string, isError: boolean): void
  /** The turn is over: calls without a result will get none. */
  ended(): void
  /** The last prompt was not taken. */
  withdraw(): void
  forget(): void
}

type KeptTurn = { messages: WireMessage[]; bytes: number }

const NO_RESULT = 'There is no result: the turn ended first.'
const LEFT_OUT = 'The steps that followed are left out here: they were too long.'

/** The rest of a message is for the tools and the instructions of the project. */
const MOST = MOST_BYTES - 1024 * 1024

/** `most` are the bytes that are kept. */
export function createRozMemory(most = MOST): RozMemory {
  let turns: KeptTurn[] = []
  let leftOut = 0
  /** Whether the last turn has its images only. */
  let isShown = false
  /** Calls without a result, with their names. */
  const open = new Map<string, string>()

  /** Adds to the last message if it is of the same side. */
  function add(role: WireMessage['role'], part: WireContentPart): void {
    const turn = turns.at(-1)
    if (!turn) return
    const last = turn.messages.at(-1)
    if (last?.role === role) last.parts.push(part)
    else turn.messages.push({ role, parts: [part] })
    grow(turn, bytesOfPart(part))
  }

  /** The oldest turns are forgotten first. A turn that is too long by itself keeps its prompt. */
  function grow(turn: KeptTurn, bytes: number): void {
    turn.bytes += bytes
    while (turns.length > 1 && sum(turns) > most) {
      turns.shift()
      leftOut += 1
    }
    if (turn.bytes <= most) return
    open.clear()
    const [prompt, ...steps] = turn.messages
    turns = []
    if (!prompt || steps.length === 0) leftOut += 1
    else turns.push(keptAs([{ role: 'user', parts: [...prompt.parts, { text: { text: LEFT_OUT } }] }]))
  }

  const memory: RozMemory = {
    get turns() {
      return turns.length
    },
    get leftOut() {
      return leftOut
    },
    history: () => turns.flatMap(({ messages }) => messages),
    shown(images) {
      if (isShown) memory.withdraw()
      if (images.length === 0) return true
      const parts = images.map(({ mimeType, data }) => ({
        image: { media_type: mimeType, data: Buffer.from(data, 'base64') },
      }))
      if (keptAs([{ role: 'user', parts }]).bytes > most) return false
      isShown = true
      turns.push(keptAs([]))
      for (const part of parts) add('user', part)
      return true
    },
    prompted(text, context) {
      if (!isShown) turns.push(keptAs([]))
      isShown = false
      for (const each of [...context, text]) if (each !== '') add('user', { text: { text: each } })
    },
    said(text) {
      const turn = turns.at(-1)
      const last = turn?.messages.at(-1)
      const part = last?.role === 'assistant' ? last.parts.at(-1) : undefined
      if (!turn || !part || !('text' in part)) return add('assistant', { text: { text } })
      part.text.text += text
      grow(turn, Buffer.byteLength(text))
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
    withdraw() {
      turns.pop()
      isShown = false
      open.clear()
    },
    forget() {
      turns = []
      leftOut = 0
      isShown = false
      open.clear()
    },
  }
  return memory
}

function sum(turns: readonly KeptTurn[]): number {
  return turns.reduce((bytes, turn) => bytes + turn.bytes, 0)
}

function keptAs(messages: WireMessage[]): KeptTurn {
  const parts = messages.flatMap(message => message.parts)
  return { messages, bytes: parts.reduce((bytes, part) => bytes + bytesOfPart(part), 0) }
}
