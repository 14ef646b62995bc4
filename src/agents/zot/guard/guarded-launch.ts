/** Starts zot with a guard. */
import { resolve } from 'node:path'
import process from 'node:process'
import type { LocalTools } from '../../../local-tools/tool.ts'
import { findProgram } from '../../../platform/programs.ts'
import type { Transport } from '../../transport/transport.ts'
import { launchZot, type Launch } from '../program/zot-process.ts'
import type { ZotOptions } from '../program/options.ts'
import { listenAt } from './link/channel.ts'
import { makeGuardFolder, removeStaleFolders, type GuardPlaces } from './folder.ts'
import type { RegisteredTool } from './link/frames.ts'
import { createGates } from './gates.ts'
import { DEFAULT_BEAT, createGuardLink, type GuardBeat, type GuardLink } from './link/guard-link.ts'
import { installedExtensions } from './places.ts'
import { createShellCheck } from './shell-check.ts'

export type GuardLaunch = Launch & {
  places: GuardPlaces
  /** Makes the tools that zotui runs instead of zot, for a folder. */
  toolsOf: (folder: string) => LocalTools
  /** zot's data folder. */
  home: string
  beat?: GuardBeat
}

export type GuardedZot = {
  transport: Transport
  link: GuardLink
  toolsOf: (folder: string) => LocalTools
  /** The absolute folder in which zot works. */
  folder: string
  /** The extensions that zot would load without a guard. */
  extensionsOff: readonly string[]
  /** Whether zot runs on another machine, so that its process ids mean nothing here. */
  isElsewhere?: boolean
  /** The environment of its commands, as far as it is known. */
  env: NodeJS.ProcessEnv
}

/** The zot tools that change nothing, or wait at a gate. zot ignores names that it does not have. */
const ZOT_TOOLS = ['read', 'bash', 'glob', 'powershell']

/** Starts zot with a guard of its own. @throws if the guard's folder cannot be made. */
export function launchGuardedZot({ places, toolsOf, home, beat = DEFAULT_BEAT, ...launch }: GuardLaunch): GuardedZot {
  const folder = resolve(launch.options.cwd ?? '.')
  const edits = toolsOf(folder).definitions.filter(({ kind }) => kind === 'edit')
  const { options, registered } = guardedOptions(launch.options, edits)
  const place = makeGuardFolder(places)
  // Another extension could replace the arguments after the guard, including a gate.
  const canGate = process.platform !== 'win32' && !hasExtensions(launch.options)
  const gates = canGate ? createGates(place.path, findProgram('mkfifo', launch.env, folder)) : null
  const check = canGate ? createShellCheck(place.path, launch.env) : null
  const open = listenAt(place.socket)
  const link = createGuardLink({ open, tools: registered, gates, check, beat, onClose: async () => place.remove() })
  const transport = launchZot({
    ...launch,
    env: { ...launch.env, ...check?.env },
    options: { ...options, ext: [place.path, ...(options.ext ?? [])] },
  })
  void removeStaleFolders(places.parents)
  const extensionsOff = launch.options.noExt ? [] : installedExtensions(home, folder)
  return { transport, link, toolsOf, folder, extensionsOff, env: launch.env }
}

/** zot's options without the installed extensions and without the tools that run here, and the tools that the guard registers. */
export function guardedOptions(
  options: ZotOptions,
  edits: readonly RegisteredTool[],
): { options: ZotOptions; registered: RegisteredTool[] } {
  const wanted = options.noTools ? [] : (options.tools ?? [...ZOT_TOOLS, ...edits.map(({ name }) => name)])
  const registered = edits.filter(({ name }) => wanted.includes(name))
  const tools = wanted.filter(name => !registered.some(tool => tool.name === name))
  // An empty list would allow all tools.
  const choice = tools.length === 0 ? { noTools: true, tools: undefined } : { tools }
  return {
    options: { ...options, ...choice, noExt: true },
    registered: registered.map(({ name, description, schema }) => ({ name, description, schema })),
  }
}

function hasExtensions({ ext = [], extra = [] }: ZotOptions): boolean {
  return ext.length > 0 || extra.includes('--ext') || extra.includes('-e')
}
