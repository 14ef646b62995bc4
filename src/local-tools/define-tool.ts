import type { z } from 'zod'
import { createReader } from '../agent/schema-reader.ts'
import type { ProjectFiles } from '../platform/project-files.ts'
import { checkInside, type ToolPath } from './path.ts'
import { ToolFailure, type ToolRunContext, type Tool, type ToolDefinition, type ToolOutcome } from './tool.ts'

type Parts<Arguments, Begun> = Partial<Pick<Tool, 'worksOn'>> & {
  /** The paths that it reads. */
  places: (args: Arguments, folder: string, files: ProjectFiles) => Promise<readonly ToolPath[]>
  /** `found` are the paths of `places` as they are now; they may be read. `begun` is what `begin` returned, if that was called. */
  run: (args: Arguments, context: ToolRunContext, found: readonly ToolPath[], begun?: Begun) => Promise<ToolOutcome>
  /** Begins to read what was allowed, while `places` looks whether the call still leads there. What it returns never rejects. */
  begin?: (args: Arguments, path: string, files: ProjectFiles) => Begun
}

/** A tool that changes no file by itself. */
export function defineTool<Arguments, Begun = undefined>(
  definition: ToolDefinition,
  schema: z.ZodType<Arguments>,
  { places, run, begin, worksOn = 'here' }: Parts<Arguments, Begun>,
): Tool {
  const read = createReader(() => schema)
  // The schema says what is wrong.
  const argumentsOf = (input: unknown): Arguments => read(input) ?? schema.parse(input)
  return {
    definition,
    worksOn,
    async prepare(args, folder, files) {
      const found = await places(argumentsOf(args), folder, files)
      const [paths, named] = [found.map(({ path }) => path), found.map(place => place.named)]
      return { ok: true, paths, named, diff: '', state: null }
    },
    async run(input, context) {
      const args = argumentsOf(input)
      const { folder, files, paths, mayLeaveFolder } = context
      const [allowed] = paths ?? []
      const begun = allowed !== undefined && mayLeaveFolder === true ? begin?.(args, allowed, files) : undefined
      const found = await places(args, folder, files)
      for (const place of found) {
        await checkInside(place, context)
        // A link may have been changed while the user was asked.
        if (paths && !paths.includes(place.path)) throw new ToolFailure(pathHasChanged(place))
      }
      return run(args, context, found, begun)
    },
  }
}

function pathHasChanged({ named }: ToolPath): string {
  return `${named} leads to another file since this call was allowed. Nothing was read: make the call again.`
}
