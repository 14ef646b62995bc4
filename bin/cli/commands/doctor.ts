/** `zotui doctor` checks the machine, the terminal and the settings. */
import { openSync } from 'node:fs'
import { homedir } from 'node:os'
import process from 'node:process'
import { WriteStream } from 'node:tty'
import { isBroken, reportJson, reportText, type ReportSection } from '../../../src/doctor/finding.ts'
import { print } from '../../standard-streams.ts'
import { answersQueries } from '../../../src/terminal/capabilities.ts'
import { openTerminal } from '../../../src/terminal/terminal.ts'
import { chosenTheme } from '../../wiring/start/chosen-theme.ts'
import type { Subcommand } from '../command.ts'
import { examine } from '../../wiring/examine.ts'
import { loadSettingsFor } from '../../wiring/start/load-settings.ts'

export const command: Subcommand = {
  name: 'doctor',
  takes: [],
  summary: 'Check the machine and the terminal; safe to share.',
  flags: { json: { type: 'boolean', text: 'print JSON' } },
  run: async call => {
    const { settings, notices } = await loadSettingsFor(process.cwd(), { values: {}, names: new Map() })
    const isSpoken = settings.values().screenReader
    const look = chosenTheme(settings, homedir())
    const all = [...notices, ...look.warnings]
    const sections = await withTerminal(isSpoken, terminal =>
      examine({ settings, notices: all, theme: look.used, terminal }),
    )
    print(
      call.has('json')
        ? reportJson(sections)
        : `${reportText(sections, process.stdout.columns ?? Infinity, isSpoken)}\n`,
    )
    return isBroken(sections) ? 1 : 0
  },
}

/** Calls `use` with the user's terminal, even if the output is redirected; with null if there is none. */
async function withTerminal(
  isSpoken: boolean,
  use: (terminal: Parameters<typeof examine>[0]['terminal']) => Promise<ReportSection[]>,
): Promise<ReportSection[]> {
  const { stdin, stdout, env } = process
  const out = stdout.isTTY ? stdout : stdin.isTTY ? controllingTerminal() : null
  if (!stdin.isTTY || !out || !answersQueries(env)) return use(null)
  const terminal = openTerminal(stdin, Object.assign(out, { fd: out.fd }), { isSpoken })
  try {
    return await use(terminal)
  } finally {
    terminal.restore()
    stdin.unref()
  }
}

function controllingTerminal(): (WriteStream & { fd: number }) | null {
  try {
    const fd = openSync('/dev/tty', 'r+')
    return Object.assign(new WriteStream(fd), { fd })
  } catch {
    // Windows has no such file, and a detached process has no terminal.
    return null
  }
}
