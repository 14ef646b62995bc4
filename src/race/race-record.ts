/** A race as it is kept: one prompt, and what has become of each who runs. Texts are unsanitised. */
import { z } from 'zod'
import { permissionModes } from '../agent/permission.ts'

const RACE_VERSION = 1

/**
 * `waiting`: for a turn of another to end. `making`: its worktree. `starting`: its agent. The others are ends: `stopped` by the person,
 * `failed` with its problem.
 */
const entrantSteps = ['waiting', 'making', 'starting', 'working', 'done', 'stopped', 'failed'] as const

const checkSchema = z.object({
  /** `cut`: the program that ran it has ended meanwhile. */
  state: z.enum(['running', 'ended', 'stopped', 'cut']),
  /** Milliseconds since the Unix epoch. */
  at: z.number(),
  durationMs: z.number(),
  /** Null where a signal ended it, or it did not start. */
  exitCode: z.int().nullable(),
  /** Why it did not start; '' if it did. */
  problem: z.string(),
  /** The beginning and the end of what it printed. */
  output: z.string(),
})
export type RaceCheck = z.infer<typeof checkSchema>

const entrantSchema = z.object({
  /** The agent as `--agent` takes it; null for that of the command line or the settings. */
  agent: z.string().nullable(),
  /** Its name for the person. */
  name: z.string(),
  model: z.string().nullable(),
  step: z.enum(entrantSteps),
  /** Why it failed, as a sentence; '' for nothing. */
  problem: z.string(),
  /** The folder and the branch of its worktree, and the folder in it to work in; null before it is made. */
  worktree: z.object({ folder: z.string(), branch: z.string(), work: z.string() }).nullable(),
  /** The conversation in the background, whose session has this ID; null before it has begun. */
  session: z.string().nullable(),
  startedAt: z.number().nullable(),
  /** How long its turns took, in milliseconds. */
  workedMs: z.number(),
  costUsd: z.number().nullable(),
  tokens: z.object({ input: z.number(), output: z.number() }).nullable(),
  lastLine: z.string(),
  changes: z.object({ files: z.int(), added: z.int(), removed: z.int() }).nullable(),
  check: checkSchema.nullable(),
  /** Set when its work was taken. */
  isPicked: z.boolean(),
  /** Set when its worktree was removed. */
  isDiscarded: z.boolean(),
})
export type Entrant = z.infer<typeof entrantSchema>

export const raceSchema = z.object({
  version: z.literal(RACE_VERSION),
  id: z.string().regex(/^[\w-]+$/),
  /** The folder in which it was begun, absolute. */
  folder: z.string(),
  prompt: z.string(),
  at: z.number(),
  /** The command that is run in each worktree after the turn, as the settings had it when the race began; null for none. */
  checkCommand: z.string().nullable(),
  /** The permission mode of all of them; null for that of new conversations. */
  mode: z.enum(permissionModes).nullable(),
  entrants: z.array(entrantSchema).max(100),
})
export type Race = z.infer<typeof raceSchema>

export type RacePlan = Pick<Race, 'folder' | 'prompt' | 'checkCommand' | 'mode'> & {
  entrants: readonly Pick<Entrant, 'agent' | 'name' | 'model'>[]
}

export function newRace(plan: RacePlan, id: string, at: number): Race {
  return {
    ...plan,
    version: RACE_VERSION,
    id,
    at,
    entrants: plan.entrants.map(who => ({
      ...who,
      step: 'waiting',
      problem: '',
      worktree: null,
      session: null,
      startedAt: null,
      workedMs: 0,
      costUsd: null,
      tokens: null,
      lastLine: '',
      changes: null,
      check: null,
      isPicked: false,
      isDiscarded: false,
    })),
  }
}
