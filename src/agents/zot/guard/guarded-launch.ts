/** Starts zot with a guard. */
import { resolve } from 'node:path'
import type { LocalTools } from '../../../local-tools/tool.ts'
import type { Transport } from '../../transport/transport.ts'
import { launchZot, type Launch } from '../program/zot-process.ts'
import type { ZotOptions } from '../program/options.ts'
import { listenAt } from './link/channel.ts'
import { makeGuardFolder, removeStaleFolders, type GuardPlaces } from './folder.ts'
import type { RegisteredTool } from './link/frames.ts'
import { DEFAULT_BEAT, createGuardLink, type GuardBeat, type GuardLink } from './link/guard-link.ts'
import { installedExtensions } from './places.ts'

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
  /** Makes sure that no command outlives zotui. */
  watch?: Launch['watch']
}

/** Starts zot with a guard of its own. @throws if the guard's folder cannot be made. */
export function launchGuardedZot({ places, toolsOf, home, beat = DEFAULT_BEAT, ...launch }: GuardLaunch): GuardedZot {
  const folder = resolve(launch.options.cwd ?? '.')
  const { options, registered } = guardedOptions(launch.options, toolsOf(folder).definitions)
  const place = makeGuardFolder(places)
  const open = listenAt(place.socket)
  const link = createGuardLink({ open, tools: registered, beat, onClose: async () => place.remove() })
  const transport = launchZot({ ...launch, options: { ...options, ext: [place.path, ...(options.ext ?? [])] } })
  void removeStaleFolders(places.parents)
  const extensionsOff = launch.options.noExt ? [] : installedExtensions(home, folder)
  return {
    transport,
    link,
    toolsOf,

    folder,
    extensionsOff,
    watch: launch.watch,
  }
}

/**
 * zot's options without the installed extensions and without any tool of its own, and the tools that the guard registers in their
 * place: those of zot's that the user wants.
 */
export function guardedOptions(
  options: ZotOptions,
  tools: readonly RegisteredTool[],
): { options: ZotOptions; registered: RegisteredTool[] } {
  const isChosen = (name: string): boolean => options.noTools !== true && (options.tools?.includes(name) ?? true)
  return {
    options: { ...options, tools: undefined, noTools: true, noExt: true },
    registered: tools
      .filter(({ name }) => isChosen(name))
      .map(({ name, description, schema }) => ({ name, description, schema })),
  }
}
