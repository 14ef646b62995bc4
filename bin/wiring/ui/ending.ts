/** The ways out: the normal one, and that of a bug. Each restores the terminal. */
import process from 'node:process'
import type { Backend } from '../../../src/agent/backend.ts'
import type { Log } from '../../../src/storage/log.ts'
import { setWaiting } from '../../../src/terminal/output/terminal-writer.ts'
import type { Terminal } from '../../../src/terminal/terminal.ts'
import { literal, sanitizeExact } from '../../../src/text/sanitize.ts'
import { tellDrawn } from '../../standard-streams.ts'
import { exit } from '../exit.ts'
import { closeJournals, type OpenJournals } from '../start/journals.ts'
import type { Display } from './display.ts'
import { resumeHint } from './greeting.ts'

export type EndingParts = {
  backend: Backend
  log: Log
  terminal: Terminal
  display: Pick<Display, 'unmount'>
  /** Undefined where nothing is saved. */
  journals: OpenJournals | undefined
  /** The flags that lead to this folder again; empty for the current one. */
  flags: string
  stderr: NodeJS.WriteStream
}

/** Ends the program in good order, with an exit code. */
export type EndProgram = (code: number) => Promise<void>

/** Prepares the way of a bug, from here on, and returns the normal one. */
export function prepareEnding({ backend, log, terminal, display, journals, flags, stderr }: EndingParts): EndProgram {
  // A terminal that has gone away sends a hangup, which ends the program.
  stderr.on('error', () => undefined)
  process.removeAllListeners('uncaughtException')
  process.on('uncaughtException', crash)
  process.on('unhandledRejection', crash)
  process.on('exit', () => {
    terminal.restore()
    // Ink shows the cursor once more, on standard error. That write must not block on a terminal that does not read.
    setWaiting(stderr, false)
    if (journals) closeJournals(journals)
  })
  let hasCrashed = false

  return async code => {
    await display.unmount()
    terminal.restore(journals ? resumeHint(journals.sessions.current(), flags) : literal``)
    await exit(code)
  }

  /** Restores the terminal first, and ends the agent. Reports only the first bug. */
  function crash(error: unknown): void {
    if (hasCrashed) return
    hasCrashed = true
    const path = sanitizeExact(log.path)
    const words = literal`zotui: zotui crashed because of a bug.\n  Please report it with ${path}\n`
    const isSeen = stderr.isTTY
    terminal.restore(isSeen ? words : literal``)
    if (!isSeen) tellDrawn(words)
    journals?.drafts.flushSync()
    journals?.sessions.flush()
    log.write(error instanceof Error ? (error.stack ?? error.message) : String(error))
    void killed(backend)
  }
}

/** Kills the agent, then exits with code 1. */
async function killed(backend: Backend): Promise<void> {
  await backend.kill()
  await exit(1)
}
