/** The user's machine, as the UI reaches it. */
import process from 'node:process'
import type { Host } from '../../../src/app/context/host.ts'
import { reportText } from '../../../src/doctor/finding.ts'
import type { AppStore } from '../../../src/state/app-store.ts'
import type { Terminal } from '../../../src/terminal/terminal.ts'
import { PROSE_INDENT } from '../../../src/transcript/entries.ts'
import type { UiOptions } from './options.ts'
import { examine } from '../examine.ts'
import { createElsewhere } from './elsewhere.ts'
import { copyThroughTerminal } from './copying.ts'
import { createScreenLoan } from './terminal/guest.ts'
import { handleStops, type TerminalHandoff } from './terminal/terminal-handoff.ts'

export type HostParts = {
  options: UiOptions
  store: AppStore
  terminal: Terminal
  handoff: TerminalHandoff
  stdout: NodeJS.WriteStream
}

/** Returns a function that makes the host for a folder. With an agent on another machine, all have the folder there. */
export function createHosts({ options, store, terminal, handoff, stdout }: HostParts): (folder: string) => Host {
  const { home, settings, watchdog, look, warnings, remote } = options
  const { output } = terminal
  const { env, platform } = process
  const suspend = platform === 'win32' ? null : handleStops(handoff)
  return folder => ({
    folder: remote ? remote.survey.folder : folder,
    ...(remote && { elsewhere: createElsewhere(remote) }),
    home,
    env,
    platform,
    watch: watchdog.watch,
    lendTerminal: handoff.lend,
    lendScreen: createScreenLoan(handoff, watchdog, stdout),
    async examine() {
      const remarks = [...warnings, ...look.warnings]
      const report = await examine({ settings, remarks, theme: store.get().themes.used, terminal })
      return reportText(report, output.columns - PROSE_INDENT, settings.values().screenReader)
    },
    copyThroughTerminal: text => copyThroughTerminal(text, { env, folder }, output),
    suspend,
  })
}
