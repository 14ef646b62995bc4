/**
 * Standard output and standard error of this process. Apart from the frames of the UI all that zotui writes there goes through this
 * file (a test of the house holds that), so that text of others acts on no terminal.
 */
import process from 'node:process'
import { sanitize, sanitizeExact, type SafeText } from '../src/text/sanitize.ts'
import type { Styled } from '../src/style/styled.ts'

/** Writes to standard output: what was asked for. A file or a pipe gets it as it is, a terminal what it can show of it. */
export function print(text: string): void {
  process.stdout.write(process.stdout.isTTY ? sanitize(text) : text)
}

/** Says something to the person, on standard error. Nothing in it can look like another thing that zotui says. */
export function tell(words: string): void {
  tellDrawn(sanitizeExact(`zotui: ${words.replaceAll(/\r?\n/g, '\n  ')}\n`))
}

/** Writes to standard error what was made for a terminal. */
export function tellDrawn(text: SafeText | Styled): void {
  process.stderr.write(text)
}
