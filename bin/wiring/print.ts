/** Answers one prompt without the UI: `zotui -p`, or zotui without a terminal. */
import process from 'node:process'
import { homedir } from 'node:os'
import type { Backend, Prompt } from '../../src/agent/backend.ts'
import type { ToolLimit } from '../../src/state/state.ts'
import { createJudge } from '../../src/app/permissions/judge.ts'
import type { Settings } from '../../src/config/schema.ts'
import type { SettingsStore } from '../../src/config/settings.ts'
import type { Watch } from '../../src/platform/watchdog.ts'
import { askProgram } from '../../src/platform/shell/ask-program.ts'
import { createPrintPermissions, type PrintPermissions } from '../../src/print/permissions.ts'
import { sanitize } from '../../src/text/sanitize.ts'
import { sentence } from '../../src/text/sentence.ts'
import { truncate } from '../../src/text/lines/shorten.ts'
import { permissionOptions } from './start/permissions.ts'
import { UserError } from '../../src/platform/errors.ts'
import { readRegularFile } from '../../src/platform/regular-file.ts'
import type { OutputSchema } from '../../src/print/output-schema.ts'
import { statePath } from '../../src/storage/log.ts'
import { printOutcome, type PrintEnd } from '../../src/print/ending.ts'
import type { PrintOutcome } from '../../src/print/outcomes.ts'
import { startPrinting } from '../../src/print/print.ts'
import { createTextWriter } from '../../src/print/text-writer.ts'
import { createFinalWriter, type JsonWriter, type PrintWriter } from '../../src/print/writer.ts'
import { openSessions, type Sessions } from '../../src/storage/sessions/sessions.ts'
import type { SessionKind } from '../../src/conversation/queries/session/session-kind.ts'
import { openDayCost } from '../../src/storage/usage/day-cost.ts'
import { openLedger, type Ledger } from '../../src/storage/usage/ledger.ts'
import { print, writeMessage } from '../standard-streams.ts'
import { timers } from '../../src/platform/timers.ts'
import { zotSessions } from './start/zot-sessions.ts'
import type { HookedRun } from './start/hooks.ts'
import type { TypedPrompt } from './start/prompt-files.ts'
import type { Remote } from './start/remote.ts'
import { isReaderGone, unwritten } from '../cli/output-end.ts'
import { exit } from './exit.ts'
import type { RecordingFile } from './recording.ts'
import type { StopSignals } from './stop-signals.ts'

// Passed on, so that -p loads it with this file, after zot has been started.
export { removeUnfinished } from '../../src/platform/remove-unfinished.ts'

export type PrintModeOptions = {
  backend: Backend
  /** The file that records the wire; null without --record. */
  recording: RecordingFile | null
  /** Null if a UI will attach and send one. */
  prompt: TypedPrompt | null
  /** The part of the prompt that may mention files. Input that is piped to a prompt mentions none. */
  mentioning: string
  folder: string
  /** The machine that the agent runs on; null for this one. */
  remote: Remote | null
  /** Why the agent lacks tools; null if it has all of them. */
  toolLimit: ToolLimit | null
  settings: Settings
  /** Writes the lines of --json; null without it. */
  jsonWriter: JsonWriter | null
  quiet: boolean
  /** The schema that the answer must satisfy; null for any answer. */
  outputSchema: OutputSchema | null
  /** Takes an answer that satisfies the schema. Without it, the answer is printed. */
  onAnswer?: (answer: string) => void
  /** In milliseconds; null for no limit. */
  timeout: number | null
  /** Whether the run is saved as a session. */
  keepsSession: boolean
  /** The session to resume; null for a new one. */
  resume: string | null
  secrets: readonly string[]
  /** The settings with their sources and rules. */
  store: SettingsStore
  /** Whether the agent is the demo, which stores nothing. */
  demo: boolean
  /** The command of the program that answers permission questions; null to refuse what would be asked. */
  permissionTool: string | null
  /** Registers a process session that must not outlive zotui. */
  watch: Watch
  /** Null where the caller handles the signals. */
  signals: StopSignals | null
}

/** The time that the program of --permission-tool has for an answer, in milliseconds. It may ask a user at another place. */
const ANSWER_TIME = 600_000
/** The bytes that it may print. */
const ANSWER_LIMIT = 1_000_000

