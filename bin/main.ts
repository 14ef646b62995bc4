/** From the command line to a running program, and from its end to the exit code. */
import { existsSync, statSync } from 'node:fs'
import { homedir } from 'node:os'
import { resolve } from 'node:path'
import process from 'node:process'
import { createBackend, locateZot, zotVersion, type AgentChoice, type ZotOptions } from '../src/agents/index.ts'
import type { SessionRequest } from '../src/app/controller.ts'
import { ignoredWords } from '../src/config/ignored.ts'
import type { SettingsStore } from '../src/config/settings.ts'
import { UserError } from '../src/platform/errors.ts'
import { openLog, statePath, type Log } from '../src/storage/log.ts'
import { createRedactor, knownSecrets } from '../src/storage/sessions/secrets.ts'
import { print, tell } from './standard-streams.ts'
import { sentence } from '../src/text/sentence.ts'
import { startWatchdog } from '../src/platform/watchdog.ts'
import { checkStorage } from './wiring/check-storage.ts'
import { parseArguments, type Arguments } from './cli/arguments.ts'
import { keptFolders, loadSettingsFor, configuredZotPath } from './wiring/load-settings.ts'
import { endWithOutput } from './cli/output-end.ts'
import { openRecording } from './wiring/recording.ts'
import { chosenTheme } from './wiring/chosen-theme.ts'
import { report, reportUncaught } from './cli/report.ts'
import { toolLimitOf, zotOptions } from './wiring/zot-options.ts'
import { version } from './cli/version.ts'

/** Runs zotui; ends the process with the exit code. */
export async function main(argv: readonly string[]): Promise<void> {
  const log = openLog(() => new Date())
  reportUncaught(log)
  try {
    await run(parseArguments(argv), log)
  } catch (error) {
    process.exitCode = report(error, log)
  }
}

async function run(args: Arguments, log: Log): Promise<void> {
  if (args.help || args.version) endWithOutput(process.stdout)
  if (args.help) {
    const { helpText } = await import('./cli/help.ts')
    print(helpText())
    return
  }
  await checkStorage(keptFolders())
  const isTerminal = process.stdin.isTTY && process.stdout.isTTY
  const folder = resolve(args.cwd ?? currentFolder())
  if (!existsSync(folder) || !statSync(folder).isDirectory()) {
    throw new UserError(`There is no folder ${folder}.`, '--cwd needs one that exists.', 2)
  }
  if (args.demo && args.zotFlags.length > 0) {
    throw new UserError(
      `--demo talks to no zot, so ${args.zotFlags.join(', ')} would do nothing.`,
      'Leave out one of them.',
      2,
    )
  }
  refuseSession(args)
  const { settings, remarks } = await loadSettingsFor(folder, args.settings)
  if (args.options.apiKey !== undefined) remarks.push({ text: PUBLIC_KEY, isNote: true })
  if (args.version) {
    print(`${await versions(settings)}\n`)
    return
  }
  const start: Start = { args, settings, folder, options: zotOptions(args, settings), log }
  if (args.print || !isTerminal) {
    // Nothing is drawn, and a theme that there is not is still a mistake on the command line.
    if (settings.sourceOf('theme').kind === 'flag') chosenTheme(settings, homedir())
    if (!args.quiet)
      for (const remark of [...remarks.map(({ text }) => text), ignoredWords(settings) ?? []].flat()) tell(remark)
    process.exitCode = await printed(start)
    return
  }
  refusePrintFlags(args)
  const look = chosenTheme(settings, homedir())
  const session = await wished(start)
  const { choice, notice } = await chooseAgent(start, isTerminal)
  const { backend, watchdog, secrets, recording } = await connect(choice, start)
  const { openUi } = await import('./ui.ts')
  await openUi({
    backend,
    watchdog,
    demo: choice.agent === 'demo',
    replay: null,
    recording,
    notice,
    toolLimit: choice.agent === 'demo' ? null : toolLimitOf(args, settings),
    folder,
    home: homedir(),
    prompt: args.prompt,
    session,
    look,
    settings,
    warnings: remarks,
    secrets,
    version,
    log,
  })
}

const PUBLIC_KEY =
  '--api-key can be read by everybody on this machine, in the list of processes. A variable such as ANTHROPIC_API_KEY cannot.'

/** What a start goes by. */
type Start = {
  args: Arguments
  settings: SettingsStore
  folder: string
  /** What zot is started with. */
  options: ZotOptions
  log: Log
}

/** The agent, with what looks after it and what it says to nobody. */
async function connect(choice: AgentChoice, { args, log }: Start) {
  const secrets = secretsOf(args)
  const { redact } = createRedactor(secrets)
  log.mask(redact)
  const recording = args.record === null ? null : openRecording(args.record, secrets)
  const watchdog = startWatchdog()
  const backend = await createBackend(choice, {
    debug: message => log.write(`${choice.agent}: ${message}`),
    redact,
    guard: watchdog.guard,
    ...(recording && { record: recording.record }),
  })
  return { backend, watchdog, secrets, recording }
}

