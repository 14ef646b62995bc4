/** The tools `write` and `edit`, with the names, arguments and results of zot's own (docs/zot-protocol.md, 22). */
import { relative, sep } from 'node:path'
import { z } from 'zod'
import { createHash } from 'node:crypto'
import { contextDiff, unifiedDiff } from './line-diff.ts'
import { checkInside, isOutside, locate, type ToolPath } from './path.ts'
import { substitute, type Substitution } from './substitute.ts'
import { systemWords } from './system-words.ts'
import { text, ToolFailure, type Tool, type ToolDefinition, type FileState } from './tool.ts'
import type { ProjectFiles } from '../platform/project-files.ts'

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
    async prepare(input, folder, files) {
      const args = schema.parse(input)
      const place = await locate(folder, args.path, files)
      const target = await readTarget(place, files)
      const { bytes } = changeOf(args, place, target)
      const before = target.exists ? (target.bytes ?? 'long') : null
      const shown = (await isOutside(place, folder, files)) ? place.path : shownPath(folder, place)
      const diff = unifiedDiff(shown, before, bytes)
      return { ok: true, paths: [place.path], named: [place.named], diff, state: target.state }
    },
    async run(input, context) {
      const { folder, files, expected, signal } = context
      const args = schema.parse(input)
      const place = await locate(folder, args.path, files)
      await checkInside(place, context)
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

/** The path in the diff of a file inside the folder: as the call names it. */
function shownPath(folder: string, { named }: ToolPath): string {
  return relative(folder, named).replaceAll(sep, '/')
}

/** Bytes of the longest file that is compared. */
const MOST_COMPARED = 16 * 1024 * 1024

/** `bytes` is null for a file that is too long to compare. */
type TargetFile = { state: FileState; exists: boolean; bytes: Buffer | null }

/** @throws ToolFailure for anything else than a regular file. */
async function readTarget({ named, path }: ToolPath, place: ProjectFiles): Promise<TargetFile> {
  const stats = await place.stats(path)
  if (stats === null) return { state: { path, mark: null }, exists: false, bytes: Buffer.alloc(0) }
  if (stats.kind === 'folder') throw new ToolFailure(`open ${named}: is a directory`)
  if (stats.kind === 'file' && stats.size > MOST_COMPARED)
    return { state: { path, mark: stats.mark }, exists: true, bytes: null }
  const read = await place.resolved.readFile(path, MOST_COMPARED)
  if (!read.ok) throw new ToolFailure(`${named} ${read.reason}`)
  return {
    state: { path, mark: createHash('sha256').update(read.bytes).digest('hex') },
    exists: true,
    bytes: read.bytes,
  }
}

/** @throws ToolFailure if the user saw another file, or other content. */
function checkUnchanged({ state }: TargetFile, expected: FileState | null | undefined): void {
  if (!expected || (expected.path === state.path && expected.mark === state.mark)) return
  throw new ToolFailure(
    `${state.path} has changed since this call was shown to the user. Nothing was changed: read it again.`,
  )
}
