/**
 * The queue of a conversation that runs in a process of its own. It is there, once for all programs that show it. These are the requests to
 * it and what it looks like, as schemas: both go through a socket.
 */
import { z } from 'zod'
import { promptImageSchema } from './requests.ts'

/** What a part of a text is: `at` and `length` say where it is in the whole text. `label` stands for it on the screen. */
const place = { at: z.int(), length: z.int(), label: z.string() }
const carriedChipSchema = z.discriminatedUnion('kind', [
  z.object({ ...place, kind: z.literal('paste') }),
  z.object({
    ...place,
    kind: z.literal('file'),
    path: z.string(),
    lines: z.object({ from: z.number(), to: z.number() }).nullable(),
  }),
  /** The image is null in what is only shown. */
  z.object({
    ...place,
    kind: z.literal('image'),
    path: z.string().nullable(),
    sha256: z.string(),
    bytes: z.number(),
    image: promptImageSchema.nullable(),
  }),
])
export type CarriedChip = z.infer<typeof carriedChipSchema>

export const heldEntrySchema = z.object({
  /** Unique, and the same for as long as it waits. */
  id: z.string().max(200),
  /** The name of a command of zotui; null for a prompt. */
  command: z.string().nullable(),
  /** The prompt, or the argument of the command, in full. */
  text: z.string(),
  chips: z.array(carriedChipSchema).readonly(),
  /** Outputs of the user's own commands, which go before the prompt. */
  before: z.array(z.string()).readonly(),
  /** The device that it came from, as its owner named it. It mentions files of the folder only. Absent for one of a terminal. */
  from: z.exactOptional(z.string()),
})
export type HeldEntry = z.infer<typeof heldEntrySchema>

export const heldQueueSchema = z.object({
  entries: z.array(heldEntrySchema).readonly(),
  /** True if it waits for a person. */
  paused: z.boolean(),
  /** The entry that somebody edits; it keeps its place, and those after it wait. */
  edited: z.string().nullable(),
  /** Words for the running turn, until it is known what became of them. */
  steers: z.array(z.object({ entry: heldEntrySchema, isSent: z.boolean(), isTakenBack: z.boolean() })).readonly(),
})
export type HeldQueue = z.infer<typeof heldQueueSchema>

const id = z.string()

export const queueChangeSchema = z.discriminatedUnion('do', [
  /**
   * `say`: it is sent now, or after the running turn. `end`: it waits behind the others. `first`: it waits before them, and all wait for a
   * person. An entry that is known by its id is not added again.
   */
  z.object({ do: z.literal('add'), entry: heldEntrySchema, how: z.enum(['say', 'end', 'first']) }),
  /** Takes it out. The reply has it. */
  z.object({ do: z.literal('take'), id }),
  /** From now on this program edits it. The reply has it. An entry that it has edited before is put back as it was. */
  z.object({ do: z.literal('edit'), id }),
  /** The edited entry, as it is now; null removes it. */
  z.object({ do: z.literal('put_back'), entry: heldEntrySchema.nullable() }),
  /** Another text for the entry with the same id. */
  z.object({ do: z.literal('replace'), entry: heldEntrySchema }),
  /** Stops the running turn and sends this entry, or else the first one. */
  z.object({ do: z.literal('send_now'), entry: heldEntrySchema.nullable() }),
  /** Sends this entry before the others, also out of a queue that is paused. */
  z.object({ do: z.literal('send'), id }),
  z.object({ do: z.literal('go_on') }),
  z.object({ do: z.literal('pause') }),
  /** Words for the running turn; null for the first entry. */
  z.object({ do: z.literal('steer'), entry: heldEntrySchema.nullable() }),
  /** Takes the newest words for the running turn back. The reply has them if the agent had not got them. */
  z.object({ do: z.literal('take_steer') }),
  /** A command that this program was asked to run is done. `isBack`: it could not be run, and waits for a person. */
  z.object({ do: z.literal('ran'), id, isBack: z.boolean() }),
])
export type QueueChange = z.infer<typeof queueChangeSchema>

/** `isDone`: false if the entry is no longer there. `hint` is a sentence for the user; '' for none. */
export const queueReplySchema = z.object({
  isDone: z.boolean(),
  entry: heldEntrySchema.nullable(),
  hint: z.string(),
})
export type QueueReply = z.infer<typeof queueReplySchema>
