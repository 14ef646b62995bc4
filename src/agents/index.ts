/** The agents that zotui can talk to, and how their backends are made. */
import { homedir } from 'node:os'
import process from 'node:process'
import type { Backend } from '../agent/backend.ts'
import type { LocalTools } from '../local-tools/tool.ts'
import { wordsOfMode } from '../permissions/modes.ts'
import { dayClock } from '../platform/ages.ts'
import type { AgentSandbox, AgentSandboxOptions } from './acp/box/agent-sandbox.ts'
import type { RemotePlace, FoundProgram } from './acp/remote-agent.ts'
import type { AgentProgram } from './acp/find-agent.ts'
import type { McpServers } from './acp/session/mcp-servers.ts'
import type { Prices } from './meerkat/prices.ts'
import type { MeerkatProgram } from './meerkat/program.ts'
import type { RozStart } from './roz/arguments.ts'
import type { Transport } from './transport/transport.ts'
import { createZotBackend } from './zot/backend.ts'
import { localZotStart, type LocalStartOptions, type ZotChoice, type ZotStart } from './zot/local-start.ts'
import { zotHome } from './zot/program/home.ts'
import { createKeyStore } from './zot/program/key-store.ts'
import { MEERKAT } from './meerkat/program.ts'
import { zotModels } from './zot/program/models.ts'
import { loginArguments, type ZotOptions } from './zot/program/options.ts'
import type { RemoteZot } from './zot/remote/launch.ts'
import { startupPlaces } from './zot/startup/startup-places.ts'
import { findStartupContext } from './zot/startup/context.ts'
import { workingFolder } from './zot/program/working-folder.ts'

export type AgentChoice =
  | { agent: 'demo'; cwd: string }
  | AcpChoice
  | MeerkatChoice
  | RozChoice
  | ZotChoice
  | RemoteZotChoice
  | RemoteAcpChoice

/** zot on another machine. `isGuarded`: behind the guard, which needs a Node there. */
type RemoteZotChoice = { agent: 'remote-zot'; zot: RemoteZot; options: ZotOptions; isGuarded: boolean }

/** Another agent on another machine. */
type RemoteAcpChoice = {
  agent: 'remote-acp'
  found: { agent: AgentProgram; program: FoundProgram }
  place: RemotePlace
  /** The variables with a key that it has there, by their names. */
  remoteKeys: readonly string[]
  onlyReads?: true
}

type AcpChoice = {
  agent: 'acp'
  program: AgentProgram
  folder: string
  env: NodeJS.ProcessEnv
  /** Set for one that only reads: it gets no MCP servers, whose tools could do more. */
  onlyReads?: true
}

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
  /** The machine that it works on; absent for this one. `file` and `stateFolder` are there. */
  remote?: RemoteToolsPlace & { program: FoundProgram }
}

/** A machine on which zotui's own tools run, and its Node. */
type RemoteToolsPlace = { place: RemotePlace; node: string }

type RozChoice = {
  agent: 'roz'
  start: RozStart
  /** Certificates of authorities in the place of those of the system; null for these. */
  roots: Buffer | null
  folder: string
  env: NodeJS.ProcessEnv
  /** The machine that its tools work on; absent for this one. */
  remote?: RemoteToolsPlace
}

export type BackendOptions = LocalStartOptions & {
  /** Receives agent output that zotui does not understand. */
  debug: (message: string) => void
  /** Removes secrets from texts before they are shortened. */
  redact: (text: string) => string
  /** The MCP servers of the settings; none by default. */
  mcpServers?: () => McpServers
  /** zotui's own version, which some agents receive. */
  version: string
  /** The start of a zot that is there already: it gets ready while this file is loaded. */
  zotStart?: ZotStart | null
}

const { now } = dayClock

