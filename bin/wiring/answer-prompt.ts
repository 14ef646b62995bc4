/** Answers one prompt without the UI: `zotui -p`. The agent starts while the rest is loaded. */
import process from 'node:process'
import { isatty } from 'node:tty'
import type { SessionRequest } from '../../src/app/start.ts'
import { dayClock } from '../../src/platform/ages.ts'
import { messageOf, UserError } from '../../src/platform/errors.ts'
import { statePath } from '../../src/storage/log.ts'
import { chooseAgent } from './start/agent/choose-agent.ts'
import { prepareConnection } from './start/agent/connection.ts'
import { toolLimitOf } from './start/agent/zot-options.ts'
import { agentOf, sessionRequest, type Start } from './start/requested-session.ts'
import type { PrintModeOptions } from './print.ts'
import type { TypedPrompt } from './start/prompt-files.ts'
import type { JsonWriter } from '../../src/print/writer.ts'
import { print, writeMessage } from '../standard-streams.ts'
import { onStopSignals, type StopSignals } from './stop-signals.ts'

/** `isTyped`: it may be a command, which is still to be expanded. */
type HandedPrompt = TypedPrompt & { isTyped?: true }

/** Another way to answer a prompt, which was read already. It handles the signals itself, unless it prints as -p does. */
export type PromptRun = {
  isPrint?: true
  /** Null for none: the agent is started, and waits. */
  prompt: HandedPrompt | null
  run: (options: PrintModeOptions) => Promise<number>
}

/** Resolves to the exit code. @throws UserError if there is no prompt, or it cannot be answered. */
export async function answerPrompt(start: Start, answer?: PromptRun): Promise<number> {
  const { args } = start
  if (args.prompt === null && !answer && isatty(0)) throw noPrompt()
  const signals = answer && !answer.isPrint ? null : onStopSignals()
  const json = args.json && !args.background && !answer ? await jsonOutput() : null
  if (signals && json) signals.onEnd = code => json.finish({ ...NOTHING, outcome: 'interrupted', exitCode: code })
  try {
    return await runPrompt(start, { answer, signals, json })
  } catch (error) {
    // A run that has begun has reported its end already.
    const exitCode = error instanceof UserError ? error.exitCode : 1
    json?.finish({ ...NOTHING, outcome: 'failed', exitCode, error: messageOf(error) })
    throw error
  } finally {
    const left = (await start.remote?.close()) ?? null
    if (left !== null) writeMessage(left)
  }
}

/** The result of a run that has not begun. */
const NOTHING = {
  session: null,
  answer: '',
  error: null,
  costUsd: 0,
  costIsPartial: false,
  sessionCostUsd: 0,
  usage: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, reasoning: null },
}

async function jsonOutput(): Promise<JsonWriter> {
  const { createJsonWriter } = await import('../../src/print/writer.ts')
  return createJsonWriter(print, dayClock.now)
}

type RunParts = { answer: PromptRun | undefined; signals: StopSignals | null; json: JsonWriter | null }

async function runPrompt(start: Start, { answer, signals, json }: RunParts): Promise<number> {
  const { args, settings, folder, remote } = start
  const session = await sessionRequest(start, true)
  const resume = onlySession(session)
  const outputSchema =
    args.outputSchema === null ? null : await (await import('./print.ts')).loadOutputSchema(args.outputSchema)
  const { choice } = await chooseAgent(start, false, await agentOf(session, start))
  if (start.options.provider !== undefined)
    await (await import('./start/agent/check-provider.ts')).checkProvider(choice, settings)
  if (args.background && !answer) return beginBackground(start)
  // --timeout includes reading the prompt.
  const until = args.timeout === null ? null : performance.now() + args.timeout
  const { make, secrets, recording, watchdog } = await prepareConnection(start, { isForProcesses: true })
  const backend = await make(choice, { isRecorded: true, isEarly: signals !== null })
  if (signals) signals.agent = backend
  try {
    const [{ printAnswer, removeUnfinished }, prompt] = await Promise.all([
      import('./print.ts'),
      answer ? expanded(answer.prompt, start) : readGivenPrompt(start),
    ])
    removeUnfinished(statePath(), Date.now())
    const options = {
      ...args,
      outputSchema,
      timeout: until === null ? null : Math.max(1, until - performance.now()),
      settings: settings.values(),
      store: settings,
      demo: choice.agent === 'demo',
      backend,
      recording,
      prompt,
      // A prompt that was handed over says itself what was typed.
      mentioning: args.prompt ?? answer?.prompt?.text ?? prompt?.text ?? '',
      folder,
      toolLimit: choice.agent === 'zot' || remote ? toolLimitOf(args, settings) : null,
      remote,
      keepsSession: choice.agent !== 'demo',
      resume,
      secrets,
      watch: watchdog.watch,
      signals,
      jsonWriter: json,
    }
    return await (answer?.run ?? printAnswer)(options)
  } catch (error) {
    await backend.kill()
    throw error
  }
}

/** The prompt from the command line, expanded, and from standard input. @throws UserError if there is none. */
async function readGivenPrompt({ args, folder, settings }: Start): Promise<TypedPrompt> {
  const argument = args.prompt?.startsWith('/')
    ? await (await import('./start/prompt-files.ts')).expandPrompt(args.prompt, folder, settings.trust())
    : { text: args.prompt ?? '' }
  const { readPrompt } = await import('./piped-prompt.ts')
  const text = await readPrompt(argument.text, process.stdin, args.timeout)
  if (text === null) throw noPrompt()
  // The piped input stands below.
  return argument.typed === undefined ? { text } : { text, typed: argument.typed + text.slice(argument.text.length) }
}

async function expanded(prompt: HandedPrompt | null, { folder, settings }: Start): Promise<TypedPrompt | null> {
  if (!prompt?.isTyped || !prompt.text.startsWith('/')) return prompt
  return (await import('./start/prompt-files.ts')).expandPrompt(prompt.text, folder, settings.trust())
}

function noPrompt(): UserError {
  const hint = 'Add it after -p or pipe it in. The UI needs a terminal for input and output.'
  return new UserError('There is no prompt.', hint, 2)
}

async function beginBackground(start: Start): Promise<number> {
  const prompt = await readGivenPrompt(start)
  if (start.remote) throw new UserError('--background works on this machine only.', 'Omit it, or --on and --via.', 2)
  const { beginInBackground } = await import('./background/begin.ts')
  return beginInBackground({ argv: start.argv, prompt, args: start.args })
}

/** The session to resume when no user can choose one. @throws UserError if a choice is needed. */
function onlySession(request: SessionRequest | null): string | null {
  if (request?.kind !== 'choose') return request?.id ?? null
  const what = request.filter === '' ? '--resume needs an ID' : `"${request.filter}" may match several sessions`
  throw new UserError(`${what}, since -p cannot ask you.`, 'Use `--resume ID`; `zotui sessions` lists the IDs.', 2)
}