/** Answers one prompt without the UI. */
async function printed(start: Start): Promise<number> {
  const { args, settings, folder } = start
  const { readPrompt, printAnswer } = await import('./wiring/print.ts')
  if (args.prompt === null && process.stdin.isTTY) throw noPrompt()
  const { choice } = await chooseAgent(start, false)
  const resume = onlySession(await wished(start))
  const begun = performance.now()
  const prompt = await readPrompt(args.prompt, process.stdin, args.timeout)
  if (prompt === null) throw noPrompt()
  // The time is for all of it.
  const timeout = args.timeout === null ? null : Math.max(1, args.timeout - (performance.now() - begun))
  const { backend, secrets, recording } = await connect(choice, start)
  const keepsSession = choice.agent !== 'demo'
  const values = settings.values()
  return printAnswer({
    ...args,
    timeout,
    settings: values,
    backend,
    recording,
    prompt,
    folder,
    toolLimit: keepsSession ? toolLimitOf(args, settings) : null,
    keepsSession,
    resume,
    secrets,
  })
}

function noPrompt(): UserError {
  const hint = 'Write it behind -p or pipe it in; the UI needs a terminal for its input and its output.'
  return new UserError('There is no prompt.', hint, 2)
}

/** Of the demo nothing is kept. */
function refuseSession({ session, demo, version: asksVersion }: Arguments): void {
  if (session === null || asksVersion || !demo) return
  const flag = session === 'last' ? '--continue' : '--resume'
  throw new UserError(`Of the demo no session is kept, so ${flag} would do nothing.`, 'Leave out one of them.', 2)
}

async function wished({ args, folder }: Start): Promise<SessionRequest | null> {
  const { session } = args
  // Most starts go on with none, and then nothing of all that is loaded.
  if (session === null) return null
  const [{ requestedSession }, { zotSessions }] = await Promise.all([
    import('./wiring/session-request.ts'),
    import('./wiring/journals.ts'),
  ])
  return requestedSession({ session, stateFolder: statePath(), folder, foreign: zotSessions(folder, secretsOf(args)) })
}

/** Where nobody can choose. */
function onlySession(wish: SessionRequest | null): string | null {
  if (wish?.wish !== 'choose') return wish?.id ?? null
  const what = wish.filter === '' ? '--resume has to name a session' : `"${wish.filter}" may mean more than one session`
  throw new UserError(`${what}, since -p cannot ask which.`, 'Write the id behind --resume.', 2)
}

/** Where the person sees the UI these would do nothing. */
function refusePrintFlags({ json, quiet, timeout }: Arguments): void {
  const given = Object.entries({ '--json': json, '--quiet': quiet, '--timeout': timeout })
  const names = given.flatMap(([name, value]) => (value ? [name] : []))
  if (names.length > 0) throw new UserError(`${names.join(', ')} needs -p, which prints without the UI.`, '', 2)
}

/** Where we are; the folder may have been removed meanwhile. */
function currentFolder(): string {
  try {
    return process.cwd()
  } catch {
    throw new UserError('The folder that you are in is gone.', 'Change to one that exists.')
  }
}

/** The keys that zot gets, as far as we know of them. */
function secretsOf({ options }: Arguments): string[] {
  const { apiKey, extra = [] } = options
  return knownSecrets(process.env, [apiKey, ...extra.filter((_, at) => extra[at - 1] === '--api-key')])
}

async function versions(settings: SettingsStore): Promise<string> {
  const located = await locateZot(configuredZotPath(settings), process.env)
  if (!located.ok) return `zotui ${version} (no zot found)`
  const found = await zotVersion(located.path, process.env)
  return `zotui ${version} (zot ${found ?? 'of unknown version'} at ${located.path})`
}

/**
 * Which agent answers. A bare start in a terminal without a zot opens the demo, which says what it is; a real request is
 * never answered by a script.
 */
async function chooseAgent(
  { args, settings, folder, options }: Start,
  isTerminal: boolean,
): Promise<{ choice: AgentChoice; notice: string | null }> {
  if (args.demo) return { choice: { agent: 'demo', cwd: folder }, notice: null }
  const located = await locateZot(configuredZotPath(settings), process.env)
  if (located.ok) {
    const { path } = located
    return { choice: { agent: 'zot', path, options, env: process.env, version: undefined }, notice: null }
  }
  const reason = sentence(located.reason)
  const hint = sentence(located.hint)
  const isForZot = settings.sourceOf('zot').kind === 'flag' || args.zotFlags.length > 0
  const isWanted = args.prompt !== null || args.session !== null || isForZot
  if (isWanted || !isTerminal) throw new UserError(reason, hint)
  return {
    choice: { agent: 'demo', cwd: folder },
    notice: `${reason} This is the built-in demo agent instead.\n${hint}`,
  }
}
