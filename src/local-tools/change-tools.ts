/** The tools `write` and `edit`, with the names, arguments and results of zot's own (docs/zot-protocol.md, 22). */
import { relative, sep } from 'node:path'
import { z } from 'zod'
import { contextDiff, unifiedDiff } from './line-diff.ts'
import { checkInside, locate, type ToolPath } from './path.ts'
import { substitute, type Substitution } from './substitute.ts'
import { systemWords } from './system-words.ts'
import { checkUnchanged, MOST_COMPARED, readTarget, type TargetFile } from './target.ts'
import { text, ToolFailure, type Tool, type ToolDefinition } from './tool.ts'

/** The new content, and the result for the model. */
type NewContent = { bytes: Buffer; answer: () => string }

const string = { type: 'string' } as const

export const writeTool = changeTool(
  {
    name: 'write',
    kind: 'edit',
    description: 'Write a file. Creates parent dirs. Overwrites.',
    schema: { type: 'object', properties: { path: string, content: string }, required: ['path', 'content'] },
  },
  z.object({ path: z.string().min(1, 'path is required'), content: z.string() }),
  ({ content }) => ({ bytes: Buffer.from(content), answer: () => content }),
)

export const editTool = changeTool(
  {
    name: 'edit',
    kind: 'edit',
    description: 'Edit a file via exact-match replacements. Each oldText must be unique in the file.',
    schema: {
      type: 'object',
      properties: {
        path: string,
        edits: {
          type: 'array',
          items: { type: 'object', properties: { oldText: string, newText: string }, required: ['oldText', 'newText'] },
        },
      },
      required: ['path', 'edits'],
    },
  },
  z.object({
    path: z.string().min(1, 'path is required'),
    edits: z.array(z.object({ oldText: z.string(), newText: z.string() })).min(1, 'at least one edit is required'),
  }),
  edited,
)

function edited(
  args: { path: string; edits: readonly Substitution[] },
  { named }: ToolPath,
  target: TargetFile,
): NewContent {
  if (!target.exists) throw new ToolFailure(`open ${named}: no such file or directory`)
  if (target.bytes === null)
    throw new ToolFailure(`${named} is larger than ${MOST_COMPARED} bytes; change it with bash`)
  const { bytes, before, after } = substitute(target.bytes, args.edits, args.path)
  return { bytes, answer: () => contextDiff(before, after) }
}

function changeTool<Arguments extends { path: string }>(
  definition: ToolDefinition,
  schema: z.ZodType<Arguments>,
  changeOf: (args: Arguments, place: ToolPath, target: TargetFile) => NewContent,
): Tool {
  return {
    definition,
    worksOn: 'files',
    async prepare(given, folder, files) {
      const args = schema.parse(given)
      const place = await locate(folder, args.path, files)
      const target = await readTarget(place, files)
      const { bytes } = changeOf(args, place, target)
      const before = target.exists ? (target.bytes ?? 'long') : null
      const diff = unifiedDiff(shownPath(folder, place), before, bytes)
      const { path, named, isOutside } = place
      return { ok: true, paths: [path], named: [named], isOutside, diff, state: target.state }
    },
    async run(given, { folder, files, mayLeaveFolder, expected, signal }) {
      const args = schema.parse(given)
      const place = await locate(folder, args.path, files)
      checkInside(place, mayLeaveFolder)
      const target = await readTarget(place, files)
      checkUnchanged(target, expected)
      const { bytes, answer } = changeOf(args, place, target)
      signal.throwIfAborted()
      await files.replaceFile(place.path, bytes).catch((error: unknown) => {
        throw new ToolFailure(systemWords(error, place.named))
      })
      return text(answer())
    },
  }
}

/** The path in the diff: relative, as the call names it, inside the folder; otherwise the resolved file. */
function shownPath(folder: string, { named, path, isOutside }: ToolPath): string {
  return isOutside ? path : relative(folder, named).replaceAll(sep, '/')
}