/** Runs the prompt and resolves to the exit code. @throws UserError if it failed. */
export async function printAnswer(options: PrintModeOptions): Promise<number> {
  const { folder, settings, quiet } = options
  const { sessions, ledger } = options.keepsSession
    ? openKept(folder, options.secrets, 'print')
    : { sessions: null, ledger: null }
  const session = () => sessions?.current().id ?? null
  const writer = await writerOf(options, session)
  const say = (line: string): void => {
    writer.breakLine?.()
    writeMessage(truncate(line, LONGEST_LINE))
  }
  const { backend, hooks } = await hookedPrint(options, session, say)
  const prompt = await promptOf(options, line => (quiet ? undefined : say(line)))
  const permissions = await permissionsOf({ ...options, backend }, hooks, say)
  let exitCode = 0
  await options.signals?.handOver(code => {
    const isSecond = exitCode !== 0
    exitCode ||= code
    stop('interrupted')
    if (isSecond) endUnread(exitCode, () => finish('interrupted', exitCode, null))
    else void ended.then(() => endUnread(exitCode))
  })
  const { ended, stop, made } = startPrinting({
    ...options,
    // Files of another machine are not looked at.
    folder: options.remote ? undefined : folder,
    prompt,
    writer,
    backend,
    permissions,
    hooks,
    sessions,
    ledger,
    memoryTokens: settings.memoryTokens,
    maxCost: settings.maxCostUsd,
    // There is one turn: the limit holds that it begins with.
    day: openDayCost({
      stateFolder: statePath(),
      now: Date.now,
      limit: () => (options.demo ? null : settings.maxCostPerDayUsd),
    }),
    warn: say,
    onAnswer(json) {
      if (options.onAnswer) options.onAnswer(json)
      else if (!options.jsonWriter) print(`${process.stdout.isTTY ? sanitize(json) : json}\n`)
    },
  })
  options.recording?.onBroken(writeMessage)
  let loss: Error | null = null
  let isUnread = false
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (!isReaderGone(error))
      loss ??= unwritten(error, options.keepsSession ? '`zotui show last` prints it again.' : '')
    // All later writes fail too; one report is enough.
    if (!isUnread) stop('reader_gone')
    isUnread = true
  })
  process.on('exit', () => sessions?.close())
  const end = await ended
  const problem = problemOf(end)
  const code = problem?.exitCode ?? (end.outcome === 'interrupted' ? exitCode : end.outcome === 'refused' ? REFUSED : 0)
  finish(printOutcome(end), code, problem)
  if (loss !== null) throw loss
  if (problem) throw problem
  if (end.outcome !== 'done' && end.outcome !== 'refused') return code
  if (end.notice !== null && !quiet) writeMessage(end.notice)
  const isUnasked = end.outcome === 'refused' && options.permissionTool === null
  const howToAllow = isUnasked && !quiet ? permissions?.howToAllow() : null
  if (howToAllow) writeMessage(howToAllow)
  return code

  function finish(outcome: PrintOutcome, code: number, problem: UserError | null): void {
    const { usage, ...facts } = made()
    const { costUsd, ...tokens } = usage
    options.jsonWriter?.finish({
      session: sessions?.current().isStored() === true ? session() : null,
      outcome,
      exitCode: code,
      error: problem === null ? null : [problem.message, problem.hint].map(sentence).join(' ').trimEnd(),
      ...facts,
      costUsd,
      usage: tokens,
    })
  }
}

/** The error of a run that failed; null for any other end. */
function problemOf(end: PrintEnd): UserError | null {
  if (end.outcome === 'held_back')
    return new UserError(`${end.isSent ? 'Stopped' : 'Nothing was sent'}: ${end.words}.`, ALLOWS_ALL, 2)
  return end.outcome === 'failed' ? new UserError(end.message, end.hint) : null
}

const ALLOWS_ALL = '--permissions allow lets it.'
/** The exit code if a call was refused because it was not allowed. */
const REFUSED = 3

/** The prompt with the files that it mentions. */
export async function promptOf(options: PrintModeOptions, say: (line: string) => void): Promise<Prompt | null> {
  const { prompt } = options
  if (prompt === null || !options.mentioning.includes('@')) return prompt && { ...prompt, images: [] }
  const { promptWithFiles } = await import('./mentioned-files.ts')
  return promptWithFiles({ ...options, prompt }, say)
}

/** The configured hooks, and the agent behind them. Without hooks, none of their code is loaded. */
export async function hookedPrint(
  options: PrintModeOptions,
  session: () => string | null,
  warn: (line: string) => void,
): Promise<{ backend: Backend; hooks: HookedRun | null }> {
  const { backend, store: settings, folder, remote, watch } = options
  if (settings.hooks().length === 0) return { backend, hooks: null }
  const { startHooks } = await import('./start/hooks.ts')
  let mode: string | null = null
  backend.subscribe(event => {
    if (event.type === 'permission_mode_changed') ({ mode } = event)
  })
  const hooks = startHooks({
    backend,
    settings,
    folder,
    remote,
    watch,
    facts: () => ({ session_id: session(), permission_mode: mode }),
    onMessage: text => warn(`A hook says: ${text}`),
  })
  return { backend: hooks.backend, hooks }
}

