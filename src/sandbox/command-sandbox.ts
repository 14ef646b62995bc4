/** The sandbox of one conversation as its tools see it: it holds their commands. `command-boxes.ts` makes the boxes. */
import type { BoxWant, LeftPlace, PermissionMode } from '../agent/permission.ts'
import type { CommandBox } from '../platform/shell/run.ts'

/** The answer to what a command wants. `once`: for this command. `session`: for the rest of the conversation. `remove`: not, and what it has left goes. */
export type WantAnswer = 'no' | 'once' | 'session' | 'remove'

/** Asks the user. `signal` withdraws the question, and the answer is then no. Never rejects. */
export type AsksForMore = (want: BoxWant, signal: AbortSignal) => Promise<WantAnswer>

export type SandboxedCommand = {
  /** Absolute. */
  folder: string
  /** The environment that it would have outside. */
  env: NodeJS.ProcessEnv
  ask: AsksForMore
}

export type CommandSandbox = {
  /** Whether commands run in it: by the setting, or by the permission mode. */
  isOn(): boolean
  /** The permission mode is this one now. */
  follow(mode: PermissionMode): void
  /** Makes a box for one command. Rejects with a `ToolFailure` if there can be none: then nothing runs. */
  open(command: SandboxedCommand): Promise<OpenBox>
  /** Lets commands write there from now on in this conversation. The path is absolute. */
  allowWriting(path: string): void
  /** Carries out the user's answer about what a command has left. Resolves to what failed, a sentence each. Never rejects. */
  answerLeft(left: LeftPlaces, answer: 'keep' | 'remove'): Promise<readonly string[]>
  /** Ends what it has started. Never rejects. */
  close(): Promise<void>
}

export type OpenBox = {
  box: CommandBox
  /** The command has ended. Never rejects. */
  close(result: BoxedResult): Promise<BoxReport>
}

/** `exitCode` is null for one that was stopped. `endedOthers`: programs that it had left in the background ended with it. */
export type BoxedResult = { exitCode: number | null; output: string; endedOthers: boolean }

/** What a command has left in a folder that can decide what runs later. */
export type LeftPlaces = { folder: string; places: readonly LeftPlace[] }

export type BoxReport = {
  /** What the model is told of the sandbox, whole lines; '' for nothing. */
  note: string
  /** What its output says was refused, if it has failed: a guess. `path` is a folder that commands could be allowed to write. */
  refused: { hint: string; path: string | null } | null
  /** Absent if it has left nothing of that kind. */
  left?: LeftPlaces
}
