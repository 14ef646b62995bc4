import type { Target } from '../../platform/remote/target.ts'

/**
 * The layer below a protocol: lines out, lines in, and how it ended. A child process, a socket and a test all fit.
 */
export interface Transport {
  /** Process id, if there is a process. */
  readonly pid: number | undefined

  /** Sends one line; the newline is added. After the end it does nothing. Never throws, never waits. */
  write(line: string): void

  /**
   * Sets the one receiver of lines, decoded from UTF-8 (invalid bytes become U+FFFD), without their newline and in
   * order. `onDropped` is called in place of a line that was too long to keep, with its bytes. Earlier lines are kept for
   * both. The other side is read at least once a frame, whatever the receiver does.
   */
  receive(onLine: (line: string) => void, onDropped?: (bytes: number) => void): void

  /** The last lines of its standard error so far, oldest first, at most 200. */
  words(): readonly string[]

  /** Ends our side: nothing more will be written. */
  closeInput(): void

  /**
   * Freezes the process, so that it begins nothing more. Resolves with whether it still runs: false if it had ended by itself,
   * which the system may report a little later. On Windows nothing is frozen.
   */
  freeze?(): Promise<boolean>

  /** Signals the other side. `SIGKILL` also reaches the processes of its session. */
  kill(signal: 'SIGTERM' | 'SIGKILL'): void

  /** Resolves, never rejects, after the last line has been delivered. */
  readonly ended: Promise<Ending>
}

/** The end of the other side. */
export type Ending = {
  /** Exit code; null when a signal ended it or it never ran. */
  code: number | null
  /** The signal's name, such as `SIGKILL`. */
  signal: string | null
  /**
   * Why it never ran: `ENOENT`, `EACCES`, `E2BIG` and so on. `ENOTDIR` means that the folder to run in does not exist: the
   * system reports that as if the program were missing.
   */
  spawnError: string | null
  /** It closed its standard output and kept running, so we killed it. */
  outputClosed: boolean
  /** The last lines that it wrote to standard error, oldest first, at most 200. */
  lastWords: readonly string[]
  /** The connection to another machine ended, and not the program there. */
  lost?: { target: Pick<Target, 'file' | 'name'>; end: Ending }
}
