/** The agents that zotui can talk to, and how their backends are made. */
import { homedir } from 'node:os'
import process from 'node:process'
import type { Backend, StartOptions } from '../agent/backend.ts'
import { wordsOfMode } from '../permissions/modes.ts'
import type { AgentProgram } from './acp/known-agents.ts'
import type { Prices } from './meerkat/prices.ts'
import type { MeerkatProgram } from './meerkat/program.ts'
import type { RozStart } from './roz/words.ts'
import type { Transport } from './transport/transport.ts'
import { createZotBackend } from './zot/backend.ts'
import { createLocalTools } from '../local-tools/local-tools.ts'
import type { LocalTools } from '../local-tools/tool.ts'
import { launchGuardedZot } from './zot/guard/launch.ts'
import { guardPlaces } from './zot/guard/places.ts'
import { zotHome } from './zot/program/home.ts'
import { createKeyStore } from './zot/program/key-store.ts'
import { launchZot, type Launch } from './zot/program/launch.ts'
import { MEERKAT } from './meerkat/program.ts'
import { zotModels } from './zot/program/models.ts'
import type { ZotOptions } from './zot/program/options.ts'
import type { RemoteZot } from './zot/remote/launch.ts'
import { startupPlaces } from './zot/startup/startup-places.ts'
import { findStartupContext } from './zot/startup/context.ts'
import { workingFolder } from './zot/program/working-folder.ts'

export type AgentChoice =
  | { agent: 'demo'; cwd: string }
  | { agent: 'acp'; program: AgentProgram; folder: string; env: NodeJS.ProcessEnv }
  | MeerkatChoice
  | RozChoice
  | ZotChoice
  | RemoteZotChoice

type ZotChoice = {
  agent: 'zot'
  path: string
  options: ZotOptions
  env: NodeJS.ProcessEnv
  version: string | undefined
}

/** zot on another machine. */
type RemoteZotChoice = { agent: 'remote-zot'; zot: RemoteZot; options: ZotOptions }

type MeerkatChoice = {
  agent: 'meerkat'
  program: MeerkatProgram
  folder: string
  env: NodeJS.ProcessEnv
  /** The folder with the sessions of Meerkat. */
  stateFolder: string
  prices: Prices
  /** Whether /clear puts the former session away. */
  archivesCleared: boolean
}

type RozChoice = {
  agent: 'roz'
  start: RozStart
  /** Certificates of authorities in the place of those of the system; null for these. */
  roots: Buffer | null
  folder: string
  env: NodeJS.ProcessEnv
}

export type BackendOptions = {
  /** Receives agent output that zotui does not understand. */
  debug: (message: string) => void
  /** Removes secrets from texts before they are shortened. */
  redact: (text: string) => string
  /** Watches processes that must not outlive us: see `Launch`. */
  watch?: Launch['watch']
  /** zotui's own version, which some agents are told. */
  version: string
  /** Whether zot can be asked about (`judgeWith`); without it zot runs its calls as it does by itself. */
  guarded?: boolean
  /** Whether zot starts at once, and gets ready while the rest of the program is loaded. */
  early?: boolean
  /** Wraps the transport and records its lines. */
  record?: (transport: Transport, agent?: string) => Transport
}

export async function createBackend(choice: AgentChoice, options: BackendOptions): Promise<Backend> {
  switch (choice.agent) {
    case 'demo': {
      const [{ createDemoTransport }, { createGate }] = await Promise.all([
        import('./demo/transport.ts'),
        import('./demo/gate.ts'),
      ])
      const { debug, redact, record = unrecorded } = options
      const { gate, guarded } = createGate({ folder: choice.cwd })
      const connect = (): Transport => record(createDemoTransport({ cwd: choice.cwd, speed: demoSpeed(), gate }))
      return guarded(createZotBackend({ name: 'demo', connect, debug, redact }))
    }
    case 'acp':
      return acpBackend(choice, options)
    case 'meerkat':
      return meerkatBackend(choice, options)
    case 'roz':
      return rozBackend(choice, options)
    case 'zot':
      return zotBackend(choice, options)
    case 'remote-zot':
      return remoteZotBackend(choice, options)
  }
}

async function acpBackend(
  { program, folder, env }: Extract<AgentChoice, { agent: 'acp' }>,
  { debug, redact, watch, version, record = unrecorded }: BackendOptions,
): Promise<Backend> {
  const [{ createAcpBackend }, { launchAcp }] = await Promise.all([
    import('./acp/backend.ts'),
    import('./acp/launch.ts'),
  ])
  const connect = (): Transport => record(launchAcp({ agent: program, env, folder, watch }), program.name)
  return createAcpBackend({ agent: program, connect, folder, env, version, debug, redact })
}

