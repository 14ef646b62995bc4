/** Runs the check command of a race in one worktree. It is the person's own command, like one after `!`. */
import { runShell, type ShellRun } from '../../platform/shell/run.ts'
import type { Entrant, RaceCheck } from '../../race/race-record.ts'
import type { RaceParts } from './race-parts.ts'

/** Bytes of the output that are kept. */
const LIMIT = 16_000
/** Characters of its end that are shown while it runs. */
const SHOWN = 4000

export type RunningCheck = { stop: () => void; done: Promise<RaceCheck> }

export function startCheck(
  { host, redactStream, now }: Pick<RaceParts, 'host' | 'redactStream' | 'now'>,
  { command, project }: { command: string; project: string },
  { work, folder }: NonNullable<Entrant['worktree']>,
  onOutput: (shown: string) => void,
): RunningCheck {
  const at = now()
  let shown = ''
  const run: ShellRun = runShell({
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
