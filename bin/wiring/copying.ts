/** The clipboard of the terminal, which is that of the person's own machine also over ssh. */
import { writeTmuxClipboard } from '../../src/platform/images/clipboard-write.ts'
import { takesClipboard } from '../../src/terminal/capabilities.ts'
import { CLIPBOARD_LIMIT, setClipboard, throughTmux } from '../../src/terminal/osc.ts'
import type { TerminalOutput } from '../../src/terminal/output.ts'

/** Resolves to what took the text; null where nothing does. A terminal does not say whether it did. */
export async function copyThroughTerminal(
  text: string,
  env: NodeJS.ProcessEnv,
  output: Pick<TerminalOutput, 'send'>,
): Promise<string | null> {
  // tmux hands it on to the terminal around it, whatever that lets programs do.
  if (env['TMUX'] && (await writeTmuxClipboard(text, env))) return 'tmux'
  if (!takesClipboard(env) || Buffer.byteLength(text) > CLIPBOARD_LIMIT) return null
  const asks = setClipboard(Buffer.from(text).toString('base64'))
  // Without its own program tmux takes one or the other, by what `set-clipboard` and `allow-passthrough` say there.
  output.send(env['TMUX'] ? asks + throughTmux(asks) : asks)
  return env['TMUX'] ? 'the terminal (OSC 52), if tmux lets it' : 'the terminal (OSC 52)'
}
