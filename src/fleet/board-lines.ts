/**
 * The lines of `zotui board --json`: one JSON object a line. `--follow` goes on with what changes, and `--requests` also reads requests from
 * stdin. A board reads another machine this way, through ssh.
 */
import { z } from 'zod'
import { outsideReplySchema } from '../published/outside-call.ts'
import { boardRowSchema } from './board-row.ts'

/** The version of these lines. A board shows no host that speaks another one. */
export const BOARD_PROTOCOL = 2

export const boardLineSchema = z.discriminatedUnion('type', [
  /** The first line. `at`: the clock of this host, in milliseconds since the Unix epoch. */
  z.object({ type: z.literal('board'), protocol: z.number(), version: z.string(), at: z.number() }),
  /** A conversation that is new or has changed. `host`: '' for the machine itself. */
  z.object({ type: z.literal('row'), host: z.string(), row: boardRowSchema }),
  z.object({ type: z.literal('gone'), host: z.string(), id: z.string() }),
  /** The state of another host, a cluster, or the containers. `problem`: a sentence, or ''. */
  z.object({
    type: z.literal('host'),
    host: z.string(),
    state: z.enum(['connecting', 'connected', 'lost', 'failed']),
    problem: z.string(),
  }),
  /** All conversations of this machine that were there at the start have been written. Without `--follow` this is the last line. */
  z.object({ type: z.literal('listed') }),
  /** Every 15 s. */
  z.object({ type: z.literal('alive'), at: z.number() }),
  z.object({ type: z.literal('reply'), id: z.int(), reply: outsideReplySchema }),
])
export type BoardLine = z.infer<typeof boardLineSchema>

const words = z.string().max(10_000)

/** What the person asks for on the board. `host` and `row` name the conversation. */
const boardActionSchema = z.discriminatedUnion('do', [
  z.object({
    do: z.literal('answer'),
    question: z.string(),
    digest: z.string(),
    allow: z.boolean(),
    words: words.optional(),
  }),
  z.object({ do: z.literal('stop') }),
  /** Moves one that a UI holds to the background. There it has the same session, and a row with another id. */
  z.object({ do: z.literal('background') }),
  z.object({ do: z.literal('rename'), title: words }),
  /** Stops its turn and ends it. Its session can be resumed. For a Job or a container: removes it. */
  z.object({ do: z.literal('end') }),
  /** Ends it, and takes its session out of the lists. */
  z.object({ do: z.literal('archive') }),
])
export type BoardAction = z.infer<typeof boardActionSchema>

/** A line of stdin with `--requests`. Each has a new number. Without `host` it is for this machine. */
export const boardRequestSchema = z.object({
  id: z.int(),
  host: z.string().optional(),
  row: z.string(),
  action: boardActionSchema,
})
export type BoardRequest = z.infer<typeof boardRequestSchema>
