/** The `Backend` for a roz server. zotui runs its tools, after a permission check. */
import { dirname, join } from 'node:path'
import process from 'node:process'
import type { Ability } from '../../agent/abilities.ts'
import type { Backend, Model, OwnSession, Reply, StartOptions, Steer, SteerOutcome } from '../../agent/backend.ts'
import type { AgentEvent } from '../../agent/event.ts'
import type { Judge, PermissionMode } from '../../agent/permission.ts'
import type { PermissionAnswer, RunningCommand } from '../../agent/requests.ts'
import type { ToolHost } from '../tool-host/tool-host.ts'
import type { DriverHost } from '../host/driver.ts'
import { HostedBackend, type HostOptions } from '../host/hosted-backend.ts'
import { ROZ_LIMITS, type RozLimits } from './limits.ts'
import { RozDriver } from './driver.ts'
import { createRozStreams } from './stream.ts'
import { createRozApprovals, type RozApprovals } from './turn/approvals.ts'
import { ROZ } from './name.ts'
import type { RozStart } from './arguments.ts'
import { here, type ProjectFiles } from '../../platform/project-files.ts'
import { readRegularFileWithin } from '../../platform/regular-file.ts'
import { isWithin } from '../../platform/within.ts'

export type RozBackendOptions = HostOptions & {
  start: Omit<RozStart, 'ca'>
  /** CA certificates to use instead of the system's. */
  roots?: Buffer | null
  /** The absolute folder that the tools work in. */
  folder: string
  /** The files of that folder, by default of this machine. */
  files?: ProjectFiles
  toolHost: ToolHost
  /** Overrides of the default limits. */
  limits?: Partial<RozLimits>
}

/** The tiers that a server maps to models. It also accepts names of models. */
const TIERS = ['fast', 'standard', 'max']

/** Makes the backend; `open` begins the session. */
export function createRozBackend(options: RozBackendOptions): Backend {
  return new RozBackend(options)
}

class RozBackend extends HostedBackend<RozDriver> {
  readonly #options: RozBackendOptions
  readonly #approvals: RozApprovals
  readonly #chosen: { model: string }

  constructor(options: RozBackendOptions) {
    super(ROZ.name, options)
    this.#options = options
    this.#chosen = { model: options.start.model }
    const { folder, toolHost } = options
    const emit = (event: AgentEvent): void => this.emit(event)
    const decide = (id: string, isApproved: boolean): void => this.driver?.decide(id, isApproved)
    this.#approvals = createRozApprovals({ folder, now: this.now, emit, decide })
    toolHost.attach(emit)
  }

  override judgeWith(judge: Judge): void {
    this.#options.toolHost.judgeWith(judge)
    this.#approvals.judgeWith(judge)
  }

  override answerPermission(id: string, answer: PermissionAnswer, by: 'user' | 'rule' = 'user'): void {
    const isKnown = this.#options.toolHost.answerPermission(id, answer, by) || this.#approvals.answer(id, answer, by)
    if (isKnown && answer.answer === 'stop') this.abort()
  }

  override setPermissionMode(mode: PermissionMode): void {
    this.#options.toolHost.setPermissionMode(mode)
  }

  override async listRunning(): Promise<readonly RunningCommand[]> {
    return this.#options.toolHost.listRunning()
  }

  override async endRunning(pid: number): Promise<Reply> {
    return this.#options.toolHost.endRunning(pid)
  }

  override steer(steer: Steer): Promise<SteerOutcome> {
    return this.#options.toolHost.steer(steer)
  }

  override withdrawSteer(id: string): void {
    this.#options.toolHost.withdrawSteer(id)
  }

  override async replace(options: StartOptions, session?: OwnSession): Promise<Reply> {
    if (!options.baseUrl) return super.replace(options, session)
    return { ok: false, message: 'another server needs another agent: /agent roz --base-url URL' }
  }

  protected connect(host: DriverHost): RozDriver {
    const { start, roots = null, folder, files = here, toolHost, limits } = this.#options
    return new RozDriver(host, {
      streams: createRozStreams({ address: start.address, key: start.key, roots }),
      start,
      chosen: this.#chosen,
      limits: { ...ROZ_LIMITS, ...limits },
      toolHost,
      approvals: this.#approvals,
      context: () => projectContext(folder, files),
    })
  }

  protected override ended(): void {
    void this.#options.toolHost.close()
  }

  protected *able(): Iterable<Ability> {
    yield* ['resumeSession', 'judgeWith', 'setPermissionMode', 'listRunning', 'setFolders', 'steer'] as const
    if (this.#options.toolHost.hasSandbox) yield 'sandbox'
    if (this.driver) yield* ['setModel', 'listModels'] as const
  }

  override setModel(id: string): Promise<Reply> {
    return this.ask(driver => driver.useModel(id))
  }

  override async listModels(): Promise<Reply<readonly Model[]>> {
    return { ok: true, value: this.#models() }
  }

  #models(): readonly Model[] {
    const { model } = this.#chosen
    const ids = model === '' || TIERS.includes(model) ? TIERS : [...TIERS, model]
    return ids.map(id => ({ id, provider: this.name, contextWindow: null, maxOutput: null, reasoning: false }))
  }
}

/** Bytes of the longest file of instructions, and of all of them. */
const MOST_OF_FILE = 64 * 1024
const MOST_OF_ALL = 256 * 1024

/** Reads each AGENTS.md from the root of the repository down to the folder. Whatever cannot be read is left out. */
async function projectContext(folder: string, files: ProjectFiles): Promise<string[]> {
  const machine = files === here ? `the user's machine (${process.platform})` : 'another machine'
  const place = `The tools read, list, search, write, edit and bash run on ${machine}, in the folder ${folder}.`
  const folders = await foldersFromRoot(folder, files)
  const found: string[] = []
  let bytes = 0
  for (const each of folders) {
    const path = join(each, 'AGENTS.md')
    const read = await readWithin(path, folders[0] ?? folder, files)
    if (read === null || (bytes += read.length) > MOST_OF_ALL) continue
    found.push(`Instructions of ${path}:\n\n${read.toString('utf8')}`)
  }
  return [place, ...found]
}

/** Null for what cannot be read, and for a link that leads out of the folder. */
async function readWithin(path: string, folder: string, files: ProjectFiles): Promise<Buffer | null> {
  if (files === here) {
    const read = await readRegularFileWithin(path, { folder, called: 'it' }, MOST_OF_FILE)
    return read.ok ? read.bytes : null
  }
  const end = await files.realPath(path).catch(() => null)
  if (end === null || !isWithin(folder, end)) return null
  const read = await files.resolved.readFile(end, MOST_OF_FILE)
  return read.ok ? read.bytes : null
}

/** The folder and those above it up to its repository, the outermost first; the folder alone where there is none. */
async function foldersFromRoot(folder: string, files: ProjectFiles): Promise<string[]> {
  const folders = [folder]
  for (let current = folder; ; current = dirname(current)) {
    if (current !== folder) folders.unshift(current)
    const git = await files.stats(join(current, '.git')).catch(() => null)
    if (git !== null) return folders
    if (dirname(current) === current) return [folder]
  }
}
