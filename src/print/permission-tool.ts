/** The JSON that the program of `--permission-tool` reads and writes. */
import { z } from 'zod'
import { permissionModes, toolKinds, type ToolRequest } from '../agent/permission.ts'
import type { PermissionAnswer } from '../agent/requests.ts'

const wantsSchema = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('host').describe('to connect; the connection waits for the answer'),
    host: z.string().describe('a name or an address, in lower case'),
    port: z.int(),
  }),
  z.object({
    kind: z.literal('outside').describe('to run again outside the sandbox; it has run once, and has failed'),
    hint: z.string().describe('the line of its output that seems to say why: a guess'),
    path: z
      .string()
      .nullable()
      .describe('the file or folder that it seems to have been kept from; null if that is not known'),
  }),
  z.object({
    kind: z
      .literal('left')
      .describe('to keep what it has left; otherwise every command asks, and zotui runs no git there'),
    places: z
      .array(
        z.object({
          path: z.string().describe('absolute'),
          kind: z
            .enum(['repository', 'protected', 'link', 'unknown'])
            .describe(
              'protected: it can decide what runs later; link: it leads out; unknown: what has changed in this folder is not known',
            ),
          isNew: z.boolean().describe('false if it was there before, and was changed'),
        }),
      )
      .readonly(),
  }),
])

/** The input of the program: one object, then the end of the input. */
export const permissionQuestionSchema = z.object({
  version: z
    .literal([1, 2])
    .describe(
      '2 for a question with wants or outside, which a program must know: without them, allow lets nothing out of the sandbox',
    ),
  id: z.string(),
  callId: z.string().nullable().describe('the id of the call in the events of --json'),
  task: z.string().optional().describe('the id of the subagent whose call it is, as in task_reported of --json'),
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
  wants: wantsSchema
    .optional()
    .describe(
      'the command already runs or ran in the sandbox and wants more: allow grants it once, whatever the rules and the mode say',
    ),
  outside: z.literal(true).optional().describe('if it is allowed, the command runs outside the sandbox'),
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
export function readAnswer(
  output: string,
  { kind, wants, outside }: Pick<ToolRequest, 'kind' | 'wants' | 'outside'>,
): ProgramAnswer {
  if (output.trim() === '') return wrong('gave no answer')
  const parsed = programAnswerSchema.safeParse(jsonOf(output))
  if (!parsed.success) return wrong('did not answer with JSON as described in docs/permissions.md')
  const { answer, words, command } = parsed.data
  if (command !== undefined && answer !== 'allow') return wrong(`gave a command with "${answer}"`)
  if (command !== undefined && kind !== 'command') return wrong('gave a command for a call that has none')
  if (command !== undefined && (wants || outside)) return wrong('gave another command for one that leaves the sandbox')
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
