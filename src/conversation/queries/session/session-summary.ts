/** The facts about one session that lists and `--json` show. */
import * as z from 'zod'
import { sessionKinds } from './session-kind.ts'

/** `turn` is the number of the parent's turns that this session began with; null if it began with all of them. */
export const parentSchema = z.object({
  id: z.string(),
  turn: z.number().nullable(),
  /** Whether a prompt was edited and sent again; absent for a fork that goes on after a turn. */
  isRewind: z.literal(true).optional(),
})

export type SessionParent = z.infer<typeof parentSchema>

export const sideOutcomes = ['done', 'stopped', 'failed'] as const

/** A side question of `/btw`, with the beginnings of its words and of its answer. */
const sideQuestionSchema = z.object({
  at: z.number(),
  question: z.string(),
  outcome: z.enum(sideOutcomes),
  answer: z.string(),
})
export type SideQuestionSummary = z.infer<typeof sideQuestionSchema>

export const summarySchema = z.object({
  id: z.string(),
  /** The project's folder as an absolute path; empty if unknown. */
  folder: z.string(),
  createdAt: z.number(),
  /** The time of its last event. Both times are in milliseconds since the Unix epoch. */
  at: z.number(),
  /** The name that a user gave it; otherwise empty. */
  title: z.string(),
  provider: z.string(),
  /** The agent used last, by its short name; absent if it was not recorded. */
  agent: z.string().optional(),
  /** The agents' own sessions for this conversation, each as `agent:id`; absent if there are none. */
  agentSessions: z.array(z.string()).optional(),
  /** The model used last. */
  model: z.string(),
  turns: z.number(),
  /** The turns that failed; absent for none. */
  failedTurns: z.number().optional(),
  /** Whether the turn in progress has failed so far; absent for no. */
  isFailing: z.literal(true).optional(),
  kind: z.enum(sessionKinds).optional(),
  /** The last time at which something happened in it on the user's screen; absent if it never was there. */
  shownAt: z.number().optional(),
  /** Whether it is on the screen, or was when its program ended; absent for no. */
  isShown: z.literal(true).optional(),
  /** Null if no cost is known. */
  costUsd: z.number().nullable(),
  /** Whether the cost lacks something that no agent reports. */
  costIsPartial: z.boolean(),
  /** The cost that the agent in use has reported for all of its work; absent if it does not report that. */
  reportedCost: z.number().optional(),
  /** The beginning of the first prompt. */
  firstPrompt: z.string(),
  lastPrompt: z.string(),
  /** The beginning of the last answer. */
  lastAnswer: z.string(),
  /** The beginnings of the prompts, a line each. */
  prompts: z.string(),
  parent: parentSchema.nullable(),
  /** The side questions, oldest first: the last ones. Absent for none. */
  sides: z.array(sideQuestionSchema).optional(),
  /** The sessions of the conversations that were begun from it, oldest first: the last ones. Absent for none. */
  spawned: z.array(z.object({ at: z.number(), id: z.string() })).optional(),
  /** The program that stores it, if not zotui: `zot` or another agent. It can be resumed, but not changed. */
  origin: z.string().optional(),
})

export type SessionSummary = z.infer<typeof summarySchema>

/** A summary as `--json` shows it: without the fields that only zotui needs. */
export const listedSchema = summarySchema.omit({
  prompts: true,
  reportedCost: true,
  isFailing: true,
  isShown: true,
  sides: true,
})

/** The name of an agent's own session, unique among all agents. */
export function agentSessionName(agent: string, id: string): string {
  return `${agent}:${id}`
}

/** Sessions of this folder, or of all folders. */
export type SessionScope = 'folder' | 'all'
