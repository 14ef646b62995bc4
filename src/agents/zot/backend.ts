/** The `Backend` for zot. */
import type { Ability } from '../../agent/abilities.ts'
import type {
  Backend,
  KeyStore,
  LoginProgram,
  Model,
  Reply,
  StartOptions,
  Steer,
  SteerOutcome,
} from '../../agent/backend.ts'
import type { AgentEvent } from '../../agent/event.ts'
import { createImplied } from '../../agent/implied.ts'
import type { Judge, PermissionMode } from '../../agent/permission.ts'
import type { CommandSandbox } from '../../sandbox/command-sandbox.ts'
import { createModeNote, type ModeNote } from '../tool-host/mode-note.ts'
import type { Skill, StartupContext } from '../../agent/startup-context.ts'
import { messageOf } from '../../platform/errors.ts'
import { cameBack, CannotStart, type DriverHost } from '../host/driver.ts'
import { HostedBackend, type HostOptions } from '../host/hosted-backend.ts'
import { ZotDriver } from './driver.ts'
import { createLauncher, type LaunchedZot, type Launcher, type LauncherOptions } from './launcher.ts'
import { DEFAULT_LIMITS, type ZotLimits } from './limits.ts'
import { judgedContext } from './startup/version-rules.ts'
import type { ZotOptions } from './program/options.ts'
import type { StartupPlaces } from './startup/startup-places.ts'
import { readSkillText, type StartupFiles } from './startup/context.ts'
import { createStartChoice, type StartChoice } from './start-choice.ts'
import { extensionsWarning } from './warnings.ts'

/** Without `connectGuarded` the agent asks nothing. */
export type ZotBackendOptions = HostOptions &
  LauncherOptions & {
    /** The name of the other machine that zot runs on, whose processes cannot be listed. */
    machine?: string
    /** Waits for that machine before another zot is started there. Resolves to why it does not come back; null if it is there. */
    comeBack?: () => Promise<string | null>
    /** The note for the model in the next prompt when the mode has changed. */
    modeNote?: (mode: PermissionMode) => string
    /** The name to show; `zot` by default. */
    name?: string
    /** The start of the first zot. A warning is emitted if zot uses another provider or model. */
    start?: ZotOptions
    /** A launcher that has already started the first zot with these options. */
    launcher?: Launcher
    listEveryModel?: () => Promise<Reply<readonly Model[]>>
    /** zot's own program for logging in, for such a start. */
    login?: (start: ZotOptions) => LoginProgram
    /** The store of keys, for the start of that moment. */
    keys?: (start: () => ZotOptions) => KeyStore
    /** Holds the commands of the conversation; null where nothing can. */
    sandbox?: CommandSandbox | null
    /** Finds the instruction files and skills that zot loads. */
    lookForReading?: () => Promise<{ found: StartupFiles; flags: StartupPlaces['flags'] }>
    /** Sent in the handshake. zot must have it in its environment: see `launchZot`. */
    token?: string | undefined
    /** The output of `zot --version`, used to explain a failed start. */
    version?: string | undefined
    /** Overrides of the default limits. */
    limits?: Partial<ZotLimits>
  }

/** Creates the backend. `open` starts the process unless that was done early. */
export function createZotBackend(options: ZotBackendOptions): Backend {
  return new ZotBackend(options)
}

class ZotBackend extends HostedBackend<ZotDriver> {
  override readonly keys: KeyStore | null
  readonly #options: ZotBackendOptions
  readonly #addImplied = createImplied()
  readonly #start: StartChoice
  readonly #launcher: Launcher
  #judge: Judge | undefined
  #hasWarned = false
  #hasRun = false
  readonly #modeNote: ModeNote = createModeNote(mode => this.#options.modeNote?.(mode))

  constructor(options: ZotBackendOptions) {
    super(options.name ?? 'zot', options)
    this.#options = options
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
    this.driver?.guard?.answer(...answer)
  }

  override setPermissionMode(mode: PermissionMode): void {
    if (!this.abilities.has('setPermissionMode')) return
    this.#modeNote.mode = mode
    this.#options.sandbox?.follow(mode)
    this.emit({ type: 'permission_mode_changed', at: this.now(), mode })
  }

  override async listRunning(): ReturnType<Backend['listRunning']> {
    return this.driver?.guard?.commands.list() ?? []
  }

