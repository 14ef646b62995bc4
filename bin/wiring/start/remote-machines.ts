/** The other machines that the conversations of a zotui work on. Each is closed with its last conversation. */
import { messageOf, UserError } from '../../../src/platform/errors.ts'
import { startsPlace } from './places.ts'
import type { Remote, RemoteStart, RemoteWords } from './remote.ts'

export type RemoteMachines = {
  /** Connects to one, for one conversation. A place is started anew each time. @throws UserError if that is impossible. */
  open: (on: string, start: RemoteStart) => Promise<Remote>
  /** One more conversation works there. */
  hold: (remote: Remote) => Remote
  /** The one under whose key a conversation keeps its sessions; undefined if none works there. */
  withKey: (key: string) => Remote | undefined
  /** A conversation has ended. */
  release: (remote: Remote) => void
  /** Closes all, ends the places, and stops what is being opened. Resolves to what was left running, as sentences. */
  close: () => Promise<string[]>
}

export type RemoteMachinesOptions = {
  /** Loads what connects. */
  connect: (words: RemoteWords, start: RemoteStart) => Promise<Remote>
  /** A place was not ended, as a sentence. */
  onLeft: (words: string) => void
}

export function createRemoteMachines({ connect, onLeft }: RemoteMachinesOptions): RemoteMachines {
  const users = new Map<Remote, number>()
  const closing = new Set<Promise<string | null>>()
  const opening = new AbortController()

  return {
    async open(on, start) {
      const signal = AbortSignal.any([start.signal, opening.signal])
      const connected = connect({ on, via: null, cwd: undefined }, { ...start, signal })
      waitFor(
        connected.then(
          made => (opening.signal.aborted ? made.close() : null),
          // A place that is stopped says what has become of it.
          (error: unknown) => (opening.signal.aborted && startsPlace(on) ? messageOf(error) : null),
        ),
      )
      const made = await connected
      if (opening.signal.aborted) throw new UserError(`The connection to ${made.name} was stopped.`)
      const known = made.isStarted ? undefined : withKey(made.key)
      // The folder decides whether it is the same one, and only the survey says which that is.
      if (known) void made.close()
      return hold(known ?? made)
    },
    hold,
    withKey,
    release(remote) {
      const count = users.get(remote)
      if (count === undefined) return
      if (count > 1) return void users.set(remote, count - 1)
      users.delete(remote)
      void end(remote).then(left => left !== null && onLeft(left))
    },
    async close() {
      const open = [...users.keys()]
      users.clear()
      open.forEach(remote => void end(remote))
      opening.abort()
      return (await allClosed()).filter(left => left !== null)
    },
  }

  function hold(remote: Remote): Remote {
    users.set(remote, (users.get(remote) ?? 0) + 1)
    return remote
  }

  function withKey(key: string): Remote | undefined {
    return [...users.keys()].find(remote => remote.key === key)
  }

  function end(remote: Remote): Promise<string | null> {
    return waitFor(remote.close())
  }

  function waitFor(ended: Promise<string | null>): Promise<string | null> {
    closing.add(ended)
    return ended.finally(() => closing.delete(ended))
  }

  /** Also what has begun to close meanwhile. */
  async function allClosed(): Promise<(string | null)[]> {
    const all: (string | null)[] = []
    while (closing.size > 0) all.push(...(await Promise.all(closing)))
    return all
  }
}
