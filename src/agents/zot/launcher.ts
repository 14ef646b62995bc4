/** Starts zots: the first one early, if requested, so that it gets ready while the rest of the program is loaded. */
import type { Transport } from '../transport/transport.ts'
import type { GuardedZot } from './guard/guarded-launch.ts'
import type { ZotOptions } from './program/options.ts'

export type LauncherOptions = {
  /** Starts a zot, or a program that speaks its protocol. Called for each start with the start options of that moment. */
  connect: (start: ZotOptions) => Transport
  /** Starts one that asks about its calls. Without it there is none that asks. @throws if it cannot. */
  connectGuarded?: (start: ZotOptions) => GuardedZot
  /** Whether to start a zot at once, with its guard if it can have one. It is used if the options are still the same. */
  isEarly?: boolean
}

export type Launcher = {
  /** A zot with its guard, or without. @throws if a guard cannot be made. */
  launch: (start: ZotOptions, isGuarded: boolean) => LaunchedZot
  /** Ends an early zot that was not used. Resolves when it has ended. */
  close: () => Promise<void>
}

export type LaunchedZot = { transport: Transport; guarded: GuardedZot | null }

export function createLauncher(
  { connect, connectGuarded, isEarly = false }: LauncherOptions,
  first: ZotOptions,
): Launcher {
  const start = (options: ZotOptions, isGuarded: boolean): LaunchedZot => {
    const guarded = isGuarded && connectGuarded ? connectGuarded(options) : null
    return { transport: guarded?.transport ?? connect(options), guarded }
  }
  const firstIsGuarded = connectGuarded !== undefined
  let early = isEarly ? attempt(() => start(first, firstIsGuarded)) : null

  let ended = Promise.resolve()

  function close(): Promise<void> {
    if (early) ended = endUnused(early)
    early = null
    return ended
  }

  return {
    launch(options, isGuarded) {
      const ready = early
      if (ready && isGuarded === firstIsGuarded && JSON.stringify(options) === JSON.stringify(first)) {
        early = null
        return ready
      }
      void close()
      return start(options, isGuarded)
    },
    close,
  }
}

async function endUnused({ transport, guarded }: LaunchedZot): Promise<void> {
  transport.kill('SIGKILL')
  await transport.ended
  await guarded?.link.close()
}

/** Null if it failed: the start that is waited for says why. */
function attempt(start: () => LaunchedZot): LaunchedZot | null {
  try {
    return start()
  } catch {
    // The folder of the guard cannot be made.
    return null
  }
}
