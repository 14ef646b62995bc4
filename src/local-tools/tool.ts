/** Tools that zotui runs for an agent: their arguments and results. */
import type { BoxKind, ToolKind } from '../agent/permission.ts'
import type { ProjectFiles } from '../platform/project-files.ts'
import type { CommandBox, RunsCommands } from '../platform/shell/run.ts'
import type { BoxReport, CommandSandbox, OpenBox, SandboxedCommand } from '../sandbox/command-sandbox.ts'

/** A tool as an agent's model sees it. `schema` is the JSON schema of its arguments. */
export type ToolDefinition = {
  name: string
  kind: ToolKind
  description: string
  schema: Readonly<Record<string, unknown>>
}

/** `data` is base64. */
type ToolContent = { type: 'text'; text: string } | { type: 'image'; mimeType: string; data: string }

/** The answer to the model. */
export type ToolOutcome = {
  content: readonly ToolContent[]
  isError: boolean
  /** The exit code of a command that ended by itself. */
  exitCode?: number
  /** Whether the model gets only a part of the output. */
  isCut?: boolean
  /** What the sandbox seems to have refused. */
  refused?: NonNullable<BoxReport['refused']>
  /** What it has left that can decide what runs later. */
  left?: BoxReport['left']
}

/** The state of the file when the change was prepared. */
export type FileState = {
  /** The file itself, after all links. */
  path: string
  /** A value that changes with the content; null if there was no file. */
  mark: string | null
}

/** The preview of a call's effect. */
type ToolPreview =
  | {
      ok: true
      /** The absolute paths that it reads or writes, after all links. Empty for a command, which could name any. */
      paths: readonly string[]
      /** The same as the call names them: a rule may have the name of a link. */
      named: readonly string[]
      /** The unified diff of a change; '' for none. */
      diff: string
      /** The state that the change was prepared for; null where nothing is changed. */
      state: FileState | null
    }
  /** The call cannot succeed. `outcome` is its result; the user is not asked. */
  | { ok: false; outcome: ToolOutcome }

export type ToolRunOptions = {
  /** The state that the user has seen in the preview. The run is refused if the file is another one now, or has changed. */
  expected?: FileState | null
  /** The paths that the preview had. The run of a tool that reads is refused if its paths now lead to other files. */
  paths?: readonly string[]
  /** The box in which alone a command may run; absent for one that may run outside. */
  box?: BoxKind | undefined
  /** Makes a box of the sandbox; absent where commands run outside. */
  openBox?: ((command: Pick<SandboxedCommand, 'folder' | 'env'>) => Promise<OpenBox>) | undefined
  /** Called where the machine has no box for reading, with a sentence for the user. */
  onUnboxed?: (why: string) => void
  /** Called when the box of a command was made. */
  onBoxed?: (kind: BoxKind['kind']) => void
  /** Whether the call may reach outside of the folder. */
  mayLeaveFolder?: boolean
  /** Stops the call. A change that has begun is finished. */
  signal?: AbortSignal
  /** Milliseconds that the call may take. */
  limit?: number
  /** Called with raw pieces of output while the call runs. */
  onProgress?: (text: string) => void
  /** Called with the leader process of a command's session. The returned function is called when the command has ended. */
  watch?: ((leader: number) => () => void) | undefined
}

/** The tools of one folder. They never ask for permission: the caller already has it, and passes its extent. */
export type LocalTools = {
  readonly definitions: readonly ToolDefinition[]
  /** Holds the commands of the conversation; null where nothing can. */
  readonly sandbox: CommandSandbox | null
  /** Has no effect on files. Never rejects. */
  preview(tool: string, args: unknown): Promise<ToolPreview>
  /** Never rejects: an error is a result for the model. Changes run one after another. */
  run(tool: string, args: unknown, options?: ToolRunOptions): Promise<ToolOutcome>
  /** Ends what works for them on another machine, until the next call; absent for those of this one. */
  close?: () => void
}

/** One tool. Both throw a `ToolFailure`, what zod throws, or what the system throws. */
export type Tool = {
  definition: ToolDefinition
  /** The things that it needs: this machine, or files or a shell of any machine. */
  worksOn: 'here' | 'files' | 'shell'
  prepare: (args: unknown, folder: string, files: ProjectFiles) => Promise<Extract<ToolPreview, { ok: true }>>
  run: (args: unknown, context: ToolRunContext) => Promise<ToolOutcome>
}

/**
 * Makes the box for a command that only reads. `env` is the environment that it would have outside. `why` is a sentence for the person that
 * says why there is none; null once it was said. Rejects with a `ToolFailure` if nothing may run.
 */
export type MakesReadBox = (place: {
  folder: string
  env: NodeJS.ProcessEnv
  runsGit: boolean
}) => Promise<{ box: CommandBox } | { box: null; why: string | null }>

export type ToolRunContext = Omit<ToolRunOptions, 'signal'> & {
  folder: string
  /** The files that changes are made to. */
  files: ProjectFiles
  env: NodeJS.ProcessEnv
  /** Runs commands on another machine; absent for this one. */
  runCommand?: RunsCommands | undefined
  readBox?: MakesReadBox | undefined
  signal: AbortSignal
}

/** The call failed. The message is for the model. */
export class ToolFailure extends Error {}

export const text = (words: string): ToolOutcome => ({ content: [{ type: 'text', text: words }], isError: false })

export const failure = (words: string): ToolOutcome => ({ content: [{ type: 'text', text: words }], isError: true })
