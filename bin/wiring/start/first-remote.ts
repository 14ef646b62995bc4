/** The machine of the command line. What happens until it is there goes to standard error. */
import process from 'node:process'
import { resolve } from 'node:path'
import type { SettingsStore } from '../../../src/config/settings.ts'
import { UserError } from '../../../src/platform/errors.ts'
import type { Arguments } from '../../cli/argument-types.ts'
import { writeMessage } from '../../standard-streams.ts'
import { openRemote, type Remote } from './remote.ts'
import { startsPlace } from './places.ts'

/** They end zotui, which first removes a place that is being started. */
const ENDING = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/** Ctrl+C stops the start of a place. @throws UserError if the machine cannot be reached. */
export async function firstRemote(args: Arguments, settings: SettingsStore): Promise<Remote> {
  if (args.demo) throw new UserError('--demo runs on this machine only.', 'Omit --on and --via, or --demo.', 2)
  const stopping = new AbortController()
  const stop = (): void => stopping.abort()
  // Nothing but a place that is being started has to be cleaned up.
  const isStarting = args.on !== null && startsPlace(args.on)
  for (const signal of isStarting ? ENDING : []) process.on(signal, stop)
  let isOpening = true
  try {
    return await openRemote(args, {
      settings,
      zot: settings.sourceOf('zot').kind === 'flag' ? settings.values().zot : null,
      folder: resolve(isStarting ? (args.cwd ?? '.') : '.'),
      // A place may begin again later: then the screen belongs to the UI.
      progress: words => isOpening && writeMessage(words),
      signal: stopping.signal,
    })
  } finally {
    isOpening = false
    for (const signal of ENDING) process.off(signal, stop)
  }
}
