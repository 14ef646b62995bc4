/** Starts zot on this machine. This is apart from what talks to it, so that zot gets ready while that is loaded. */
import { homedir } from 'node:os'
import process from 'node:process'
import type { Transport } from '../transport/transport.ts'
import type { SandboxOptions } from '../../sandbox/command-boxes.ts'
import type { CommandSandbox } from '../../sandbox/command-sandbox.ts'
import { createLauncher, type Launcher, type LauncherOptions } from './launcher.ts'
import { isJailed, zotHome } from './program/home.ts'
import { launchZot, zotEnvironment, type Launch } from './program/zot-process.ts'
import type { ZotOptions } from './program/options.ts'

export type ZotChoice = {
  agent: 'zot'
  path: string
  options: ZotOptions
  env: NodeJS.ProcessEnv
  version: string | undefined
}

export type LocalStartOptions = {
  /** Watches processes that must not outlive us: see `Launch`. */
  watch?: Launch['watch']
  /** Whether zot can be asked about (`judgeWith`); without it zot runs its calls as it does by itself. */
  guarded?: boolean
  /** Holds the commands that run here; absent where nothing can. */
  sandbox?: SandboxOptions | undefined
  /** Wraps the transport and records its lines. */
  record?: (transport: Transport, agent?: string) => Transport
}

/** The means to start zots, and perhaps one that has started. */
export type ZotStart = LauncherOptions & {
  /** The start of the first one. */
  start: ZotOptions
  /** A launcher that has started the first zot. */
  launcher?: Launcher
  /** Holds the commands of all of them. */
  sandbox?: CommandSandbox | null
}

export async function localZotStart(
  { path, options, env }: ZotChoice,
  { watch, guarded = false, sandbox, record = transport => transport }: LocalStartOptions,
): Promise<ZotStart> {
  const launch = (start: ZotOptions): Launch => ({ path, options: start, env, watch })
  const unguarded = { start: options, connect: (start: ZotOptions) => record(launchZot(launch(start))) }
  if (!guarded) return unguarded
  const [
    { launchGuardedZot },
    { guardPlaces },
    { createLocalTools },
    { machineReadBox },
    { machineSandbox },
    { zotTools },
  ] = await Promise.all([
    import('./guard/guarded-launch.ts'),
    import('./guard/places.ts'),
    import('../../local-tools/local-tools.ts'),
    import('../../local-tools/machine-read-box.ts'),
    import('../../local-tools/machine-sandbox.ts'),
    import('../../local-tools/as-zot/zot-tools.ts'),
  ])
  const home = zotHome(env, process.platform, homedir())
  const held = sandbox ? machineSandbox(sandbox) : null
  const own = { env: zotEnvironment(env, undefined), tools: zotTools, readBox: machineReadBox, sandbox: held }
  // zot reads its settings at each start, and its own tools would stay in the folder.
  const toolsOf = (folder: string) => createLocalTools({ ...own, folder, isJailed: isJailed(home) })
  return {
    ...unguarded,
    sandbox: held,
    connectGuarded(start) {
      const zot = launchGuardedZot({ ...launch(start), places: guardPlaces(), toolsOf, home })
      return { ...zot, transport: record(zot.transport) }
    },
  }
}

/** Starts the first zot at once. The caller must close the launcher or make a backend of it. */
export async function earlyZotStart(choice: ZotChoice, options: LocalStartOptions): Promise<ZotStart> {
  const start = await localZotStart(choice, options)
  return { ...start, launcher: createLauncher({ ...start, isEarly: true }, start.start) }
}
