import { took } from '../text/format.ts'
import { z } from 'zod'
import { readingEnvironment, readingLine } from '../platform/git/switches.ts'
import { runShell, type RunsCommands } from '../platform/shell/run.ts'
import { agentShellFile } from '../platform/shell/tried-shell.ts'
import { defineTool } from './define-tool.ts'
import { cutOutput } from './output-limits.ts'
import type { OpenBox } from '../sandbox/command-sandbox.ts'
import { failure, text, ToolFailure, type ToolRunContext } from './tool.ts'

/** Output kept in memory, in bytes, before it is cut for the model. */
const MOST_KEPT = 1024 * 1024

/** The tool `bash`: runs a command, merges its two outputs, and answers like zot's own (docs/zot-protocol.md, 21). */
export const shellTool = defineTool(
  {
    name: 'bash',
    kind: 'command',
    description: 'Run a shell command. stdout+stderr merged.',
    schema: {
      type: 'object',
      properties: { command: { type: 'string' }, timeout: { type: 'integer' } },
      required: ['command'],
    },
  },
  z.object({
    command: z.string().refine(command => command.trim() !== '', 'command is required'),
    /** In seconds. Zero and less are no limit. */
    timeout: z.int().nullish(),
  }),
  {
    worksOn: 'shell',
    places: async () => [],
    async run(args, context) {
      const { folder, env, runCommand, box, signal, limit = 0, onProgress, watch } = context
      const { command } = args
      const timeout = args.timeout ?? 0
      const git = box?.kind === 'reading' ? box.git : null
      const own = git ? readingEnvironment(git, env) : env
      const opening = boxFor({ ...context, env: own })
      const held = await beforeAbort(opening, signal).catch((error: unknown) => {
        void closeUnused(opening)
        throw error
      })
      const run = (runCommand ?? runHere)({
        // The environment of another machine is not known.
        command: git && runCommand ? readingLine(git, {}) + command : command,
        cwd: folder,
        env: own,
        ...(held && { box: held.box }),
        limitBytes: MOST_KEPT,
        onOutput: onProgress ?? ignore,
        watch,
      })
      const shortest = Math.min(...[timeout * 1000, limit].filter(each => each > 0))
      const stops = [signal, ...(shortest < Infinity ? [AbortSignal.timeout(shortest)] : [])]
      const stop = AbortSignal.any(stops)
      const end = (): void => run.stop()
      stop.addEventListener('abort', end)
      if (stop.aborted) end()
      const { exitCode, output, durationMs, stopped, problem, endedOthers = false } = await run.done
      stop.removeEventListener('abort', end)
      const report = await held?.close({ exitCode: stopped ? null : exitCode, output, endedOthers })
      if (problem !== null) throw new ToolFailure(`start: ${problem}`)
      const code = stopped ? -1 : (exitCode ?? -1)
      const { text: cut, isCut } = cutOutput(output.endsWith('\n') ? output : `${output}\n`, '')
      const shown = output === '' ? '' : `\n${cut}`
      const note = report && report.note !== '' ? `\n${report.note}` : ''
      const words = `$ ${command}\n${shown}${note}\n[exit ${code}]  Took ${took(durationMs)}`
      const facts = {
        ...(!stopped && exitCode !== null && { exitCode }),
        ...(isCut && { isCut }),
        ...(report?.refused && !stopped && { refused: report.refused }),
        ...(report?.left && { left: report.left }),
      }
      return { ...(code === 0 ? text(words) : failure(words)), ...facts }
    },
  },
)

/** The box of a command; null for one that runs outside. @throws a `ToolFailure` if it must not run. */
async function boxFor({
  box,
  folder,
  env,
  runCommand,
  readBox,
  openBox,
  onUnboxed,
  onBoxed,
}: ToolRunContext): Promise<OpenBox | null> {
  if (box?.kind === 'reading' && !runCommand) {
    const found = await readBox?.({ folder, env, runsGit: box.git !== null })
    if (found?.box) {
      onBoxed?.('reading')
      return { box: found.box, close: async () => NOTHING_REFUSED }
    }
    if (!openBox && found && found.why !== null) onUnboxed?.(found.why)
  }
  if (!openBox) {
    if (box?.kind === 'writing') throw new ToolFailure(NO_SANDBOX)
    return null
  }
  if (runCommand) throw new ToolFailure(NO_SANDBOX)
  const open = await openBox({ folder, env })
  onBoxed?.('writing')
  return open
}

const NOTHING_REFUSED = { note: '', refused: null }
const NO_SANDBOX = 'Not run: this command may run only in the sandbox, and there is none here.'

/** What a promise resolves to. @throws if the signal is aborted first. */
async function beforeAbort<Value>(promise: Promise<Value>, signal: AbortSignal): Promise<Value> {
  const { promise: aborted, reject } = Promise.withResolvers<never>()
  const stop = (): void => reject(signal.reason as Error)
  signal.addEventListener('abort', stop)
  try {
    const value = await Promise.race([promise, aborted])
    signal.throwIfAborted()
    return value
  } finally {
    signal.removeEventListener('abort', stop)
  }
}

/** A stop came while it was opened: no command will end in it. */
async function closeUnused(opening: Promise<OpenBox | null>): Promise<void> {
  const box = await opening.catch(() => null)
  await box?.close({ exitCode: null, output: '', endedOthers: false })
}

const runHere: RunsCommands = options => runShell({ ...options, shell: agentShellFile() })

function ignore(): void {
  // The caller shows no progress.
}
