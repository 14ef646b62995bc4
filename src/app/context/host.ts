import type { Foreground } from '../../platform/shell/foreground.ts'

/** What the program can reach of the machine that the person sits at. */
export type Host = {
  /** The project's folder: commands of the person run there. */
  folder: string
  home: string
  /** The whole environment of what is run for the person. */
  env: NodeJS.ProcessEnv
  platform: NodeJS.Platform
  /** Told which session must not outlive the program; called back when that has ended. */
  guard?: (leader: number) => () => void
  /**
   * Gives the terminal to `run`, and has the screen back when that is over; what happens meanwhile is drawn then. Does
   * nothing while it is lent already.
   */
  lendTerminal: (run: () => Promise<void>) => Promise<void>
  /**
   * Runs a program on a screen of its own, below which `line` stands; the shell's is as it was when that is over. Resolves to
   * how it failed, as the beginning of a sentence, null where it did not; null instead of all that where it cannot be run so.
   */
  lendScreen?: (program: Foreground, line: string) => Promise<{ failure: string | null } | null>
  /** Asks the terminal to take a text as its clipboard. Resolves to what took it; null where nothing does. */
  copyThroughTerminal?: (text: string) => Promise<string | null>
  /** What `/doctor` says: a report that is safe to show to anybody. Without it there is no /doctor. */
  examine?: () => Promise<string>
  /** Stops the program as Ctrl+Z does, until the shell lets it go on; null where shells know no such thing. */
  stopProgram: (() => Promise<void>) | null
}
