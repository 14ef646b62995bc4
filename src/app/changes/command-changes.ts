/** Asks git in the background which files the commands of a turn changed. */
import { counted } from '../../text/counted.ts'
import { resolve } from 'node:path'
import type { AgentEvent } from '../../agent/event.ts'
import { withoutCalled, type TouchedFile } from '../../changes/by-commands.ts'
import type { CommandChange } from '../../conversation/state.ts'
import type { ChangeSource } from './change-source.ts'
import type { AppContext } from '../context/context.ts'
import { textAt } from '../../text/member.ts'

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

export class CommandChanges {
  readonly #context: AppContext
  readonly #folder: string
  readonly #source: Pick<ChangeSource, 'touchedSince'>
  #run: Run | null = null
  #called = new Set<string>()
  #since = 0
  /** The files of calls that have not ended, by the call's id. */
  readonly #calling = new Map<string, readonly string[]>()
  #timer: NodeJS.Timeout | undefined
  #isAsking = false
  #idleUntil = 0
  #mutedUntil = 0
  #misses = 0
  /** Files that an earlier turn changed: git also counts its lines. */
  readonly #before = new Set<string>()

  constructor(context: AppContext, folder: string, source: Pick<ChangeSource, 'touchedSince'>) {
    this.#context = context
    this.#folder = folder
    this.#source = source
  }

  /** Called with each event. */
  onEvent(event: AgentEvent): void {
    if (event.type === 'prompt_sent' || event.type === 'turn_begun') this.#begin()
    else if (event.type === 'tool_called') this.#noteCall(event)
    else if (event.type === 'tool_described') this.#noteDescribed(event)
    else if (event.type === 'tool_finished') this.#noteEnd(event)
    else if (event.type === 'turn_ended' || event.type === 'agent_ended') this.#noteTurnEnd()
  }

  stop(): void {
    clearTimeout(this.#timer)
  }

  #begin(): void {
    this.#run = null
    this.#called = new Set()
    this.#calling.clear()
    // This is before any command can run, since the report of a call may come late.
    this.#since = Date.now() - TICK
  }

  #noteCall({ id, name, arguments: args }: Extract<AgentEvent, { type: 'tool_called' }>): void {
    if (COMMANDS.has(name)) this.#beginRun()
    const path = name === 'edit' || name === 'write' ? textAt(args, 'path') : undefined
    if (path !== undefined) this.#calling.set(id, [resolve(this.#folder, path)])
  }

  #noteDescribed({ id, kind, diff }: Extract<AgentEvent, { type: 'tool_described' }>): void {
    if (kind === 'command') this.#beginRun()
    if (diff)
      this.#calling.set(
        id,
        diff.map(({ path }) => resolve(this.#folder, path)),
      )
  }

  #beginRun(): void {
    this.#run ??= { since: this.#since, called: this.#called, isOver: false, isStale: true, shown: new Set() }
  }

  #noteEnd({ id, failed }: Extract<AgentEvent, { type: 'tool_finished' }>): void {
    if (!failed) for (const file of this.#calling.get(id) ?? []) this.#called.add(file)
    if (!this.#run) return
    this.#run.isStale = true
    this.#askLater()
  }

  #noteTurnEnd(): void {
    for (const file of this.#called) this.#before.add(file)
    if (!this.#run || this.#run.isOver) return
    this.#run.isOver = true
    for (const file of this.#run.shown) this.#before.add(file)
    if (this.#run.isStale) void this.#ask(this.#run)
  }

  #askLater(): void {
    const { elapsed } = this.#context
    const mine = this.#run
    if (this.#timer || this.#isAsking || !mine) return
    this.#timer = setTimeout(
      () => {
        this.#timer = undefined
        if (!mine.isOver) void this.#ask(mine)
      },
      Math.max(GATHER, this.#idleUntil - elapsed()),
    )
  }

  async #ask(mine: Run): Promise<void> {
    const { state, elapsed } = this.#context
    clearTimeout(this.#timer)
    this.#timer = undefined
    if (this.#isAsking || elapsed() < this.#mutedUntil) return
    this.#isAsking = true
    mine.isStale = false
    const begun = elapsed()
    const touched = await this.#source.touchedSince(mine.since)
    this.#isAsking = false
    this.#misses = touched === null ? this.#misses + 1 : 0
    if (touched !== null) this.#idleUntil = elapsed() + REST * (elapsed() - begun)
    else if (this.#misses >= MOST_MISSES) this.#mutedUntil = elapsed() + PAUSE
    // The first answer of a repository after a long time is slow; later ones are fast.
    else mine.isStale = true
    if (touched && !state().leaving) this.#showChanged(mine, await withoutCalled(touched, [...mine.called]))
    // The next turn may have waited for this one.
    const next = mine.isStale ? mine : this.#run
    if (next?.isStale && next.isOver) return this.#ask(next)
    if (next?.isStale) this.#askLater()
  }

  /** An open turn shows the files in the line at its end; for a turn that has ended, a notice names them. */
  #showChanged(mine: Run, touched: readonly TouchedFile[]): void {
    const { state, report, addNotice, now } = this.#context
    const { open } = state().chat
    const isOpen = this.#run === mine && open?.kind === 'turn' && open.endedAt === null
    const fresh = touched.filter(({ file }) => !mine.shown.has(file))
    if (isOpen) {
      if (touched.length === 0 && mine.shown.size === 0) return
      const files = touched.slice(0, MOST_NAMED).map(file => this.#commandChange(file))
      report([{ type: 'commands_changed', at: now(), count: touched.length, files }])
    } else if (fresh.length > 0) addNotice('info', words(fresh.map(({ path }) => path)))
    for (const { file } of touched) mine.shown.add(file)
    if (mine.isOver) for (const { file } of touched) this.#before.add(file)
  }

  #commandChange({ file, path, added, removed }: TouchedFile): CommandChange {
    const isEstimate = added === null || removed === null || this.#before.has(file)
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
