/** Ends the program, normally or because of a bug. Both ways restore the terminal. */
import process from 'node:process'
import type { Conversation } from '../../../src/program/conversation.ts'
import { isReplaced } from '../../../src/platform/errors.ts'
import { replacedNotice } from '../../../src/app/context/replaced.ts'
import type { Log } from '../../../src/storage/log.ts'
import { setWaiting } from '../../../src/terminal/output/terminal-writer.ts'
import type { Terminal } from '../../../src/terminal/terminal.ts'
import { literal, sanitizeExact } from '../../../src/text/sanitize.ts'
import { writeDrawn } from '../../standard-streams.ts'
import { exit } from '../exit.ts'
import type { Display } from './display.ts'
import { resumeHints } from './greeting.ts'

export type EndingParts = {
  /** All conversations, the one that is shown first. */
  conversations: () => readonly Conversation[]
  log: Log
  terminal: Terminal
  display: Pick<Display, 'unmount'>
  /** Closes the other machines, with the terminal given back: places may take a while to end. Resolves to what was left, as sentences. */
  closeMachines: () => Promise<string[]>
  stderr: NodeJS.WriteStream
}

/** Ends the program normally, with an exit code. */
export type EndProgram = (code: number) => Promise<void>

/** Handles bugs from here on, and returns the normal way to end. */
export function prepareEnding(parts: EndingParts): EndProgram {
  const { conversations, closeMachines, log, terminal, display, stderr } = parts
  // A terminal that has gone away sends a hangup, which ends the program.
  stderr.on('error', () => undefined)
  process.removeAllListeners('uncaughtException')
  process.on('uncaughtException', crash)
  process.on('unhandledRejection', error => (isReplaced(error) ? noticeReplaced() : crash(error)))
  process.on('exit', () => {
    terminal.restore()
    // Ink shows the cursor once more, on standard error. That write must not block on a terminal that does not read.
    setWaiting(stderr, false)
    for (const { close } of conversations()) close()
  })
  let hasCrashed = false

  return async code => {
    await display.unmount()
    terminal.restore(resumeHints(conversations()))
    for (const left of await closeMachines()) writeDrawn(sanitizeExact(`zotui: ${left}\n`))
    await exit(code)
  }

  /** What needs a part of the program that is gone does not happen; all else goes on. */
  function noticeReplaced(): void {
    conversations()[0]?.controller.addProgramNotice(...replacedNotice)
  }

  /** Restores the terminal first, and ends the agent. Reports only the first bug. */
  function crash(error: unknown): void {
    if (hasCrashed) return
    hasCrashed = true
    const path = sanitizeExact(log.path)
    const words = literal`zotui: zotui crashed because of a bug.\n  Please report it with ${path}\n`
    const isSeen = stderr.isTTY
    terminal.restore(isSeen ? words : literal``)
    if (!isSeen) writeDrawn(words)
    for (const { flush } of conversations()) flush()
    log.write(error instanceof Error ? (error.stack ?? error.message) : String(error))
    void killed(conversations())
  }
}

/** Kills the agents, then exits with code 1. */
async function killed(conversations: readonly Conversation[]): Promise<void> {
  await Promise.all(conversations.map(async ({ kill }) => kill()))
  await exit(1)
}
