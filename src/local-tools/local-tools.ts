/** Makes the tools of a folder. */
import { z } from 'zod'
import { here, type ProjectFiles } from '../platform/project-files.ts'
import { editTool, writeTool } from './change-tools.ts'
import { listTool } from './list-tool.ts'
import type { RunsCommands } from '../platform/shell/run.ts'
import { readTool } from './read-tool.ts'
import type { CommandSandbox } from '../sandbox/command-sandbox.ts'
import { searchTool } from './search-tool.ts'
import { shellTool } from './shell-tool.ts'
import { checkInside } from './path.ts'
import { systemWords } from './system-words.ts'
import { failure, ToolFailure, type LocalTools, type MakesReadBox, type Tool, type ToolOutcome } from './tool.ts'

/** The tools of zotui's own. */
const ownTools: readonly Tool[] = [readTool, listTool, searchTool, writeTool, editTool, shellTool]

export type LocalToolsOptions = {
  folder: string
  /** The complete environment of commands. */
  env: NodeJS.ProcessEnv
  /** Whether tools for files stay in the folder, also where a call was allowed to leave it. A command goes where it likes. */
  isJailed?: boolean
  /** Other tools than zotui's own. */
  tools?: readonly Tool[]
  /** The files of another machine. Tools that would work on this one do not exist then. */
  files?: ProjectFiles
  /** Runs commands on that machine. */
  runCommand?: RunsCommands
  /** Holds commands that only read to that; absent where nothing does. */
  readBox?: MakesReadBox
  sandbox?: CommandSandbox | null
}

export function createLocalTools(options: LocalToolsOptions): LocalTools {
  const { folder, env, tools = ownTools, files = here, runCommand, readBox, sandbox = null, isJailed = false } = options
  const works = { here: files === here, files: true, shell: files === here || runCommand !== undefined }
  const working = tools.filter(({ worksOn }) => works[worksOn])
  const own: ReadonlyMap<string, Tool> = new Map(working.map(tool => [tool.definition.name, tool] as const))
  let lastChange: Promise<unknown> = Promise.resolve()

  /** Changes wait for each other: two edits of one file must not both start from the same content. */
  function inTurn<Value>(change: () => Promise<Value>): Promise<Value> {
    const done = lastChange.then(change)
    lastChange = done.catch(() => {})
    return done
  }

  return {
    definitions: [...own.values()].map(({ definition }) => definition),
    sandbox,
    async preview(name, args) {
      try {
        const preview = await toolCalled(own, name).prepare(args, folder, files)
        if (isJailed) for (const path of preview.paths) await checkInside({ named: path, path }, { folder, files })
        return preview
      } catch (error) {
        return { ok: false, outcome: failed(error) }
      }
    },
    async run(name, args, { signal = new AbortController().signal, ...options } = {}) {
      try {
        const tool = toolCalled(own, name)
        const start = (): Promise<ToolOutcome> => {
          signal.throwIfAborted()
          const mayLeaveFolder = options.mayLeaveFolder === true && !isJailed
          return tool.run(args, { ...options, mayLeaveFolder, signal, folder, files, env, runCommand, readBox })
        }
        return await (tool.definition.kind === 'edit' ? inTurn(start) : start())
      } catch (error) {
        return failed(signal.aborted ? new ToolFailure('aborted: context canceled') : error)
      }
    },
  }
}

function toolCalled(tools: ReadonlyMap<string, Tool>, name: string): Tool {
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
