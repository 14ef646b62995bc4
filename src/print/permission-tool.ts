/** The JSON that the program of `--permission-tool` reads and writes. */
import { z } from 'zod'
import { permissionModes, toolKinds, type ToolRequest } from '../agent/permission.ts'
import type { PermissionAnswer } from '../agent/requests.ts'

/** The input of the program: one object, then the end of the input. */
export const permissionQuestionSchema = z.object({
  version: z.literal(1).describe('changes only if an old program could misread the question'),
  id: z.string(),
  callId: z.string().nullable().describe('the id of the call in the events of --json'),
  tool: z.string(),
  kind: z.enum(toolKinds),
  arguments: z.unknown().describe("the model's own arguments"),
  folder: z.string().describe('the absolute folder in which it runs'),
  command: z.string().optional().describe('the whole command, where kind is command'),
  paths: z
    .array(z.string())
    .optional()
    .describe('the absolute paths that it reads or writes, as far as they are known'),
  diff: z.string().optional().describe('the unified diff of an edit'),
  because: z.string().describe('why it is asked'),
  dangers: z.array(z.string()).describe('hints for a user; none does not mean that it is safe'),
  mode: z.enum(permissionModes),
})

export type PermissionQuestion = z.infer<typeof permissionQuestionSchema>

/** The output of the program. */
export const programAnswerSchema = z.strictObject({
  answer: z.enum(['allow', 'refuse', 'stop']).describe('stop refuses the call and ends the turn'),
  words: z.string().max(20_000).optional().describe('what the model is told; only with refuse'),
  command: z.string().min(1).optional().describe('runs instead of the requested command; only with allow'),
})

export type ProgramAnswer = { ok: true; answer: PermissionAnswer } | { ok: false; problem: string }

/** Reads an answer. Any other output is a problem, in words that follow "the program". */
export function readAnswer(output: string, { kind }: Pick<ToolRequest, 'kind'>): ProgramAnswer {
  if (output.trim() === '') return wrong('gave no answer')
  const parsed = programAnswerSchema.safeParse(jsonOf(output))
  if (!parsed.success) return wrong('did not answer with JSON as described in docs/permissions.md')
  const { answer, words, command } = parsed.data
  if (command !== undefined && answer !== 'allow') return wrong(`gave a command with "${answer}"`)
  if (command !== undefined && kind !== 'command') return wrong('gave a command for a call that has none')
  if (words !== undefined && answer !== 'refuse') return wrong(`gave a message with "${answer}"`)
  if (answer === 'refuse') return { ok: true, answer: { answer, words: words ?? '' } }
  if (answer === 'stop' || command === undefined) return { ok: true, answer: { answer } }
  return { ok: true, answer: { answer: 'allow_changed', command } }
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    // No schema takes undefined.
    return undefined
  }
}

function wrong(problem: string): ProgramAnswer {
  return { ok: false, problem }
}
