/** The clipboard of the terminal. Over ssh it is that of the user's own machine. */
import { writeTmuxClipboard } from '../../../src/platform/clipboard/write-clipboard.ts'
import { takesClipboard } from '../../../src/terminal/capabilities.ts'
import { CLIPBOARD_LIMIT, setClipboard, throughTmux } from '../../../src/terminal/osc.ts'
import type { TerminalOutput } from '../../../src/terminal/output/output.ts'

/** Resolves to the name of what took the text, or null. A terminal does not confirm that it did. */
export async function copyThroughTerminal(
  text: string,
  { env, folder }: { env: NodeJS.ProcessEnv; folder: string },
  output: Pick<TerminalOutput, 'send'>,
): Promise<string | null> {
  // tmux passes the text on to the outer terminal, whatever its settings allow programs.
  if (env['TMUX'] && (await writeTmuxClipboard(text, { env, folder }))) return 'tmux'
  if (!takesClipboard(env) || Buffer.byteLength(text) > CLIPBOARD_LIMIT) return null
  const asks = setClipboard(Buffer.from(text).toString('base64'))
  // Without the program `tmux` both ways are tried: `set-clipboard` and `allow-passthrough` decide which one tmux accepts.
  output.send(env['TMUX'] ? asks + throughTmux(asks) : asks)
  return env['TMUX'] ? 'the terminal (OSC 52), if tmux allows it' : 'the terminal (OSC 52)'
}
