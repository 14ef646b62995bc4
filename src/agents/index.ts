/** The agents that zotui can talk to: the table from a name to how its backend is made. */
import { homedir } from 'node:os'
import process from 'node:process'
import type { Backend, StartOptions } from '../agent/backend.ts'
import type { Transport } from './transport/transport.ts'
import { createZotBackend } from './zot/backend.ts'
import { zotHome } from './zot/program/home.ts'
import { launchZot, type Launch } from './zot/program/launch.ts'
import { zotModels } from './zot/program/locate.ts'
import type { ZotOptions } from './zot/program/options.ts'
import { startupPlaces } from './zot/startup/places.ts'
import { findStartupContext } from './zot/startup/context.ts'
import { workingFolder } from './zot/program/working-folder.ts'

export { zotHome } from './zot/program/home.ts'
export { locateZot, zotVersion } from './zot/program/locate.ts'
export type { ZotOptions } from './zot/program/options.ts'

export type AgentChoice =
  | { agent: 'demo'; cwd: string }
  | { agent: 'zot'; path: string; options: ZotOptions; env: NodeJS.ProcessEnv; version: string | undefined }

export type BackendOptions = {
  /** Receives what an agent wrote that means nothing to us. */
  debug: (message: string) => void
  /** Takes secrets out of what is shortened before it is told. */
  redact: (text: string) => string
  /** Is told what must not outlive us. */
  guard?: Launch['guard']
  /** Stands between us and the agent, and writes down what passes. */
  record?: (transport: Transport) => Transport
}

export async function createBackend(choice: AgentChoice, options: BackendOptions): Promise<Backend> {
  switch (choice.agent) {
    case 'demo': {
      const { createDemoTransport } = await import('./demo/transport.ts')
      const { debug, redact, record = asItIs } = options
      return createZotBackend({
        name: 'demo',
        connect: () => record(createDemoTransport({ cwd: choice.cwd })),
        debug,
        redact,
      })
    }
    case 'zot':
      return zotBackend(choice, options)
  }
}

function asItIs(transport: Transport): Transport {
  return transport
}

function zotBackend(
  choice: Extract<AgentChoice, { agent: 'zot' }>,
  { debug, redact, guard, record = asItIs }: BackendOptions,
): Backend {
  const { path, options, env, version } = choice
  // The folder may be removed later.
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
    // zot's own terminal program has /login and /logout; it takes its keys from the same place as `zot rpc`.
    login: { file: path, args: [], env },
    version,
    debug,
    redact,
  })
}

/** What of the command line can be replaced later. */
const ABSENT = { provider: undefined, model: undefined, baseUrl: undefined, apiKey: undefined, reasoning: undefined }

/** Without what is not set, or empty. */
function set(options: Partial<Record<keyof StartOptions, string | undefined>>): StartOptions {
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined && value !== ''))
}
