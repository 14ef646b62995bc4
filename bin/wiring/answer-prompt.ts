/** Answers one prompt without the UI: `zotui -p`. The agent starts while the rest is loaded. */
import process from 'node:process'
import { isatty } from 'node:tty'
import type { SessionRequest } from '../../src/app/start.ts'
import { UserError } from '../../src/platform/errors.ts'
import { removeUnfinished } from '../../src/platform/unfinished.ts'
import { statePath } from '../../src/storage/log.ts'
import { chooseAgent } from './start/agent/choose-agent.ts'
import { prepareConnection } from './start/agent/connection.ts'
import { toolLimitOf } from './start/agent/zot-options.ts'
import { agentOf, sessionRequest, type Start } from './start/wanted-session.ts'
import type { PrintModeOptions } from './print.ts'
import { hearStopSignals } from './stop-signals.ts'

/** Another way to answer a prompt, which was read elsewhere. It handles the signals itself. */
export type PromptRun = {
  /** Null for none: the agent is started, and waits. */
  prompt: string | null
  run: (options: PrintModeOptions) => Promise<number>
}

/** Resolves to the exit code. @throws UserError if there is no prompt, or it cannot be answered. */
export async function answerPrompt(start: Start, answer?: PromptRun): Promise<number> {
  const { args, settings, folder, remote } = start
  if (args.prompt === null && !answer && isatty(0)) throw noPrompt()
  const signals = answer ? null : hearStopSignals()
  const session = await sessionRequest(start, true)
  const resume = onlySession(session)
  const outputSchema =
    args.outputSchema === null ? null : await (await import('./print.ts')).loadOutputSchema(args.outputSchema)
  const { choice } = await chooseAgent(start, false, await agentOf(session, start))
  if (start.options.provider !== undefined)
    await (await import('./start/agent/check-provider.ts')).checkProvider(choice, settings)
  if (args.background && !answer) return beginBackground(start)
  // --timeout includes reading the prompt.
  const until = args.timeout === null ? null : Date.now() + args.timeout
  const { make, secrets, recording, watchdog } = await prepareConnection(start, { isForProcesses: true })
  const backend = await make(choice, { isRecorded: true, isEarly: signals !== null })
  if (signals) signals.agent = backend
  removeUnfinished(statePath(), Date.now())
  try {
    const [{ printAnswer }, prompt] = await Promise.all([
      import('./print.ts'),
      answer ? answer.prompt : givenPrompt(start),
    ])
    const options = {
      ...args,
      outputSchema,
      timeout: until === null ? null : Math.max(1, until - Date.now()),
      settings: settings.values(),
      store: settings,
      demo: choice.agent === 'demo',
      backend,
      recording,
      prompt,
      mentioning: args.prompt ?? prompt ?? '',
      folder,
      toolLimit: choice.agent === 'zot' || remote ? toolLimitOf(args, settings) : null,
      remote,
      keepsSession: choice.agent !== 'demo',
      resume,
      secrets,
      watch: watchdog.watch,
      signals,
    }
    return await (answer?.run ?? printAnswer)(options)
  } catch (error) {
    await backend.kill()
    throw error
  }
}

/** The prompt from the command line, expanded, and from standard input. @throws UserError if there is none. */
async function givenPrompt({ args, folder }: Start): Promise<string> {
  const given = args.prompt?.startsWith('/')
    ? await (await import('./start/prompt-files.ts')).expandPrompt(args.prompt, folder)
    : args.prompt
  const { readPrompt } = await import('./piped-prompt.ts')
  const prompt = await readPrompt(given, process.stdin, args.timeout)
  if (prompt === null) throw noPrompt()
  return prompt
}

function noPrompt(): UserError {
  const hint = 'Add it after -p or pipe it in. The UI needs a terminal for input and output.'
  return new UserError('There is no prompt.', hint, 2)
}

async function beginBackground(start: Start): Promise<number> {
  const prompt = await givenPrompt(start)
  if (start.remote) throw new UserError('--background works on this machine only.', 'Omit it, or --on and --via.', 2)
  const { beginInBackground } = await import('./background/begin.ts')
  return beginInBackground({ argv: start.argv, prompt, args: start.args })
}

/** The session to resume when no user can choose one. @throws UserError if a choice is needed. */
function onlySession(wish: SessionRequest | null): string | null {
  if (wish?.wish !== 'choose') return wish?.id ?? null
  const what = wish.filter === '' ? '--resume needs an ID' : `"${wish.filter}" may match several sessions`
  throw new UserError(`${what}, since -p cannot ask you.`, 'Use `--resume ID`; `zotui sessions` lists the IDs.', 2)
}
