/** What the server has of the conversations of all publishers: the lists and transcripts for its clients, and the way for what they ask. */
import type { Device, OutsideCall, OutsideReply } from '../../published/outside-call.ts'
import type { ServeView } from '../../published/control.ts'
import type { NotifiedConversation } from '../notify/due-notices.ts'
import type { PageConversation, PageLine, PlacedBlock } from '../page-lines.ts'

/** A reader of one page: a device, or one with a link to read a single conversation. */
export type HubReader = {
  device: Device
  /** The `session` of the only conversation that it may see; null for all. */
  only: string | null
}

export type HubStreamRequest = HubReader & {
  /** What the client has already: see `stream` of the page. */
  epoch: string
  known: number
  watch: string | null
  since?: number
  /** Ends the stream. The reason is a sentence for its last line `end`, or '' for none: then the page connects again. */
  signal: AbortSignal
}

export type Hub = {
  /** Random: clients know by it that the server is another one. */
  readonly epoch: string
  /** Begins with `hello`. A client that reads slowly gets the latest state, not each step to it. */
  stream: (request: HubStreamRequest) => AsyncIterable<PageLine>
  /** All conversations, those that wait for the person first. */
  conversations: () => readonly PageConversation[]
  /** `isConfirmed`: the person at the terminal of this server has said yes to prompts of this device for this conversation. */
  call: (device: Device, conversation: string, call: OutsideCall, isConfirmed: boolean) => Promise<OutsideReply>
  /** Null if nobody looks at such a conversation, or if it is not for this reader. */
  blocks: (
    reader: HubReader,
    conversation: string,
    range: { from: number; to: number },
  ) => Promise<{ n: number; total: number; blocks: readonly PlacedBlock[] } | null>
  /** Null if there is no such block for this reader. */
  inside: (
    reader: HubReader,
    conversation: string,
    place: { block: string; piece: number },
  ) => Promise<{ html: string; next: number | null } | null>
  publishers: () => ServeView['publishers']
  /** Called when the conversations or the publishers have changed. Returns the function that ends it. */
  onChange: (listener: () => void) => () => void
  /** What notifications watch: all conversations whose processes are there. */
  waiting: () => readonly NotifiedConversation[]
  /** Called when `waiting` may have changed: at each moment in which anything does. Returns the function that ends it. */
  onWaiting: (listener: () => void) => () => void
  close: () => void
}

export type HubOptions = {
  stateFolder: string
  home: string
  /** What the UI that started this server knows it by; '' for none. */
  secret: string
  /** Milliseconds since the Unix epoch. */
  now: () => number
  log: (line: string) => void
}
