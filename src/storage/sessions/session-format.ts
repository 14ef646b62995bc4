/** The format of a session's file: a header, then events of the agent, one JSON value on each line. */
import * as z from 'zod'
import { makeEventSchema, type AgentEvent } from '../../agent/event.ts'
import { createReader } from '../../agent/schema-reader.ts'
import { parseJson } from '../../text/json.ts'
import { sessionKinds } from '../../conversation/queries/session/session-kind.ts'
import { parentSchema, sideOutcomes } from '../../conversation/queries/session/session-summary.ts'

/** The version of the format. Lines of an unknown type are skipped. */
export const FORMAT = 1
const headerSchema = z.object({
  type: z.literal('session'),
  format: z.number(),
  id: z.string(),
  /** The project's folder, as an absolute path. */
  folder: z.string(),
  /** Milliseconds since the Unix epoch. */
  createdAt: z.number(),
  /** The agent as it was then. */
  agent: z.string(),
  agentVersion: z.string(),
  provider: z.string(),
  model: z.string(),
  parent: parentSchema.nullable(),
  /** Absent if it began on the user's screen. */
  kind: z.enum(sessionKinds).optional(),
})
export type SessionHeader = z.infer<typeof headerSchema>

/** The title that a user gave; empty to remove it. */
const titledSchema = z.object({ type: z.literal('session_titled'), at: z.number(), title: z.string() })

/** It comes on the user's screen, or leaves it. */
const shownSchema = z.object({ type: z.literal('session_shown'), at: z.number(), isShown: z.boolean() })

/** A side question of `/btw` has ended; `answer` is all that it said. */
const sideSchema = z.object({
  type: z.literal('side_ended'),
  at: z.number(),
  question: z.string(),
  outcome: z.enum(sideOutcomes),
  answer: z.string(),
})

/** Another conversation was begun from this one: the ID of its session. */
const spawnedSchema = z.object({ type: z.literal('session_spawned'), at: z.number(), id: z.string() })

/** What was begun beside the conversation. */
export type NoteLine = z.infer<typeof sideSchema> | z.infer<typeof spawnedSchema>

/** The lines that are not events of the agent. */
const ownSchemas = [headerSchema, titledSchema, shownSchema, sideSchema, spawnedSchema] as const
const ownTypes: ReadonlySet<string> = new Set(ownSchemas.map(({ shape }) => shape.type.value))
export type OwnLine = z.infer<(typeof ownSchemas)[number]>

export type SessionLine = OwnLine | AgentEvent

export const makeLineSchema = () => z.discriminatedUnion('type', [...ownSchemas, ...makeEventSchema().options])
const readLine = createReader<SessionLine>(makeLineSchema)

export function isEvent(line: SessionLine): line is AgentEvent {
  return !ownTypes.has(line.type)
}

/** Null for a line that is torn, damaged, or of a newer zotui. */
export function decodeLine(text: string): SessionLine | null {
  return readLine(parseJson(text))
}
