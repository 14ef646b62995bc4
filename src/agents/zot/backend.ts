/** The `Backend` for zot. */
import type { Ability } from '../../agent/abilities.ts'
import type { Backend, KeyStore, LoginProgram, Model, Prompt, Reply, StartOptions } from '../../agent/backend.ts'
import type { AgentEvent } from '../../agent/event.ts'
import { createListeners } from '../../agent/listeners.ts'
import { createImplied } from '../../agent/implied.ts'
import type { Judge, PermissionMode } from '../../agent/permission.ts'
import { createModeNote, type ModeNote } from '../calls/mode-note.ts'
import type { Skill, StartupContext } from '../../agent/startup-context.ts'
import { messageOf } from '../../platform/errors.ts'
import { BasicBackend } from '../host/basic-backend.ts'
import { describeModel } from './handshake.ts'
import { createLauncher, type Launcher, type LauncherOptions } from './launcher.ts'
import { DEFAULT_LIMITS, type ZotLimits } from './limits.ts'
import { refusedWithout, type ZotTask } from './operation.ts'
import { judgedContext } from './startup/version-rules.ts'
import type { ZotOptions } from './program/options.ts'
import { serverOf } from './program/server.ts'
import type { StartupPlaces } from './startup/startup-places.ts'
import { readSkillText, type StartupFiles } from './startup/context.ts'
import { NOT_RUNNING, ZotRun, type RunChange } from './run.ts'
import { createStartChoice, type StartChoice } from './start-choice.ts'
import { refusalOf } from './takeover.ts'
import { extensionsWarning } from './warnings.ts'

/** Without `connectGuarded` the agent asks nothing. */
export type ZotBackendOptions = LauncherOptions & {
  /** The name of the other machine that zot runs on, whose processes cannot be listed. */
  machine?: string
  /** The note for the model in the next prompt when the mode has changed. */
  modeNote?: (mode: PermissionMode) => string
  /** The name to show; `zot` by default. */
  name?: string
  /** The start of the first zot. A warning is emitted if zot uses another provider or model. */
  start?: ZotOptions
  /** A launcher that has already started the first zot with these options. */
  launcher?: Launcher
  /** Lists the models of every provider. */
  listEveryModel?: () => Promise<Reply<readonly Model[]>>
  /** zot's own program for logging in, for such a start. */
  login?: (start: ZotOptions) => LoginProgram
  /** The store of keys, for the start of that moment. */
  keys?: (start: () => ZotOptions) => KeyStore
  /** Finds the instruction files and skills that zot loads. */
  lookForReading?: () => Promise<{ found: StartupFiles; flags: StartupPlaces['flags'] }>
  /** Sent in the handshake. zot must have it in its environment: see `launchZot`. */
  token?: string | undefined
  /** The output of `zot --version`, used to explain a failed start. */
  version?: string | undefined
  /** Overrides of the default limits. */
  limits?: Partial<ZotLimits>
  /** Milliseconds since the Unix epoch. */
  now?: () => number
  /** Receives zot's output that zotui does not understand, shortened, for a log. */
  debug?: (message: string) => void
  /** Removes secrets before a text is shortened: half of a secret could no longer be recognised. */
  redact?: (text: string) => string
}

/** Characters of one message for the log. */
const MAX_DEBUG = 500

/** Creates the backend. `open` starts the process unless that was done early. */
export function createZotBackend(options: ZotBackendOptions): Backend {
  return new ZotBackend(options)
}

class ZotBackend extends BasicBackend {
  readonly abilities: ReadonlySet<Ability>
  override readonly keys: KeyStore | null
  readonly #options: ZotBackendOptions
  readonly #now: () => number
  readonly #listeners = createListeners<[AgentEvent]>()
  readonly subscribe = this.#listeners.subscribe
  readonly #addImplied = createImplied()
  readonly #start: StartChoice
  readonly #launcher: Launcher
  #run: ZotRun | undefined
  #opening: Promise<void> | undefined
  /** The new run that will replace the current one. */
  #next: ZotRun | undefined
  #judge: Judge | undefined
  #toldExtensions = false
  readonly #modeNote: ModeNote = createModeNote(mode => this.#options.modeNote?.(mode))

