import type { ReadStream } from 'node:tty'
import { TerminalInput } from './input.ts'
import { TerminalOutput, type TerminalStream } from './output.ts'

const CLEAR_LINE = '\r\u001B[K'
const ASK_KITTY_KEYS = '\u001B[?u'
/** Every terminal answers this one: what has not been answered before it never will be. */
const ASK_DEVICE_ATTRIBUTES = '\u001B[c'
const PUSH_KITTY_KEYS = '\u001B[>1u'
const POP_KITTY_KEYS = '\u001B[<u'
/** Synchronized output off, bracketed paste off, cursor shown: safe also where they were never on. */
const PLAIN = '\u001B[?2026l\u001B[?2004l\u001B[?25h'

export type Terminal = {
  input: TerminalInput
  output: TerminalOutput
  /** Gives the terminal back as it was, at once; safe to call at any time and twice. */
  restore(): void
}

/**
 * Takes the terminal: raw mode from now on, so that what is typed before the first frame is kept, and the questions to the
 * terminal, whose answers nobody waits for.
 */
export function openTerminal(stdin: ReadStream, stdout: TerminalStream): Terminal {
  let kittyKeys = false
  let restored = false
  const output = new TerminalOutput(stdout)
  const input = new TerminalInput(stdin, {
    onReply(sequence) {
      if (kittyKeys || restored || !/^\u001B\[\?\d+u$/.test(sequence)) return
      kittyKeys = true
      output.write(PUSH_KITTY_KEYS)
    },
    onFocus: () => undefined,
  })
  stdin.setRawMode(true)
  // What was typed so far was echoed; it will stand in the composer, and the first frame must begin at a line's start.
  output.write(CLEAR_LINE + ASK_KITTY_KEYS + ASK_DEVICE_ATTRIBUTES)

  function restore(): void {
    if (restored) return
    restored = true
    input.stop()
    output.release()
    output.flushSync((kittyKeys ? POP_KITTY_KEYS : '') + PLAIN)
    try {
      stdin.setRawMode(false)
    } catch {
      // The terminal is gone: there is no mode to restore.
    }
  }

  return { input, output, restore }
}