  override async endRunning(pid: number): Promise<Reply> {
    return this.driver?.guard?.commands.end(pid) ?? this.notRunning()
  }

  override steer(steer: Steer): Promise<SteerOutcome> {
    return this.driver?.guard?.words.steer(steer) ?? super.steer(steer)
  }

  override withdrawSteer(id: string): void {
    this.driver?.guard?.words.withdraw(id)
  }

  /** Looks for the files while zot starts; only a started zot shows which of them it reads. */
  override async reading(when: 'started' | 'at once' = 'started'): Promise<StartupContext | null> {
    const look = this.#options.lookForReading
    if (!look) return null
    const [{ found, flags }] = await Promise.all([look(), when === 'started' ? this.opening : undefined])
    return judgedContext(found, flags, this.driver?.greeting)
  }

  override skillText(skill: Skill): Promise<Reply<string>> {
    return readSkillText(skill)
  }

  override startOptions(): Required<StartOptions> {
    return this.#start.options()
  }

  override startWith(options: StartOptions): StartOptions {
    return this.#start.use(this.#start.after(options))
  }

  override setModel(id: string): Promise<Reply> {
    return this.ask(driver => driver.setModel(id))
  }

  override setReasoning(level: string): Promise<Reply> {
    return this.ask(driver => driver.setReasoning(level))
  }

  override listModels(): Promise<Reply<readonly Model[]>> {
    return this.ask(driver => driver.listModels())
  }

  override async close(): Promise<void> {
    await Promise.all([this.#launcher.close(), super.close()])
    await this.#options.sandbox?.close()
  }

  override async kill(): Promise<void> {
    await Promise.all([this.#launcher.close(), super.kill()])
    await this.#options.sandbox?.close()
  }

  protected able(): Iterable<Ability> {
    return able(this.#options)
  }

  protected override prepareRun(): Promise<void> | null {
    const { comeBack } = this.#options
    const isFirst = !this.#hasRun
    this.#hasRun = true
    return isFirst || !comeBack ? null : cameBack(comeBack)
  }

  protected connect(host: DriverHost, options?: StartOptions): ZotDriver {
    const { token, version, limits, machine } = this.#options
    const judge = this.#judge
    const start = options ? this.#start.after(options) : this.#start.current()
    const { transport, guarded } = this.#launch(start, judge !== undefined)
    // A fresh zot has no conversation yet.
    this.#modeNote.forget()
    return new ZotDriver(host, {
      transport,
      options: start,
      guarded: guarded && judge ? { ...guarded, judge } : null,
      warnings: guarded ? this.#warnOfExtensions(guarded.extensionsOff) : [],
      token,
      version,
      machine,
      limits: { ...DEFAULT_LIMITS, ...limits },
      modeNote: this.#modeNote,
    })
  }

  protected override replaced({ options }: ZotDriver): void {
    this.#start.use(options)
  }

  protected override emit(event: AgentEvent): void {
    if (event.type === 'agent_started') this.#start.started(event.provider)
    for (const each of this.#addImplied(event)) super.emit(each)
  }

  #launch(start: ZotOptions, isGuarded: boolean): LaunchedZot {
    try {
      return this.#launcher.launch(start, isGuarded)
    } catch (error) {
      const reason = `zotui cannot make the folder of the guard that asks before calls run (${messageOf(error)})`
      throw new CannotStart(reason, '--no-guard starts zot without it, and then zot never asks')
    }
  }

  /** Once: the next zot of this backend starts in the same way. */
  #warnOfExtensions(names: readonly string[]): string[] {
    if (names.length === 0 || this.#hasWarned) return []
    this.#hasWarned = true
    return [extensionsWarning(names)]
  }
}

function* able(options: ZotBackendOptions): Iterable<Ability> {
  yield* ['compact', 'listModels', 'setModel', 'setReasoning', 'startWith'] as const
  if (options.listEveryModel) yield 'listEveryModel'
  if (options.login) yield 'login'
  if (options.lookForReading) yield 'reading'
  if (!options.connectGuarded) return
  yield* ['judgeWith', 'setPermissionMode', 'steer'] as const
  if (options.machine === undefined) yield* ['listRunning', 'setFolders'] as const
  if (options.sandbox) yield 'sandbox'
}
