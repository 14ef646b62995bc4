/**
 * Copies text with a clipboard tool of the system, through the terminal (OSC 52, which also reaches the user's machine
 * over ssh), or into a file if neither works. The reply says which it was.
 */
import { chmodSync, mkdtempSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { tmpdir } from 'node:os'
import { messageOf } from '../../platform/errors.ts'
import { writeClipboard } from '../../platform/clipboard/write-clipboard.ts'
import type { Host } from './host.ts'

export type Clipboard = {
  /** Resolves with a sentence for the user: `Copied the prompt (xclip).` Never rejects. */
  copy: (text: string, what: string, done?: string) => Promise<string>
}

export function createClipboard(host: Host | undefined): Clipboard {
  return {
    async copy(text, what, done = 'Copied') {
      if (text === '') return 'There is nothing to copy.'
      if (!host) return 'There is no clipboard here.'
      const { env } = host
      // Over ssh a tool would reach the clipboard of the remote machine.
      const isRemote = Boolean(env['SSH_TTY'] || env['SSH_CONNECTION'])
      const written = isRemote ? null : await writeClipboard(text, host)
      if (written?.ok) return `${done} ${what} (${written.tool}).`
      const way = await host.copyThroughTerminal?.(text)
      if (way) return `${done} ${what}, through ${way}.`
      return toFile(text, what, written?.reason ?? 'This terminal does not let programs write the clipboard.')
    },
  }
}

function toFile(text: string, what: string, reason: string): string {
  try {
    const folder = mkdtempSync(join(tmpdir(), 'zotui-copy-'))
    const path = join(folder, 'copied.txt')
    writeFileSync(path, text, { mode: 0o600 })
    chmodSync(folder, 0o700)
    return `No clipboard can be reached; ${what} is in ${path}`
  } catch (error) {
    return `Not copied. ${reason} ${messageOf(error)}`
  }
}
