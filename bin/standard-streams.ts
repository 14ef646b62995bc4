/**
 * Standard output and standard error. Everything but the frames of the UI goes through this file (test/house.test.ts checks
 * that), so that foreign text cannot control the terminal.
 */
import process from 'node:process'
import { sanitize, sanitizeExact, type SafeText } from '../src/text/sanitize.ts'
import type { Styled } from '../src/style/styled.ts'

/** Writes a result to standard output. A file or a pipe gets it unchanged, a terminal gets it sanitised. False if its reader is behind. */
export function print(text: string): boolean {
  return process.stdout.write(process.stdout.isTTY ? sanitize(text) : text)
}

/** Writes a message to standard error. Its lines are indented, so that no part can look like another message. */
export function writeMessage(words: string): void {
  writeDrawn(sanitizeExact(`zotui: ${words.replaceAll(/\r?\n/g, '\n  ')}\n`))
}

/** Writes text to standard error that is already safe for a terminal. */
export function writeDrawn(text: SafeText): void {
  errors().write(text)
}

/** Writes lines to standard error. `paint` is a parameter, so that help and versions load no colours. */
export function writeLines(lines: readonly Styled[], paint: (line: Styled) => string): void {
  errors().write(lines.map(line => `${paint(line)}\n`).join(''))
}

let opened: NodeJS.WriteStream | undefined

/** Standard error. Creating its stream takes milliseconds, so the first message creates it, not the start. */
function errors(): NodeJS.WriteStream {
  if (!opened) {
    opened = process.stderr
    // The program continues if the reader has closed the stream.
    opened.on('error', () => undefined)
  }
  return opened
}