async function meerkatBackend(
  { program, folder, env, stateFolder, prices, archivesCleared }: MeerkatChoice,
  { debug, redact, watch, guarded = false, record = unrecorded }: BackendOptions,
): Promise<Backend> {
  const [{ createMeerkatBackend }, { launchMeerkat }, { createGate }, { costOf }] = await Promise.all([
    import('./meerkat/backend.ts'),
    import('./meerkat/launch.ts'),
    import('./gate/gate.ts'),
    import('./meerkat/prices.ts'),
  ])
  const { model, provider, reasoning, flags } = program
  return createMeerkatBackend({
    connect: () => record(launchMeerkat({ program, env, folder, stateFolder, watch }), MEERKAT.name),
    model,
    provider,
    reasoning,
    flags,
    price: (name, usage) => costOf(prices, name, usage),
    archivesCleared,
    gate: guarded ? createGate({ tools: createLocalTools({ folder, env }), folder, watch }) : null,
    debug,
    redact,
  })
}

async function rozBackend(
  { start, roots, folder, env }: RozChoice,
  { debug, redact, watch }: BackendOptions,
): Promise<Backend> {
  const [{ createRozBackend }, { withoutKey }, { createGate }] = await Promise.all([
    import('./roz/backend.ts'),
    import('./roz/words.ts'),
    import('./gate/gate.ts'),
  ])
  const tools = createLocalTools({ folder, env: withoutKey(env) })
  return createRozBackend({ start, roots, folder, gate: createGate({ tools, folder, watch }), debug, redact })
}

/** `ZOTUI_DEMO_SPEED` plays the demo so many times as fast. */
function demoSpeed(): number {
  return Math.max(0, Number(process.env['ZOTUI_DEMO_SPEED'])) || 1
}

function unrecorded(transport: Transport): Transport {
  return transport
}

async function remoteZotBackend(
  { zot, options }: RemoteZotChoice,
  { debug, redact, watch, guarded = false, record = unrecorded }: BackendOptions,
): Promise<Backend> {
  const { launchRemoteZot, launchGuardedRemoteZot } = await import('./zot/remote/launch.ts')
  const { provider, model, baseUrl, apiKey, reasoning } = options
  const launch = (start: StartOptions) => ({ zot, options: { ...options, ...ABSENT, ...withoutEmpty(start) }, watch })
  return createZotBackend({
    isElsewhere: true,
    start: withoutEmpty({ provider, model, baseUrl, apiKey, reasoning }),
    connect: start => record(launchRemoteZot(launch(start))),
    ...(guarded && {
      connectGuarded: (start: StartOptions) => {
        const started = launchGuardedRemoteZot(launch(start))
        return { ...started, transport: record(started.transport) }
      },
    }),
    modeNote: mode => wordsOfMode(mode).note,
    limits: REMOTE_LIMITS,
    debug,
    redact,
  })
}

/** A connection takes a while, and the guard comes with zot. In milliseconds. */
const REMOTE_LIMITS = { hello: 45_000, guard: 10_000, closeExit: 4000 }

function zotBackend(
  choice: ZotChoice,
  { debug, redact, watch, guarded = false, early = false, record = unrecorded }: BackendOptions,
): Backend {
  const { path, options, env, version } = choice
  // The folder may be deleted later.
  const here = process.cwd()
  const { provider, model, baseUrl, apiKey, reasoning } = options
  const home = zotHome(env, process.platform, homedir())
  const launch = (start: StartOptions): Launch => {
    return { path, options: { ...options, ...ABSENT, ...withoutEmpty(start) }, env, watch }
  }
  const toolsOf = (folder: string): LocalTools => createLocalTools({ folder, env })
  return createZotBackend({
    start: withoutEmpty({ provider, model, baseUrl, apiKey, reasoning }),
    connect: start => record(launchZot(launch(start))),
    ...(guarded && {
      connectGuarded: (start: StartOptions) => {
        const zot = launchGuardedZot({ ...launch(start), places: guardPlaces(), toolsOf, home })
        return { ...zot, transport: record(zot.transport) }
      },
    }),
    isEarly: early,
    modeNote: mode => wordsOfMode(mode).note,
    listEveryModel: () => zotModels(path, { env, home }),
    async lookForReading() {
      const folder = await workingFolder(options, env, here)
      const places = startupPlaces({ options, env, platform: process.platform, folder })
      return { found: await findStartupContext(places), flags: places.flags }
    },
    // zot's own terminal program has /login and /logout; it reads its keys from the same place as `zot rpc`.
    login: { file: path, args: [], env },
    keys: createKeyStore({ home, server: baseUrl }),
    version,
    debug,
    redact,
  })
}

/** The options of the command line that `StartOptions` can replace later. */
const ABSENT = { provider: undefined, model: undefined, baseUrl: undefined, apiKey: undefined, reasoning: undefined }

/** Drops options that are unset or empty. */
function withoutEmpty(options: Partial<Record<keyof StartOptions, string | undefined>>): StartOptions {
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined && value !== ''))
}
