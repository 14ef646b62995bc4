/** The agents that zotui can talk to, and how their backends are made. */
import { homedir } from 'node:os'
import process from 'node:process'
import type { Backend, StartOptions } from '../agent/backend.ts'
import type { Transport } from './transport/transport.ts'
import { createZotBackend } from './zot/backend.ts'
import { zotHome } from './zot/program/home.ts'
import { launchZot, type Launch } from './zot/program/launch.ts'
import { zotModels } from './zot/program/locate.ts'
import type { ZotOptions } from './zot/program/options.ts'
import { startupPlaces } from './zot/startup/startup-places.ts'
import { findStartupContext } from './zot/startup/context.ts'
import { workingFolder } from './zot/program/working-folder.ts'

export { zotHome } from './zot/program/home.ts'
export { locateZot, zotVersion } from './zot/program/locate.ts'
export type { ZotOptions } from './zot/program/options.ts'

export type AgentChoice =
  | { agent: 'demo'; cwd: string }
  | { agent: 'zot'; path: string; options: ZotOptions; env: NodeJS.ProcessEnv; version: string | undefined }

export type BackendOptions = {
  /** Receives agent output that zotui does not understand. */
  debug: (message: string) => void
  /** Removes secrets from texts before they are shortened. */
  redact: (text: string) => string
  /** Guards processes that must not outlive us: see `Launch`. */
  guard?: Launch['guard']
  /** Wraps the transport and records its lines. */
  record?: (transport: Transport) => Transport
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
    case 'zot':
      return zotBackend(choice, options)
  }
}

/** `ZOTUI_DEMO_SPEED` plays the demo so many times as fast. */
function demoSpeed(): number {
  return Math.max(0, Number(process.env['ZOTUI_DEMO_SPEED'])) || 1
}

function unrecorded(transport: Transport): Transport {
  return transport
}

function zotBackend(
  choice: Extract<AgentChoice, { agent: 'zot' }>,
  { debug, redact, guard, record = unrecorded }: BackendOptions,
): Backend {
  const { path, options, env, version } = choice
  // The folder may be deleted later.
  const here = process.cwd()
  const { provider, model, baseUrl, apiKey, reasoning } = options
  return createZotBackend({
    start: set({ provider, model, baseUrl, apiKey, reasoning }),
    connect: start => record(launchZot({ path, options: { ...options, ...ABSENT, ...set(start) }, env, guard })),
    listEveryModel: () => zotModels(path, { env, home: zotHome(env, process.platform, homedir()) }),
    async lookForReading() {
      const folder = await workingFolder(options, env, here)
      const places = startupPlaces({ options, env, platform: process.platform, folder })
      return { found: await findStartupContext(places), flags: places.flags }
    },
    // zot's own terminal program has /login and /logout; it reads its keys from the same place as `zot rpc`.
    login: { file: path, args: [], env },
    version,
    debug,
    redact,
  })
}

/** The options of the command line that `StartOptions` can replace later. */
const ABSENT = { provider: undefined, model: undefined, baseUrl: undefined, apiKey: undefined, reasoning: undefined }

/** Drops options that are unset or empty. */
function set(options: Partial<Record<keyof StartOptions, string | undefined>>): StartOptions {
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined && value !== ''))
}
