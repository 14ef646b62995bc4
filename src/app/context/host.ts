import type { Foreground } from '../../platform/shell/foreground.ts'

/** The user's machine, as far as the program can reach it. */
export type Host = {
  /** The project's folder: the user's commands run there. */
  folder: string
  home: string
  /** The environment of programs that are run for the user. */
  env: NodeJS.ProcessEnv
  platform: NodeJS.Platform
  /** Registers a process session that must not outlive the program; call the result when it has ended. */
  watch?: (leader: number) => () => void
  /**
   * Hands the terminal to `run`, and takes it back and redraws when that is over. Does nothing while it is lent already.
   */
  lendTerminal: (run: () => Promise<void>) => Promise<void>
  /**
   * Runs a program on a screen of its own, with `line` below it, and restores the shell's screen afterwards. `failure` is the
   * beginning of a sentence, null if it did not fail. Resolves to null if programs cannot be run so.
   */
  lendScreen?: (program: Foreground, line: string) => Promise<{ failure: string | null } | null>
  /** Copies a text through the terminal. Resolves to the name of what took it; null if nothing did. */
  copyThroughTerminal?: (text: string) => Promise<string | null>
  /** The report of `/doctor`, which is safe to share. Without it, there is no /doctor. */
  examine?: () => Promise<string>
  /** Suspends the program as Ctrl+Z does, until the shell resumes it; null on systems without job control. */
  stopProgram: (() => Promise<void>) | null
}
