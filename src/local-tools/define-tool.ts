import type { z } from 'zod'
import { type ToolPath } from './path.ts'
import type { ToolRunContext, Tool, ToolDefinition, ToolOutcome } from './tool.ts'

type Parts<Arguments> = {
  /** The paths that it reads. */
  places: (args: Arguments, folder: string) => Promise<readonly ToolPath[]>
  run: (args: Arguments, context: ToolRunContext) => Promise<ToolOutcome>
}

/** A tool that changes no file by itself. */
export function defineTool<Arguments>(
  definition: ToolDefinition,
  schema: z.ZodType<Arguments>,
  { places, run }: Parts<Arguments>,
): Tool {
  return {
    definition,
    async prepare(args, folder) {
      const found = await places(schema.parse(args), folder)
      const isOutside = found.some(place => place.isOutside)
      return { ok: true, paths: found.map(({ path }) => path), isOutside, diff: '', state: null }
    },
    run: async (args, context) => run(schema.parse(args), context),
  }
}
