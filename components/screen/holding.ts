import type { TerminalOutput } from '../../src/terminal/output/output.ts'

/** Runs another program while the output is paused, and `after` when the terminal is ours again. */
export async function holding(output: TerminalOutput, run: () => Promise<void>, after: () => void): Promise<void> {
  output.hold()
  try {
    await output.taken()
    await run()
  } finally {
    output.unhold()
    after()
  }
}
