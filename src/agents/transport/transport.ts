/**
 * The seam under a protocol: lines out, lines in, and how it ended. A child process, a socket and a test all fit.
 */
export interface Transport {
  /** Process id where there is a process. */
  readonly pid: number | undefined

  /** Sends one line; the newline is added. After the end it does nothing. Never throws, never waits. */
  write(line: string): void

  /**
   * Sets the one receiver of lines, decoded from UTF-8 (invalid bytes become U+FFFD), without their newline and in
   * order. Lines that came earlier were kept for it. The other side is always read at full speed, whatever the receiver does.
   */
  receive(onLine: (line: string) => void): void

  /** What it wrote to standard error so far: the last lines, oldest first, at most 200. */
  words(): readonly string[]

  /** Says that nothing more will be written. */
  closeInput(): void

  /** Ends the other side without asking. `SIGKILL` also reaches what it started, as far as its process group goes. */
  kill(signal: 'SIGTERM' | 'SIGKILL'): void

  /** Resolves, never rejects, after the last line has been delivered. */
  readonly ended: Promise<Ending>
}

/** The line that is received in the place of one that was too long to be kept. */
export function standIn(bytes: number): string {
  return `(a line of ${bytes} bytes was dropped)`
}

/** How long the line was that this one stands in for; null where it is one of its own. */
export function droppedBytes(line: string): number | null {
  const bytes = /^\(a line of (\d{1,15}) bytes was dropped\)$/.exec(line)?.[1]
  return bytes === undefined ? null : Number(bytes)
}

/** How the other side ended. */
export type Ending = {
  /** Exit code; null when a signal ended it or it never ran. */
  code: number | null
  /** The signal's name, such as `SIGKILL`. */
  signal: string | null
  /**
   * Why it never ran: `ENOENT`, `EACCES`, `E2BIG` and their like. `ENOTDIR` where the folder to run in is none: the system
   * itself reports that as if the program were missing.
   */
  spawnError: string | null
  /** It closed its standard output, lived on, and was therefore ended by us. */
  outputClosed: boolean
  /** The last lines that it wrote to standard error, oldest first, at most 200. */
  lastWords: readonly string[]
}
