/** Asks git in the background which files the commands of a turn changed. */
import { counted } from '../../text/counted.ts'
import { resolve } from 'node:path'
import type { AgentEvent } from '../../agent/event.ts'
import { withoutCalled, type TouchedFile } from '../../changes/by-commands.ts'
import type { CommandChange } from '../../conversation/state.ts'
import type { ChangeSource } from './change-source.ts'
import type { AppContext } from '../context/context.ts'
import { textAt } from '../../text/member.ts'

export type CommandChanges = {
  /** Called with each event. */
  onEvent: (event: AgentEvent) => void
  stop: () => void
}

const COMMANDS: ReadonlySet<string> = new Set(['bash', 'powershell'])
/** Milliseconds to wait for more commands before git is asked about all of them. */
const GATHER = 250
/** The pause after an answer during a turn, as a multiple of the time that git took. */
const REST = 10
/** After this many answers that did not come, or were too long, git is not asked for this many milliseconds. */
const MOST_MISSES = 2
const PAUSE = 300_000
/** Milliseconds by which a file system's clock may be behind. */
const TICK = 20
/** The maximum of files that an event names. */
const MOST_NAMED = 100

/** A turn in which commands ran. */
type Run = {
  since: number
  /** The absolute paths of the agent's own edits and writes. */
  called: Set<string>
  isOver: boolean
  /** True if something may have changed since git was asked last. */
  isStale: boolean
  shown: Set<string>
}

export function createCommandChanges(
  context: AppContext,
  folder: string,
  source: Pick<ChangeSource, 'touchedSince'>,
): CommandChanges {
  const { state, report, addNotice, now, elapsed } = context
  let run: Run | null = null
  let called = new Set<string>()
  let since = 0
  /** The files of calls that have not ended, by the call's id. */
  const calling = new Map<string, readonly string[]>()
  let timer: NodeJS.Timeout | undefined
  let isAsking = false
  let idleUntil = 0
  let mutedUntil = 0
  let misses = 0
  /** Files that an earlier turn changed: git also counts its lines. */
  const before = new Set<string>()

  return { onEvent, stop: () => clearTimeout(timer) }

  function onEvent(event: AgentEvent): void {
    if (event.type === 'prompt_sent') begin()
    else if (event.type === 'tool_called') noteCall(event)
    else if (event.type === 'tool_described') noteDescribed(event)
    else if (event.type === 'tool_finished') noteEnd(event)
    else if (event.type === 'turn_ended' || event.type === 'agent_ended') noteTurnEnd()
  }

  function begin(): void {
    run = null
    called = new Set()
    calling.clear()
    // This is before any command can run, since the report of a call may come late.
    since = Date.now() - TICK
  }

  function noteCall({ id, name, arguments: args }: Extract<AgentEvent, { type: 'tool_called' }>): void {
    if (COMMANDS.has(name)) beginRun()
    const path = name === 'edit' || name === 'write' ? textAt(args, 'path') : undefined
    if (path !== undefined) calling.set(id, [resolve(folder, path)])
  }

  function noteDescribed({ id, kind, diff }: Extract<AgentEvent, { type: 'tool_described' }>): void {
    if (kind === 'command') beginRun()
    if (diff)
      calling.set(
        id,
        diff.map(({ path }) => resolve(folder, path)),
      )
  }

  function beginRun(): void {
    run ??= { since, called, isOver: false, isStale: true, shown: new Set() }
  }

  function noteEnd({ id, failed }: Extract<AgentEvent, { type: 'tool_finished' }>): void {
    if (!failed) for (const file of calling.get(id) ?? []) called.add(file)
    if (!run) return
    run.isStale = true
    askLater()
  }

  function noteTurnEnd(): void {
    for (const file of called) before.add(file)
    if (!run || run.isOver) return
    run.isOver = true
    for (const file of run.shown) before.add(file)
    if (run.isStale) void ask(run)
  }

  function askLater(): void {
    const mine = run
    if (timer || isAsking || !mine) return
    timer = setTimeout(
      () => {
        timer = undefined
        if (!mine.isOver) void ask(mine)
      },
      Math.max(GATHER, idleUntil - elapsed()),
    )
  }

  async function ask(mine: Run): Promise<void> {
    clearTimeout(timer)
    timer = undefined
    if (isAsking || elapsed() < mutedUntil) return
    isAsking = true
    mine.isStale = false
    const begun = elapsed()
    const touched = await source.touchedSince(mine.since)
    isAsking = false
    misses = touched === null ? misses + 1 : 0
    if (touched !== null) idleUntil = elapsed() + REST * (elapsed() - begun)
    else if (misses >= MOST_MISSES) mutedUntil = elapsed() + PAUSE
    // The first answer of a repository after a long time is slow; later ones are fast.
    else mine.isStale = true
    if (touched && !state().leaving) showChanged(mine, await withoutCalled(touched, [...mine.called]))
    // The next turn may have waited for this one.
    const next = mine.isStale ? mine : run
    if (next?.isStale && next.isOver) return ask(next)
    if (next?.isStale) askLater()
  }

  /** An open turn shows the files in the line at its end; for a turn that has ended, a notice names them. */
  function showChanged(mine: Run, touched: readonly TouchedFile[]): void {
    const { open } = state().chat
    const isOpen = run === mine && open?.kind === 'turn' && open.endedAt === null
    const fresh = touched.filter(({ file }) => !mine.shown.has(file))
    if (isOpen) {
      if (touched.length === 0 && mine.shown.size === 0) return
      const files = touched.slice(0, MOST_NAMED).map(file => commandChange(file))
      report([{ type: 'commands_changed', at: now(), count: touched.length, files }])
    } else if (fresh.length > 0) addNotice('info', words(fresh.map(({ path }) => path)))
    for (const { file } of touched) mine.shown.add(file)
    if (mine.isOver) for (const { file } of touched) before.add(file)
  }

  function commandChange({ file, path, added, removed }: TouchedFile): CommandChange {
    const isEstimate = added === null || removed === null || before.has(file)
    return { path, added: added ?? 0, removed: removed ?? 0, isEstimate }
  }
}

/** The maximum of files that a notice names. */
const NAMED = 3

function words(paths: readonly string[]): string {
  const more = paths.length - NAMED
  const named = paths.slice(0, NAMED).join(', ') + (more > 0 ? ` and ${more} more` : '')
  return `Commands changed ${counted(paths.length, 'file')}: ${named}. /diff shows what.`
}