export async function createBackend(choice: AgentChoice, options: BackendOptions): Promise<Backend> {
  switch (choice.agent) {
    case 'demo': {
      const [{ createDemoTransport }, { createGate }, { withBeside }, { realTimers }] = await Promise.all([
        import('./demo/transport.ts'),
        import('./demo/gate.ts'),
        import('./demo/beside.ts'),
        import('./demo/timers.ts'),
      ])
      const { debug, redact, record = unrecorded } = options
      const { gate, guarded } = createGate({ folder: choice.cwd, now })
      const connect = (): Transport => record(createDemoTransport({ cwd: choice.cwd, speed: demoSpeed(), gate }))
      const demo = guarded(createZotBackend({ name: 'demo', connect, now, debug, redact }))
      return withBeside(demo, { timers: realTimers, speed: demoSpeed() })
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
    case 'remote-acp':
      return remoteAcpBackend(choice, options)
  }
}

async function acpBackend(
  { program, folder, env, onlyReads }: AcpChoice,
  { debug, redact, watch, version, sandbox, mcpServers, record = unrecorded }: BackendOptions,
): Promise<Backend> {
  const [{ createAcpBackend }, { launchAcp }] = await Promise.all([
    import('./acp/backend.ts'),
    import('./acp/launch.ts'),
  ])
  return createAcpBackend({
    agent: program,
    connect: (variables, box) =>
      record(launchAcp({ agent: program, env: { ...env, ...variables }, folder, watch, box }), program.name),
    sandbox: sandbox ? laterSandbox({ program, folder, sandbox }) : null,
    ...(mcpServers && !onlyReads && { servers: mcpServers }),
    now,
    folder,
    env,
    version,
    debug,
    redact,
  })
}

/** The sandbox of an agent, loaded with the first start for which it is on. */
function laterSandbox(options: AgentSandboxOptions): AgentSandbox {
  let loading: Promise<AgentSandbox> | null = null
  return {
    hold(start) {
      if (options.sandbox.level() === 'off') return null
      loading ??= import('./acp/box/agent-sandbox.ts').then(({ createAgentSandbox }) => createAgentSandbox(options))
      return loading.then(({ hold }) => hold(start))
    },
  }
}

async function meerkatBackend(
  choice: MeerkatChoice,
  { debug, redact, watch, guarded = false, sandbox, record = unrecorded }: BackendOptions,
): Promise<Backend> {
  const { program, folder, env, stateFolder, prices, archivesCleared, remote } = choice
  const [
    { createMeerkatBackend },
    { launchMeerkat },
    { createToolHost },
    { costOf },
    { createLocalTools },
    { machineReadBox },
    { machineSandbox },
  ] = await Promise.all([
    import('./meerkat/backend.ts'),
    import('./meerkat/launch.ts'),
    import('./tool-host/local-tool-host.ts'),
    import('./meerkat/prices.ts'),
    import('../local-tools/local-tools.ts'),
    import('../local-tools/machine-read-box.ts'),
    import('../local-tools/machine-sandbox.ts'),
  ])
  const held = sandbox ? machineSandbox(sandbox) : null
  const toolsHere = (): LocalTools => createLocalTools({ folder, env, readBox: machineReadBox, sandbox: held })
  const tools = async (): Promise<LocalTools> => (remote ? remoteToolsOf(remote, watch) : toolsHere())
  const { model, provider, reasoning, flags } = program
  const launch = remote
    ? await remoteMeerkatLauncher({ ...choice, remote }, watch)
    : (): Transport => launchMeerkat({ program, env, folder, stateFolder, watch })
  return createMeerkatBackend({
    connect: () => record(launch(), MEERKAT.name),
    ...(remote && { comeBack: async () => remote.place.machine.comeBack(), limits: { hello: 90_000 } }),
    model,
    provider,
    reasoning,
    flags,
    price: (name, usage) => costOf(prices, name, usage),
    archivesCleared,
    now,
    toolHost: guarded ? createToolHost({ tools: await tools(), folder, watch, now }) : null,
    debug,
    redact,
  })
}

async function rozBackend(
  { start, roots, folder, env, remote }: RozChoice,
  { debug, redact, watch, sandbox }: BackendOptions,
): Promise<Backend> {
  const [
    { createRozBackend },
    { withoutKey },
    { createRemoteFiles },
    { createToolHost },
    { createLocalTools },
    { machineReadBox },
    { machineSandbox },
  ] = await Promise.all([
    import('./roz/backend.ts'),
    import('./roz/arguments.ts'),
    import('../platform/remote/remote-files.ts'),
    import('./tool-host/local-tool-host.ts'),
    import('../local-tools/local-tools.ts'),
    import('../local-tools/machine-read-box.ts'),
    import('../local-tools/machine-sandbox.ts'),
  ])
  const held = sandbox ? machineSandbox(sandbox) : null
  const tools = remote
    ? await remoteToolsOf(remote, watch)
    : createLocalTools({ folder, env: withoutKey(env), readBox: machineReadBox, sandbox: held })
  return createRozBackend({
    start,
    roots,
    folder,
    ...(remote && { files: createRemoteFiles(remote.place.machine, remote.place.machine.target.name) }),
    toolHost: createToolHost({ tools, folder, watch, now }),
    now,
    debug,
    redact,
  })
}

/** zotui's own tools there. They start with their first call. */
async function remoteToolsOf({ place, node }: RemoteToolsPlace, watch: BackendOptions['watch']): Promise<LocalTools> {
  const [{ createRemoteTools }, { launchTools }] = await Promise.all([
    import('./remote-tools/remote-tools.ts'),
    import('./remote-tools/launch.ts'),
  ])
  const { machine, survey } = place
  return createRemoteTools({
    folder: survey.folder,
    machine: machine.target.name,
    connect: () => launchTools({ machine, survey, node }, watch),
    comeBack: async () => machine.comeBack(),
  })
}

async function remoteMeerkatLauncher(
  { program, folder, stateFolder, remote }: MeerkatChoice & Required<Pick<MeerkatChoice, 'remote'>>,
  watch: BackendOptions['watch'],
): Promise<() => Transport> {
  const [{ launchRemoteAgent }, { meerkatArguments }, { isEvent }] = await Promise.all([
    import('./acp/remote-agent.ts'),
    import('./meerkat/program.ts'),
    import('./meerkat/launch.ts'),
  ])
  return () =>
    launchRemoteAgent({
      agent: { name: MEERKAT.title, args: meerkatArguments(program.args, { stateFolder, folder }) },
      program: remote.program,
      place: remote.place,
      variables: {},
      watch,
      ownFolder: stateFolder,
      shortens: isEvent,
    })
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
  { debug, redact, watch, guarded = false, sandbox, record = unrecorded }: BackendOptions,
): Promise<Backend> {
  const { launchRemoteZot, launchGuardedRemoteZot } = await import('./zot/remote/launch.ts')
  const { machineSandbox } = await import('../local-tools/machine-sandbox.ts')
  const held = sandbox ? machineSandbox(sandbox) : null
  const launch = (start: ZotOptions) => ({ zot, options: start, watch, sandbox: held })
  return createZotBackend({
    now,
    machine: zot.machine.target.name,
    comeBack: async () => zot.machine.comeBack(),
    start: options,
    connect: start => record(launchRemoteZot(launch(start))),
    ...(guarded && {
      connectGuarded: (start: ZotOptions) => {
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

async function remoteAcpBackend(
  { found, place, remoteKeys, onlyReads }: RemoteAcpChoice,
  { debug, redact, watch, version, mcpServers, record = unrecorded }: BackendOptions,
): Promise<Backend> {
  const [{ createAcpBackend }, { launchRemoteAgent, remoteTerminal }] = await Promise.all([
    import('./acp/backend.ts'),
    import('./acp/remote-agent.ts'),
  ])
  const { machine, survey, variables } = place
  return createAcpBackend({
    agent: found.agent,
    connect: own => record(launchRemoteAgent({ ...found, place, variables: own, watch }), found.agent.name),
    remote: {
      machine: machine.target.name,
      inTerminal: command => remoteTerminal(place, found, command),
      comeBack: async () => machine.comeBack(),
    },
    // Servers of the settings are left out, and that is said.
    ...(mcpServers && !onlyReads && { servers: mcpServers }),
    limits: { hello: 90_000, closeExit: 4000 },
    now,
    folder: survey.folder,
    // Their values stay there.
    env: { ...Object.fromEntries(remoteKeys.map(name => [name, 'set there'])), ...variables },
    version,
    debug,
    redact,
  })
}

const LOGIN = 'zot itself, tools off: /login, then /exit returns to zotui'

/** A connection takes a while, and the guard comes with zot. In milliseconds. */
const REMOTE_LIMITS = { hello: 45_000, guard: 10_000, closeExit: 4000 }

async function zotBackend(choice: ZotChoice, options: BackendOptions): Promise<Backend> {
  const { path, options: zot, env, version } = choice
  const { debug, redact, zotStart } = options
  // The folder may be deleted later.
  const here = process.cwd()
  const home = zotHome(env, process.platform, homedir())
  return createZotBackend({
    now,
    ...(zotStart ?? (await localZotStart(choice, options))),
    modeNote: mode => wordsOfMode(mode).note,
    listEveryModel: () => zotModels(path, { env, home }),
    async lookForReading() {
      const folder = await workingFolder(zot, env, here)
      const places = startupPlaces({ options: zot, env, platform: process.platform, folder })
      return { found: await findStartupContext(places), flags: places.flags }
    },
    // zot's own terminal program has /login; it reads its keys from the same place as `zot rpc`.
    login: start => ({ file: path, args: loginArguments(start), env, words: LOGIN }),
    keys: start =>
      createKeyStore({ home, env, server: () => start().baseUrl, listModels: () => zotModels(path, { env, home }) }),
    version,
    debug,
    redact,
  })
}
