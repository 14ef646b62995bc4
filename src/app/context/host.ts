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
  /** Suspends the program as Ctrl+Z does, until the shell resumes it; null on systems without job control. */
  suspend: (() => Promise<void>) | null
}