export async function permissionsOf(
  options: PrintModeOptions,
  hooks: Pick<HookedRun, 'doubtOf' | 'decides'> | null,
  onRefused: (line: string) => void,
): Promise<PrintPermissions | null> {
  const { backend, store: settings, folder, demo, remote, permissionTool: command, quiet } = options
  if (!backend.abilities.has('judgeWith')) return null
  const { start, place, store, notices } = await permissionOptions({
    settings,
    folder,
    home: homedir(),
    demo,
    remote,
  })
  if (!quiet) for (const { text } of notices) writeMessage(text)
  const program = {
    cwd: remote ? process.cwd() : folder,
    env: process.env,
    timeout: ANSWER_TIME,
    limitBytes: ANSWER_LIMIT,
  }
  if (backend.abilities.has('sandbox') && (start.mode === 'contained' || settings.values().sandbox !== 'off'))
    void sayUnboxable(folder, onRefused)
  const { kind } = settings.sourceOf('permissions')
  return createPrintPermissions({
    start,
    isNamed: kind === 'flag' || kind === 'environment',
    judge: createJudge(() => start.mode, place, store, hooks?.doubtOf),
    hooksDecide: tool => hooks?.decides(tool) === true,
    askProgram: command === null ? null : (input, signal) => askProgram({ ...program, command, input, signal }),
    onRefused,
  })
}

/** Says why no command will run, if none can be boxed here. Never rejects. */
async function sayUnboxable(folder: string, say: (line: string) => void): Promise<void> {
  const { workingBoxMaker } = await import('../../src/sandbox/working-box.ts')
  const maker = await workingBoxMaker({ folder, env: process.env })
  if ('kind' in maker) return
  const why = 'unknown' in maker ? maker.unknown : [maker.why, maker.so].filter(words => words !== '').join('; ')
  say(`commands cannot run: the sandbox cannot be made: ${why}. Without the sandbox, --permissions ask works.`)
}

/** The columns of the longest message. */
const LONGEST_LINE = 300

/** The time for the reader to read the rest after a signal, in milliseconds. */
const REST_WAIT = 1000

/** Exits even if the output is never read: the process would otherwise wait for its reader. */
function endUnread(code: number, finish: () => void = () => {}): void {
  const end = (): void => {
    finish()
    void exit(code)
  }
  setTimeout(end, REST_WAIT).unref()
}

export function openKept(
  folder: string,
  secrets: readonly string[],
  kind: SessionKind,
  onProblem: (words: string) => void = writeMessage,
): { sessions: Sessions; ledger: Ledger } {
  const place = { stateFolder: statePath(), projectFolder: folder, now: Date.now, onProblem }
  return {
    sessions: openSessions({ ...place, timers, kind, foreign: zotSessions(folder, secrets) }),
    ledger: openLedger(place),
  }
}

async function writerOf(
  { jsonWriter, quiet, outputSchema, settings }: PrintModeOptions,
  session: () => string | null,
): Promise<PrintWriter> {
  // The session is known when the run begins.
  if (jsonWriter) return { ...jsonWriter, begins: () => jsonWriter.opens(session()) }
  if (quiet && !outputSchema) return createFinalWriter(print)
  const isTerminal = process.stdout.isTTY
  return createTextWriter({
    // An answer in JSON is printed when it has been checked.
    write: outputSchema ? () => {} : print,
    isTerminal,
    printNote: quiet || !process.stderr.isTTY ? null : (await import('./call-notes.ts')).notePrinter(settings),
  })
}

/** The bytes of the longest schema. */
const LONGEST_SCHEMA = 1_000_000

/** Reads --output-schema: a file, or JSON, which begins with `{`. @throws UserError with exit code 2 if it cannot be used. */
export async function loadOutputSchema(value: string): Promise<OutputSchema> {
  const isJson = value.trimStart().startsWith('{')
  const text = isJson ? value : await schemaFile(value)
  const { readOutputSchema } = await import('../../src/print/output-schema.ts')
  const schema = await readOutputSchema(text)
  if (!schema.ok) throw new UserError(`${isJson ? 'The JSON of --output-schema' : value} ${schema.problem}.`, '', 2)
  return schema.schema
}

async function schemaFile(file: string): Promise<string> {
  const read = await readRegularFile(file, LONGEST_SCHEMA)
  if (read.ok) return read.bytes.toString('utf8')
  throw new UserError(`${file} ${read.reason}.`, '--output-schema needs a JSON Schema or the file of one.', 2)
}
