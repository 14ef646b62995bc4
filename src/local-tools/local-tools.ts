/** Makes the tools of a folder. */
import { z } from 'zod'
import { editTool, writeTool } from './change-tools.ts'
import { listTool } from './list-tool.ts'
import { readTool } from './read-tool.ts'
import { searchTool } from './search-tool.ts'
import { shellTool } from './shell-tool.ts'
import { systemWords } from './system-words.ts'
import { failure, ToolFailure, type LocalTools, type Tool, type ToolOutcome } from './tool.ts'

/** The table of tools, by their names. */
const tools = new Map<string, Tool>(
  [readTool, listTool, searchTool, writeTool, editTool, shellTool].map(tool => [tool.definition.name, tool]),
)

/** `env` is the whole environment of commands. */
export function createLocalTools({ folder, env }: { folder: string; env: NodeJS.ProcessEnv }): LocalTools {
  let lastChange: Promise<unknown> = Promise.resolve()

  /** Changes wait for each other: two edits of one file must not both start from the same content. */
  function inTurn<Value>(change: () => Promise<Value>): Promise<Value> {
    const done = lastChange.then(change)
    lastChange = done.catch(() => {})
    return done
  }

  return {
    definitions: [...tools.values()].map(({ definition }) => definition),
    async preview(name, args) {
      try {
        return await toolCalled(name).prepare(args, folder)
      } catch (error) {
        return { ok: false, outcome: failed(error) }
      }
    },
    async run(name, args, { signal = new AbortController().signal, ...options } = {}) {
      try {
        const tool = toolCalled(name)
        const start = (): Promise<ToolOutcome> => {
          signal.throwIfAborted()
          return tool.run(args, { ...options, signal, folder, env })
        }
        return await (tool.definition.kind === 'edit' ? inTurn(start) : start())
      } catch (error) {
        return failed(signal.aborted ? new ToolFailure('aborted: context canceled') : error)
      }
    },
  }
}

function toolCalled(name: string): Tool {
  const tool = tools.get(name)
  if (!tool) throw new ToolFailure(`unknown tool "${name}"`)
  return tool
}

function failed(error: unknown): ToolOutcome {
  if (error instanceof ToolFailure) return failure(error.message)
  if (error instanceof z.ZodError) {
    const words = error.issues.map(({ path, message }) => (path.length > 0 ? `${path.join('.')}: ${message}` : message))
    return failure(`invalid args: ${words.join('; ')}`)
  }
  return failure(systemWords(error))
}
