/** Describes to the agent a command that the user ran. */
import { fenceFor } from '../../text/fence.ts'
import { formatDuration } from '../../text/format.ts'
import { sanitizeTerminalOutput } from '../../text/sanitize.ts'
import type { ShellResult } from './run.ts'

/**
 * The text that goes before the next prompt: who ran what, how it ended, and its output as it looked on the screen, in a
 * fence that nothing in it can close.
 */
export function formatForPrompt(command: string, result: ShellResult): string {
  const output = sanitizeTerminalOutput(result.output).trimEnd()
  const typed = command.trim().split('\n').join('\n> ')
  const nothing = result.onTerminal ? '(its output went to my terminal)' : '(no output)'
  const body = `$ ${typed}\n${output === '' ? nothing : output}`
  const fence = fenceFor(body)
  return `I ran this command myself; ${howItEnded(result)}:\n\n${fence}console\n${body}\n${fence}\n`
}

/** The end of a command in words: `it exited with code 1 after 12s`. */
export function howItEnded({ exitCode, signal, durationMs, stopped, problem }: ShellResult): string {
  if (problem !== null) return `it could not be started: ${problem}`
  const after = `after ${formatDuration(durationMs)}`
  if (stopped) return `I stopped it ${after}`
  if (signal !== null) return `it was ended by ${signal} ${after}`
  return `it exited with code ${exitCode ?? 'unknown'} ${after}`
}
