/** The user's machine, as the UI reaches it. */
import process from 'node:process'
import type { Host } from '../../../src/app/context/host.ts'
import { reportText } from '../../../src/doctor/finding.ts'
import type { AppStore } from '../../../src/state/app-store.ts'
import type { Terminal } from '../../../src/terminal/terminal.ts'
import { PROSE_INDENT } from '../../../src/transcript/entries.ts'
import type { UiOptions } from './options.ts'
import { examine } from '../examine.ts'
import { createRemoteHost } from './remote-host.ts'
import type { Remote } from '../start/remote.ts'
import { createScreenLoan } from './terminal/guest.ts'
import { handleStops, type TerminalHandoff } from './terminal/terminal-handoff.ts'
import { writeTmuxClipboard } from '../../../src/platform/clipboard/write-clipboard.ts'
import { takesClipboard } from '../../../src/terminal/capabilities.ts'
import { CLIPBOARD_LIMIT, setClipboard, throughTmux } from '../../../src/terminal/osc.ts'
import type { TerminalOutput } from '../../../src/terminal/output/output.ts'

export type HostParts = {
  options: UiOptions
  store: AppStore
  terminal: Terminal
  handoff: TerminalHandoff
  stdout: NodeJS.WriteStream
}

/** Returns a function that makes the host for a folder, or for that of an agent on another machine. */
export function createHosts({
  options,
  store,
  terminal,
  handoff,
  stdout,
}: HostParts): (folder: string, remote: Remote | null) => Host {
  const { home, settings, watchdog, look, warnings } = options
  const { output } = terminal
  const { env, platform } = process
  const suspend = platform === 'win32' ? null : handleStops(handoff)
  return (folder, remote) => ({
    folder: remote ? remote.survey.folder : folder,
    ...(remote && { remote: createRemoteHost(remote) }),
    home,
    env,
    platform,
    watch: watchdog.watch,
    lendTerminal: handoff.lend,
    lendScreen: createScreenLoan(handoff, watchdog, stdout),
    async examine() {
      const notices = [...warnings, ...look.warnings]
      const report = await examine({ settings, notices, theme: store.get().themes.used, terminal })
      return reportText(report, output.columns - PROSE_INDENT, settings.values().screenReader)
    },
    ...(!remote && {
      reportSandbox: async (agent: string) =>
        (await import('./sandbox-report.ts')).sandboxReport(settings, { folder, env, home }, agent),
      openFolder: async (path: string) => (await import('../open-folder.ts')).openFolder(path, { folder, home, env }),
      answerLeft: async (path: string, answer: 'keep' | 'remove') =>
        (await import('./sandbox-report.ts')).answerLeft(folder, path, answer),
    }),
    copyThroughTerminal: text => copyThroughTerminal(text, { env, folder: remote ? process.cwd() : folder }, output),
    suspend,
  })
}

/** Over ssh the clipboard is that of the user's own machine. Resolves to the name of what took the text, or null. A terminal does not confirm that it did. */
async function copyThroughTerminal(
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
