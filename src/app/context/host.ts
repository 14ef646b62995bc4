/** The machine that the program runs on, and the other one if the agent runs there. */
import type { ProjectFiles } from '../../platform/project-files.ts'
import type { RemoteMachine, RemoteProgram } from '../../platform/remote/machine.ts'
import type { Foreground } from '../../platform/shell/foreground.ts'

/** Another machine, on which the agent runs. */
export type RemoteHost = {
  /** For the user, such as `ssh:build`. Not sanitised. */
  name: string
  machine: RemoteMachine
  files: ProjectFiles
  /** The program to run here so that the user's command runs there. */
  shell: (command: string) => RemoteProgram
  /** The folder of this machine in which files for the user are written. */
  folderHere: string
}

/** The sandbox as it is in a folder. */
export type SandboxReport = {
  level: 'off' | 'on' | 'closed'
  /** Where the setting comes from, in words. */
  setBy: string
  /** Why there is none, and what to do; null if there is one. */
  problem: string | null
  /** Paths. */
  writable: readonly string[]
  held: readonly string[]
  /** How many places with secrets, and sockets of other programs, are hidden. */
  hidden: { secrets: number; sockets: number }
  /** The folder in which its commands keep their home folder and caches; null for none. */
  home: string | null
  hosts: readonly string[]
  /** Files that commands have left and that can run later: until the user has answered, no git of ours runs here. */
  waiting: readonly string[]
  /** Entries of the settings that cannot be read, and why. */
  problems: readonly string[]
  /** What the agent has of its own, for one that is held as a whole; null for another. */
  agent: {
    folders: readonly string[]
    held: readonly string[]
    /** The variables of its own that it is given. */
    variables: readonly string[]
    hosts: readonly string[]
    notes: readonly string[]
  } | null
}

export type OpenedFolder = { ok: true; path: string } | { ok: false; reason: string }

/** The user's machine, as far as the program can reach it. */
export type Host = {
  /** The project's folder: the user's commands run there. */
  folder: string
  /** The machine of that folder, if it is not this one: then the folder is never read on this machine. */
  remote?: RemoteHost
  home: string
  /** The environment of programs that are run for the user. */
  env: NodeJS.ProcessEnv
  platform: NodeJS.Platform
  /** Registers a process session that must not outlive the program; call the result when it has ended. */
  watch?: (leader: number) => () => void
  /** Hands the terminal to `run`, and redraws when that has ended. Does nothing while it is lent already. */
  lendTerminal: (run: () => Promise<void>) => Promise<void>
  /**
   * Runs a program on the alternate screen, with `line` below it, and restores the main screen afterwards. `failure` is
   * the beginning of a sentence, null if it did not fail. Resolves to null if this is not possible here.
   */
  lendScreen?: (program: Foreground, line: string) => Promise<{ failure: string | null } | null>
  /** Copies a text through the terminal. Resolves to the name of the program that took it; null if none did. */
  copyThroughTerminal?: (text: string) => Promise<string | null>
  /** The report of `/doctor`, which is safe to share. Without it, there is no /doctor. */
  examine?: () => Promise<string>
  /** The sandbox in the project's folder, for the agent of this name. Without it, there is no /sandbox. */
  reportSandbox?: (agent: string) => Promise<SandboxReport>
  /**
   * The folder with its links resolved, if the user may open it to the agent beside the project's; otherwise the reason, which completes a
   * sentence that begins with the path. A relative path counts from the project's folder. Without it, no folder can be opened.
   */
  openFolder?: (path: string) => Promise<OpenedFolder>
  /** The user's answer about a file of `waiting`. Resolves to why it failed, a sentence without a full stop; null if it did not. */
  answerLeft?: (path: string, answer: 'keep' | 'remove') => Promise<string | null>
  /** Suspends the program as Ctrl+Z does, until the shell resumes it; null on systems without job control. */
  suspend: (() => Promise<void>) | null
}
