import type { z } from 'zod'
import type { ProjectFiles } from '../platform/project-files.ts'
import { checkInside, type ToolPath } from './path.ts'
import { ToolFailure, type ToolRunContext, type Tool, type ToolDefinition, type ToolOutcome } from './tool.ts'

type Parts<Arguments> = Partial<Pick<Tool, 'worksOn'>> & {
  /** The paths that it reads. */
  places: (args: Arguments, folder: string, files: ProjectFiles) => Promise<readonly ToolPath[]>
  /** `found` are the paths of `places` as they are now; they may be read. */
  run: (args: Arguments, context: ToolRunContext, found: readonly ToolPath[]) => Promise<ToolOutcome>
}

/** A tool that changes no file by itself. */
export function defineTool<Arguments>(
  definition: ToolDefinition,
  schema: z.ZodType<Arguments>,
  { places, run, worksOn = 'here' }: Parts<Arguments>,
): Tool {
  return {
    definition,
    worksOn,
    async prepare(args, folder, files) {
      const found = await places(schema.parse(args), folder, files)
      const [paths, named] = [found.map(({ path }) => path), found.map(place => place.named)]
      return { ok: true, paths, named, diff: '', state: null }
    },
    async run(given, context) {
      const args = schema.parse(given)
      const { folder, files, paths } = context
      const found = await places(args, folder, files)
      for (const place of found) {
        await checkInside(place, context)
        // A link may have been changed while the user was asked.
        if (paths && !paths.includes(place.path)) throw new ToolFailure(leadsElsewhere(place))
      }
      return run(args, context, found)
    },
  }
}

function leadsElsewhere({ named }: ToolPath): string {
  return `${named} leads to another file since this call was allowed. Nothing was read: make the call again.`
}
