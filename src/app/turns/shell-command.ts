/** Shell commands that the user types after `!`. They run in the project's folder; the next prompt has their output. */
import type { AgentEvent } from '../../agent/event.ts'
import { formatForPrompt } from '../../platform/shell/prompt-text.ts'
import { runShellInForeground } from '../../platform/shell/foreground.ts'
import { needsTerminal } from '../../platform/shell/needs-terminal.ts'
import { quotedWord } from '../../platform/shell/quoting.ts'
import { runShell, type ShellResult, type ShellRun } from '../../platform/shell/run.ts'
import { withPaths } from '../../state/composer/chips.ts'
import type { AppContext } from '../context/context.ts'
import type { EventBatcher } from '../events/batcher.ts'
import type { Host } from '../context/host.ts'

export type ShellCommand = {
  /** Runs a line that begins with `!`, or with `!!` if the agent must not see it; false if it cannot. */
  run: (line: string) => boolean
  /** Runs a command of the settings in another folder, after the one that runs. The agent does not see its output. Null if it cannot run here. */
  runIn: (command: string, place: ShellPlace) => Promise<ShellResult | null>
  /** Stops the command and its processes; false if none runs or it was stopped before. */
  stop: () => boolean
  /** Stops the command; resolves when it is gone. */
  close: () => Promise<void>
  /** The outputs that the agent has not seen. */
  takeOutputs: () => string[]
  giveBack: (outputs: readonly string[]) => void
  /** Also sends this with the next prompt. */
  share: (text: string) => void
}

/** The folder, and variables beside those of the user. */
export type ShellPlace = { folder: string; variables: Readonly<Record<string, string>> }

/** Bytes of a command's output that are kept and sent. */
const LIMIT = 50_000

export function isShellCommand(text: string): boolean {
  return text.startsWith('!')
}

export function createShellCommand(context: AppContext, batcher: Pick<EventBatcher, 'push' | 'flush'>): ShellCommand {
  const { host, state, hint, now } = context
  let running: { run: Pick<ShellRun, 'stop'>; over: Promise<void> } | null = null
  /** The unsent outputs, each with its conversation: see `AppState.restored`. */
  let outputs: { text: string; conversation: number }[] = []

  return {
    run(line) {
      const shared = !line.startsWith('!!')
      const word = (path: string): string => quotedWord(path, host?.platform === 'win32')
      const command = withPaths(line.slice(shared ? 1 : 2), state().chips, word).trim()
      const refused = refusal(context, command, running !== null)
      if (refused !== null || command === '') hint(refused ?? HELP)
      else if (host) begin(command, shared, host)
      return refused === null && command !== ''
    },
    async runIn(command, { folder, variables }) {
      await whenFree()
      if (!host || host.remote || state().opening !== null || state().leaving !== null) return null
      push({ type: 'shell_started', at: now(), command, shared: false }, true)
      return start(command, false, { ...host, folder, env: { ...host.env, ...variables } })
    },
    stop() {
      if (!running || state().chat.shell?.stopping) return false
      running.run.stop()
      push({ type: 'shell_stop_requested', at: now() }, true)
      return true
    },
    async close() {
      running?.run.stop()
      await running?.over
    },
    takeOutputs() {
      const { times } = state().restored
      const taken = outputs.filter(({ conversation }) => conversation === times).map(({ text }) => text)
      outputs = []
      return taken
    },
    giveBack(taken) {
      outputs = [...taken.map(kept), ...outputs]
    },
    share: text => void outputs.push(kept(context.redact(text))),
  }

  function push(event: AgentEvent, atOnce: boolean): void {
    batcher.push(event)
    if (atOnce) batcher.flush()
  }

  function kept(text: string): { text: string; conversation: number } {
    return { text, conversation: state().restored.times }
  }

  function onOutput(text: string): void {
    push({ type: 'shell_printed', at: now(), text }, false)
  }

  /** Resolves when no command runs, or zotui ends. */
  async function whenFree(): Promise<void> {
    if (!running || state().leaving !== null) return
    await running.over
    await whenFree()
  }

  function begin(command: string, shared: boolean, host: Host): void {
    push({ type: 'shell_started', at: now(), command, shared }, true)
    if (!host.remote && needsTerminal(command) !== null) startOnTerminal(command, shared, host)
    else void start(command, shared, host)
  }

  async function start(command: string, shared: boolean, host: Host): Promise<ShellResult> {
    const { folder, env, watch, remote } = host
    const through = context.redactStream()
    const place = remote ? { cwd: remote.folderHere, program: remote.shell(command) } : { cwd: folder }
    const run = runShell({ command, env, limitBytes: LIMIT, through, onOutput, watch, ...place })
    const over = run.done.then(result => end(command, shared, result))
    running = { run, over }
    await over
    return run.done
  }

  /** Lends the terminal to a command that draws on it or asks at the keyboard. */
  function startOnTerminal(command: string, shared: boolean, { folder, env, lendTerminal }: Host): void {
    let result = NOT_LENT
    const over = lendTerminal(async () => {
      result = await runShellInForeground(command, { env, cwd: folder })
    })
    // The user ends it at the keyboard, which it has.
    running = { run: { stop() {} }, over: over.then(() => end(command, shared, result)) }
  }

  function end(command: string, shared: boolean, result: ShellResult): void {
    running = null
    if (shared && result.problem === null) outputs.push(kept(context.redact(formatForPrompt(command, result))))
    const { exitCode, stopped, durationMs, output, problem, omittedBytes, onTerminal } = result
    const facts = { ...(omittedBytes > 0 && { omittedBytes }), ...(onTerminal && { onTerminal }) }
    push({ type: 'shell_ended', at: now(), exitCode, stopped, durationMs, output, problem, ...facts }, true)
  }
}

/** Why a command is not run; null if it can be. */
function refusal({ host, state, keyed }: AppContext, command: string, isRunning: boolean): string | null {
  // Its output would belong to the conversation that is being replaced.
  if (state().opening !== null) return 'The session is still being loaded. Your text stays here.'
  if (isRunning) return `A command is running${keyed(': {composer.stop} stops it')}. Your text stays here.`
  if (!host) return 'No command can be run here.'
  const program = host.remote ? needsTerminal(command) : null
  return program === null ? null : `${program} needs a terminal, which commands on ${host.remote?.name} do not have.`
}

/** The result where another program has the terminal already. */
const NOT_LENT: ShellResult = {
  exitCode: null,
  signal: null,
  output: '',
  omittedBytes: 0,
  durationMs: 0,
  stopped: false,
  problem: 'another program has the terminal',
}

const HELP =
  'Type a shell command after !; the agent does not see one after !!. Put a space before it to send it as text.'
