/** Reads the prompt of the command line, and what is piped in. */
import type { Readable } from 'node:stream'
import { UserError } from '../../src/platform/errors.ts'
import { writeMessage } from '../standard-streams.ts'

/** The most characters that are read. zot takes prompts up to 15 MB. */
const MOST_INPUT = 16_000_000

/** The silence after which zotui says that it waits for input, in milliseconds. */
const PATIENCE = 3000

/**
 * The prompt of the command line, followed by standard input if that is not a terminal. Null if both are empty.
 *
 * @throws UserError if the input is too long, is not text, or does not end within `timeout` milliseconds.
 */
export async function readPrompt(
  prompt: string | null,
  input: Readable & { isTTY?: boolean },
  timeout: number | null,
): Promise<string | null> {
  const piped = input.isTTY ? '' : await readAll(input, timeout)
  const parts = [prompt ?? '', piped.trimEnd()].filter(part => part.trim() !== '')
  return parts.length === 0 ? null : parts.join('\n\n')
}

async function readAll(input: Readable, timeout: number | null): Promise<string> {
  const waiting = setTimeout(() => {
    writeMessage('waiting for standard input to end. Use `</dev/null` if there is none.')
  }, PATIENCE)
  const late = new UserError('Standard input did not end within --timeout.', 'Use `</dev/null` if there is none.')
  const deadline = timeout === null ? undefined : setTimeout(() => input.destroy(late), timeout)
  let text = ''
  input.setEncoding('utf8')
  try {
    for await (const chunk of input) {
      clearTimeout(waiting)
      text += String(chunk)
      if (text.length > MOST_INPUT) {
        throw new UserError(
          'Standard input is too long for a prompt.',
          'zot takes up to 15 MB. Name a file in the prompt instead.',
        )
      }
    }
  } finally {
    clearTimeout(waiting)
    clearTimeout(deadline)
  }
  // Binary data has both. NUL alone may be a list of names (`-print0`), and U+FFFD alone another charset.
  if (text.includes('\0') && text.includes('\uFFFD')) {
    throw new UserError('Standard input is not text.', 'Name the file in the prompt, so that the agent can read it.', 2)
  }
  return text.replace(/^\uFEFF/, '')
}