  constructor(options: ZotBackendOptions) {
    super(options.name ?? 'zot')
    this.abilities = new Set(able(options))
    this.#options = options
    this.#now = options.now ?? Date.now
    this.#start = createStartChoice(options.start)
    this.#launcher = options.launcher ?? createLauncher(options, this.#start.current())
    this.keys = options.keys?.(() => this.#start.current()) ?? null
  }

  override async listEveryModel(): Promise<Reply<readonly Model[]>> {
    return this.#options.listEveryModel?.() ?? super.listEveryModel()
  }

  override login(): LoginProgram | null {
    return this.#options.login?.(this.#start.current()) ?? null
  }

  override judgeWith(judge: Judge): void {
    if (this.abilities.has('judgeWith')) this.#judge = judge
  }

  override answerPermission(...answer: Parameters<Backend['answerPermission']>): void {
    this.#run?.guard?.answer(...answer)
  }

  override setPermissionMode(mode: PermissionMode): void {
    if (!this.abilities.has('setPermissionMode')) return
    this.#modeNote.mode = mode
    this.#emit({ type: 'permission_mode_changed', at: this.#now(), mode })
  }

  override async listRunning(): ReturnType<Backend['listRunning']> {
    return this.#run?.guard?.commands.list() ?? []
  }

  override async endRunning(pid: number): Promise<Reply> {
    return this.#run?.guard?.commands.end(pid) ?? { ok: false, message: NOT_RUNNING }
  }

  /** Looks for the files while zot starts; only a started zot shows which of them it reads. */
  override async reading(when: 'started' | 'at once' = 'started'): Promise<StartupContext | null> {
    const look = this.#options.lookForReading
    if (!look) return null
    const [{ found, flags }] = await Promise.all([look(), when === 'started' ? this.#opening : undefined])
    return judgedContext(found, flags, this.#run?.greeting)
  }

  override skillText(skill: Skill): Promise<Reply<string>> {
    return readSkillText(skill)
  }

  override startOptions(): Required<StartOptions> {
    return this.#start.options()
  }

  open(): Promise<void> {
    this.#opening ??= this.#begin()
    return this.#opening
  }

  async prompt(prompt: Prompt): Promise<void> {
    await this.#operate({ type: 'prompt', prompt })
  }

  override async compact(): Promise<void> {
    await this.#operate({ type: 'compact' })
  }

  override startWith(options: StartOptions): StartOptions {
    return this.#start.use(this.#start.after(options))
  }

  override async replace(options: StartOptions): Promise<Reply> {
    const former = this.#run
    if (!former) return { ok: false, message: NOT_RUNNING }
    if (this.#next) return { ok: false, message: 'zot is already starting' }
    const start = this.#start.after(options)
    // Its events are buffered until it has taken over.
    const untold: AgentEvent[] = []
    let tell = (event: AgentEvent): void => void untold.push(event)
    let next: ZotRun
    try {
      next = this.#connect(start, event => tell(event))
    } catch (error) {
      return { ok: false, message: notGuarded(error) }
    }
    this.#next = next
    await next.open()
    const refused = refusalOf(next, options, untold)
    if (refused === null) await former.close()
    else await next.close()
    this.#next = undefined
    if (refused !== null) return { ok: false, message: refused }
    this.#start.use(start)
    if (next.isRunning) this.#run = next
    if (next.isRunning) this.#opening = Promise.resolve()
    tell = event => this.#emit(event)
    this.#emit({ type: 'agent_starting', at: this.#now(), agent: this.name })
    untold.forEach(tell)
    return { ok: true, value: undefined }
  }

  abort(): void {
    this.#run?.abort()
  }

  override clear(): Promise<Reply> {
    return this.#change<undefined>({
      request: client => client.request({ type: 'clear' }),
      done: () => {
        this.#modeNote.forget()
        return { type: 'conversation_cleared', at: this.#now() }
      },
    })
  }

  override setModel(id: string): Promise<Reply> {
    return this.#change<{ model: string }>({
      request: client => client.request({ type: 'set_model', model: id }),
      done: ({ model }, greeting) => ({
        type: 'model_changed',
        at: this.#now(),
        ...describeModel(greeting, model || id),
      }),
    })
  }

  override async setReasoning(level: string): Promise<Reply> {
    if (this.#run?.greeting?.reasoning === null) {
      return { ok: false, message: 'this zot cannot change its reasoning level: start it with --reasoning' }
    }
    return this.#change<{ reasoning: string }>({
      request: client => client.request({ type: 'set_reasoning', reasoning: level }),
      done: ({ reasoning }) => ({ type: 'reasoning_changed', at: this.#now(), reasoning }),
    })
  }

  override async listModels(): Promise<Reply<readonly Model[]>> {
    return this.#run ? this.#run.listModels() : { ok: false, message: NOT_RUNNING }
  }

  override async ping(timeout: number): Promise<boolean> {
    return this.#run ? this.#run.ping(timeout) : false
  }

  async close(): Promise<void> {
    await Promise.all([this.#launcher.close(), this.#next?.close(), this.#run?.close()])
  }

  async kill(): Promise<void> {
    await Promise.all([this.#launcher.close(), this.#next?.kill(), this.#run?.kill()])
  }

  async #begin(): Promise<void> {
    this.#emit({ type: 'agent_starting', at: this.#now(), agent: this.name })
    try {
      this.#run = this.#connect(this.#start.current(), event => this.#emit(event))
    } catch (error) {
      this.#opening = undefined
      const hint = '--no-guard starts zot without it, and then zot never asks'
      const how = { code: null, signal: null, expected: false, hint }
      return this.#emit({ type: 'agent_ended', at: this.#now(), ...how, reason: notGuarded(error) })
    }
    await this.#run.open()
  }

  #connect(start: ZotOptions, emit: (event: AgentEvent) => void): ZotRun {
    const { name, token, version, limits, machine, debug, redact = text => text } = this.#options
    const judge = this.#judge
    const { transport, guarded } = this.#launcher.launch(start, judge !== undefined)
    // A fresh zot has no conversation yet.
    this.#modeNote.forget()
    const run = new ZotRun({
      transport,
      guarded: guarded && judge ? { ...guarded, judge } : null,
      remarks: guarded ? this.#tellExtensions(guarded.extensionsOff) : [],
      name: name ?? 'zot',
      asked: start,
      serverFor: provider => serverOf(start, provider, machine),
      token,
      version,
      limits: { ...DEFAULT_LIMITS, ...limits },
      now: this.#now,
      emit,
      debug: message => debug?.(shortened(redact(message))),
      redact,
      onGone: () => {
        if (this.#run !== run) return
        this.#run = undefined
        this.#opening = undefined
      },
    })
    return run
  }

  /** Reported once: the next zot of this backend starts in the same way. */
  #tellExtensions(names: readonly string[]): string[] {
    if (names.length === 0 || this.#toldExtensions) return []
    this.#toldExtensions = true
    return [extensionsWarning(names)]
  }

  async #operate(task: ZotTask): Promise<void> {
    if (this.#run) {
      await this.#run.operate(task, task.type === 'prompt' ? (this.#modeNote.next() ?? undefined) : undefined)
    } else for (const event of refusedWithout(task, NOT_RUNNING, this.#now())) this.#emit(event)
  }

  async #change<Data>(change: RunChange<Data>): Promise<Reply> {
    return this.#run ? this.#run.change(change) : { ok: false, message: NOT_RUNNING }
  }

  #emit(event: AgentEvent): void {
    if (event.type === 'agent_started') this.#start.started(event.provider)
    for (const told of this.#addImplied(event)) this.#listeners.tell(told)
  }
}

function* able(options: ZotBackendOptions): Iterable<Ability> {
  yield* ['compact', 'clear', 'listModels', 'setModel', 'setReasoning', 'startWith', 'replace'] as const
  if (options.listEveryModel) yield 'listEveryModel'
  if (options.login) yield 'login'
  if (options.lookForReading) yield 'reading'
  if (!options.connectGuarded) return
  yield* ['judgeWith', 'setPermissionMode'] as const
  if (options.machine === undefined) yield 'listRunning'
}

function notGuarded(error: unknown): string {
  return `zotui cannot make the folder of the guard that asks before calls run (${messageOf(error)})`
}

function shortened(message: string): string {
  return message.length > MAX_DEBUG ? `${message.slice(0, MAX_DEBUG)}...` : message
}
