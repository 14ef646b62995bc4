/** Runs the commands of a race in one worktree: `worktreeSetup`, and the check. They are the person's own, like those after `!`. */
import { runShell, type ShellRun } from '../../platform/shell/run.ts'
import type { Entrant, RaceCheck } from '../../race/race-record.ts'
import type { RaceParts } from './race-parts.ts'

/** Bytes of the output that are kept. */
const LIMIT = 16_000
/** Characters of its end that are shown while it runs. */
const SHOWN = 4000

export type RunningCheck = { stop: () => void; done: Promise<RaceCheck> }

type CommandParts = Pick<RaceParts, 'host' | 'redactStream' | 'now'>
type InWorktree = { command: string; project: string; worktree: NonNullable<Entrant['worktree']> }
/** Takes the end of what it has printed so far. */
type ShowsOutput = (shown: string) => void

export function startCheck(parts: CommandParts, inside: InWorktree, onOutput: ShowsOutput): RunningCheck {
  const at = parts.now()
  const run = startIn(parts, inside, onOutput)
  const done = run.done.then(({ exitCode, output, durationMs, stopped, problem }) => ({
    state: stopped ? ('stopped' as const) : ('ended' as const),
    at,
    durationMs,
    exitCode,
    problem: problem ?? '',
    output,
  }))
  return { stop: () => run.stop(), done }
}

export function startIn(
  { host, redactStream }: CommandParts,
  { command, project, worktree: { folder, work } }: InWorktree,
  onOutput: ShowsOutput,
): ShellRun {
  let shown = ''
  return runShell({
    command,
    cwd: work,
    env: { ...host.env, ZOTUI_WORKTREE: folder, ZOTUI_PROJECT: project },
    limitBytes: LIMIT,
    through: redactStream(),
    onOutput(text) {
      shown = (shown + text).slice(-SHOWN)
      onOutput(shown)
    },
    watch: host.watch,
  })
}
