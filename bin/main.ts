/** Starts zotui from the command line, with or without the UI. */
import { existsSync, statSync } from 'node:fs'
import { homedir } from 'node:os'
import { resolve } from 'node:path'
import process from 'node:process'
import { isatty } from 'node:tty'
import { locateZot } from '../src/agents/zot/program/locate.ts'
import { ignoredWords } from '../src/config/document/ignored.ts'
import type { SettingsStore } from '../src/config/settings.ts'
import { UserError } from '../src/platform/errors.ts'
import { listUnfinishedIn } from '../src/platform/unfinished-folder.ts'
import { openLog, statePath, type Log } from '../src/storage/log.ts'
import { print, writeMessage } from './standard-streams.ts'
import { checkStorage } from './wiring/start/check-storage.ts'
import { parseArguments } from './cli/arguments.ts'
import type { Arguments } from './cli/argument-types.ts'
import { keptFolders } from './wiring/start/kept-folders.ts'
import { loadSettingsFor, configuredZotPath } from './wiring/start/load-settings.ts'
import { endWithOutput } from './cli/output-end.ts'
import { prepareConnection } from './wiring/start/agent/connection.ts'
import { chooseAgent } from './wiring/start/agent/choose-agent.ts'
import { chosenTheme } from './wiring/start/chosen-theme.ts'
import { report, reportUncaught } from './cli/report.ts'
import { wantsRemote } from './wiring/start/wants-remote.ts'
import { toolLimitOf, zotOptions } from './wiring/start/agent/zot-options.ts'
import { version } from './cli/version.ts'
import { agentOf, sessionRequest, type Start } from './wiring/start/requested-session.ts'
import type { PromptRun } from './wiring/answer-prompt.ts'

/** Runs zotui and sets the exit code. */
export async function main(argv: readonly string[]): Promise<void> {
  const log = openLog(() => new Date())
  reportUncaught(log)
  try {
    await run(parseArguments(argv), log, argv)
  } catch (error) {
    process.exitCode = report(error, log)
  }
}

/** Runs zotui. Without the UI, `answer` takes the place of printing the answer: it resolves to the exit code. */
export async function run(args: Arguments, log: Log, argv: readonly string[], answer?: PromptRun): Promise<void> {
  if (args.help) {
    const { printHelp } = await import('./cli/print-help.ts')
    printHelp()
    return
  }
  if (args.version) endWithOutput(process.stdout)
  await checkStorage(keptFolders())
  listUnfinishedIn(statePath())
  const isRemote = wantsRemote(args)
  const own = resolve((isRemote ? undefined : args.cwd) ?? currentFolder())
  if (!existsSync(own) || !statSync(own).isDirectory()) {
    throw new UserError(`There is no folder ${own}.`, '--cwd needs an existing folder.', 2)
  }
  const beside = [...args.zotFlags, ...(args.settings.names.has('agent') ? ['--agent'] : [])]
  if (args.demo && beside.length > 0) {
    throw new UserError(`--demo uses no zot, so ${beside.join(', ')} has no effect.`, 'Omit one of them.', 2)
  }
  refuseSession(args)
  const { settings, notices } = await loadSettingsFor(isRemote ? null : own, args.settings)
  if (args.options.apiKey !== undefined) notices.push({ text: PUBLIC_KEY, isNote: true })
  if (args.version) {
    print(`${await versions(settings)}\n`)
    return
  }
  const isTerminal = isatty(0) && isatty(1)
  const remote = isRemote ? await (await import('./wiring/start/first-remote.ts')).firstRemote(args, settings) : null
  const folder = remote?.key ?? own
  const start: Start = { args, settings, folder, options: zotOptions(args, settings), log, remote, argv }
  if (args.print || !isTerminal) {
    // Without the UI nothing uses the theme, but an unknown name is still a mistake on the command line.
    if (settings.sourceOf('theme').kind === 'flag') chosenTheme(settings, homedir())
    if (!args.quiet)
      for (const notice of [...notices.map(({ text }) => text), ignoredWords(settings) ?? []].flat())
        writeMessage(notice)
    const { answerPrompt } = await import('./wiring/answer-prompt.ts')
    process.exitCode = await answerPrompt(start, answer)
    return
  }
  refusePrintFlags(args)
  const look = chosenTheme(settings, homedir())
  const session = await sessionRequest(start, false)
  const { choice, notice, installs } = await chooseAgent(start, isTerminal, await agentOf(session, start))
  const connection = await prepareConnection(start)
  const { watchdog } = connection
  const isDemo = choice.agent === 'demo'
  const toolLimit = choice.agent === 'zot' || remote ? toolLimitOf(args, settings) : null
  const home = homedir()
  const { drawFirstFrame } = await import('./boot/first-frame.ts')
  const place = { version, folder, home, demo: isDemo, toolLimit, remote }
  const frame = drawFirstFrame({ ...place, isReplay: false, now: Date.now, look, settings, watchdog })
  const { startBehindFrame } = await import('./boot/behind-frame.ts').catch((error: unknown) => {
    frame.terminal.restore()
    throw error
  })
  const parts = { ...place, frame, look, settings, log, argv, notice, installs, session, prompt: args.prompt }
  await startBehindFrame({ ...parts, start, choice, connection, warnings: notices })
}

const PUBLIC_KEY = '--api-key is visible to other users in the process list; use a variable such as ANTHROPIC_API_KEY.'

/** Rejects resuming a session with the demo, which saves none. */
function refuseSession({ session, demo, version: asksVersion }: Arguments): void {
  if (session === null || asksVersion || !demo) return
  const flag = session === 'last' ? '--continue' : '--resume'
  throw new UserError(`Demo sessions are not saved, so ${flag} has no effect.`, 'Omit one of them.', 2)
}

/** Rejects flags that have no effect in the UI. */
function refusePrintFlags({ json, quiet, outputSchema, timeout, background, permissionTool }: Arguments): void {
  const used = Object.entries({
    '--json': json,
    '--quiet': quiet,
    '--output-schema': outputSchema,
    '--timeout': timeout,
    '--background': background,
    '--permission-tool': permissionTool,
  })
  const names = used.flatMap(([name, value]) => (value ? [name] : []))
  if (names.length > 0) throw new UserError(`${names.join(', ')} can only be used with -p.`, '', 2)
}

/** The current folder. @throws UserError if it has been removed. */
function currentFolder(): string {
  try {
    return process.cwd()
  } catch {
    throw new UserError('The current folder no longer exists.', 'Change to another folder.')
  }
}

async function versions(settings: SettingsStore): Promise<string> {
  const located = locateZot(configuredZotPath(settings), process.env, process.cwd())
  if (!located.ok) return `zotui ${version} (no zot found)`
  const { zotVersion } = await import('../src/agents/zot/program/models.ts')
  const found = await zotVersion(located.path, process.env)
  return `zotui ${version} (zot ${found ?? 'of unknown version'} at ${located.path})`
}
