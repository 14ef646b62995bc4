/** The server of a person's conversations: its parts, what its terminal shows, and what the person does there. */
import { createServer, type Server } from 'node:http'
import { join } from 'node:path'
import { codeOf, messageOf, UserError } from '../platform/errors.ts'
import { namesIn } from '../platform/folders.ts'
import { claim, claimedAt } from '../storage/sessions/claim.ts'
import { Admission } from './admission.ts'
import { Asks } from './asks.ts'
import { Connections } from './connections.ts'
import type { ServeAction, ServeView } from '../published/control.ts'
import { Devices } from './devices.ts'
import { createListener } from './http.ts'
import type { Hub } from './hub/hub.ts'
import { Nonces } from './nonces.ts'
import { allowedPlaces, type AllowedPlaces } from './origin.ts'
import { Pairing } from './pairing.ts'
import type { OpenedNotifications } from './notify/open-notifications.ts'
import { createRequests } from './requests.ts'
import { shareLink, Shares } from './shares.ts'
import type { StaticFiles } from './static-files.ts'
import { Streams } from './streams.ts'

/** The port, if none is named. */
export const PORT = 4747
const HOST = '127.0.0.1'
/** Milliseconds for the headers of a request, for the whole of it, and until an idle connection ends. */
const [HEADERS, WHOLE, IDLE] = [5000, 15_000, 10_000]
/** Bytes of all headers. */
const HEADER_BYTES = 8192
/** Milliseconds between two views. */
const GATHER = 100
/** What a page reads last. */
const [REVOKED, SHARE_ENDED, STOPPED] = [
  'This device was removed in the terminal.',
  'This share has ended.',
  'The server was stopped.',
]

export type ServeOptions = {
  /** Null for the usual one; 0 for any that is free. */
  port: number | null
  /** The origin of the tunnel's address; null without one. */
  at: string | null
  stateFolder: string
  hub: Hub
  files: StaticFiles
  /** Null for none. */
  notifier: OpenedNotifications | null
  tunnels: (port: number) => ServeView['tunnels']
  version: string
  /** Milliseconds since the Unix epoch. */
  now: () => number
  /** Milliseconds, by a clock that nobody sets. */
  elapsed: () => number
  log: (line: string) => void
}

export type ConversationServer = {
  view: () => ServeView
  /** Called after changes of the view. Returns the function that ends it. */
  onView: (listener: () => void) => () => void
  act: (action: ServeAction) => void
  close: () => Promise<void>
}

/** @throws UserError if there is a server already, or if the port is taken. */
export async function startServer(options: ServeOptions): Promise<ConversationServer> {
  const only = claimServer(options)
  const parts = new ServerParts(options)
  let places = allowedPlaces(0, null)
  const server = createHttpServer(parts, options, () => places)
  try {
    const port = await listen(server, options.port ?? PORT)
    places = allowedPlaces(port, options.at)
    return running(parts, server, { options, port, release: only.release })
  } catch (error) {
    only.release()
    throw error
  }
}

/** All that the server knows. Changes of it are gathered, and told to its listeners. */
class ServerParts {
  readonly devices: Devices
  readonly pairing: Pairing
  readonly asks: Asks
  readonly shares: Shares
  readonly streams: Streams
  readonly admission: Admission
  readonly nonces = new Nonces()
  readonly listeners = new Set<() => void>()
  problem = ''
  #gathering: NodeJS.Timeout | null = null
  #deadline: NodeJS.Timeout | null = null
  readonly #now: () => number

  constructor({ now, stateFolder, log }: Pick<ServeOptions, 'now' | 'stateFolder' | 'log'>) {
    this.#now = now
    this.devices = new Devices({ stateFolder, now, log })
    this.pairing = new Pairing(now)
    this.asks = new Asks({ now, onChange: this.changed })
    this.shares = new Shares(now)
    this.streams = new Streams(this.changed)
    this.admission = new Admission(this)
  }

  readonly changed = (): void => {
    this.#gathering ??= setTimeout(() => {
      this.#gathering = null
      this.#awaitDeadline()
      for (const listener of this.listeners) listener()
    }, GATHER)
  }

  stop(): void {
    clearTimeout(this.#gathering ?? undefined)
    clearTimeout(this.#deadline ?? undefined)
    this.listeners.clear()
  }

  /** What ends by itself changes the view, too. */
  #awaitDeadline(): void {
    clearTimeout(this.#deadline ?? undefined)
    const ends = [
      this.pairing.link()?.expiresAt ?? Infinity,
      this.asks.nextEnd(),
      ...this.shares.list().map(({ endsAt }) => endsAt),
    ]
    const wait = Math.min(...ends) - this.#now()
    if (wait > LONGEST_TIMER) return
    this.#deadline = setTimeout(
      () => {
        for (const id of this.shares.takeEnded()) this.streams.end(id, SHARE_ENDED)
        this.changed()
      },
      Math.max(0, wait) + 1,
    )
    this.#deadline.unref()
  }
}

/** Milliseconds. A later end is looked at with the next change. */
const LONGEST_TIMER = 2 ** 31 - 2

function createHttpServer(parts: ServerParts, options: ServeOptions, places: () => AllowedPlaces): Server {
  const { hub, files, version, elapsed, log, notifier } = options
  const { devices, pairing, asks, shares, streams, admission, nonces, changed } = parts
  const connections = new Connections()
  const requests = { hub, devices, admission, asks, streams, notifier, elapsed, onSeen: changed }
  const signed = createRequests(requests)
  const known = { nonces, devices, pairing, admission, shares }
  const listener = createListener({ ...known, hub, connections, elapsed, log, files, version, places, signed })
  const limits = { headersTimeout: HEADERS, requestTimeout: WHOLE, keepAliveTimeout: IDLE }
  const server = createServer({ ...limits, maxHeaderSize: HEADER_BYTES, connectionsCheckingInterval: 1000 }, listener)
  connections.watch(server)
  return server
}

async function listen(server: Server, port: number): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  server.once('error', reject)
  server.listen({ host: HOST, port, exclusive: true }, resolve)
  try {
    await promise
  } catch (error) {
    if (codeOf(error) === 'EADDRINUSE') throw new UserError(`Port ${port} is taken.`, '--port names another one.', 2)
    throw new UserError(`Cannot listen on port ${port}: ${messageOf(error)}.`, '--port names another one.', 2)
  }
  const address = server.address()
  return address === null || typeof address === 'string' ? port : address.port
}

type Running = { options: ServeOptions; port: number; release: () => void }

function running(parts: ServerParts, server: Server, { options, port, release }: Running): ConversationServer {
  const { hub, at, log } = options
  const address = `http://${HOST}:${port}`
  const tunnels = options.tunnels(port)
  const unsubscribe = hub.onChange(parts.changed)
  const endNotifications = options.notifier?.watch(hub, words => {
    parts.problem = words
    parts.changed()
  })
  server.on('error', error => log(`the server: ${messageOf(error)}`))
  return {
    view: () => viewOf(parts, { address, at, tunnels, hub }),
    onView: listener => {
      parts.listeners.add(listener)
      return () => parts.listeners.delete(listener)
    },
    act: action => {
      act(parts, options, action)
      parts.changed()
    },
    async close() {
      unsubscribe()
      endNotifications?.()
      parts.streams.end(null, STOPPED)
      parts.stop()
      hub.close()
      release()
      const { promise, resolve } = Promise.withResolvers<void>()
      server.close(() => resolve())
      server.closeIdleConnections()
      // The last lines are on their way.
      setTimeout(() => server.closeAllConnections(), GATHER).unref()
      await promise
    },
  }
}

function viewOf(
  { devices, pairing, asks, shares, streams, problem }: ServerParts,
  place: Pick<ServeView, 'address' | 'at' | 'tunnels'> & { hub: Hub },
): ServeView {
  const { address, at, tunnels, hub } = place
  const base = at ?? address
  const link = pairing.link()
  const rows = hub.conversations()
  return {
    address,
    at,
    pairing: link && { link: `${base}/#pair=${link.token}`, role: link.role, expiresAt: link.expiresAt },
    devices: devices.list().map(({ id, name, role, pairedAt, seenAt, from, isAdmitted }) => {
      const isWatching = streams.count(id) > 0
      return { id, name, role, pairedAt, seenAt, from, isAdmitted, isWatching }
    }),
    waiting: asks.list(),
    publishers: hub.publishers(),
    shares: shares.list().map(share => ({
      id: share.id,
      title: rows.find(({ session }) => session === share.session)?.title ?? '',
      link: shareLink(base, share),
      endsAt: share.endsAt,
      readers: streams.count(share.id),
    })),
    tunnels,
    atWork: rows.filter(({ state }) => state === 'working').length,
    problem,
  }
}

function act(parts: ServerParts, { notifier, at }: ServeOptions, action: ServeAction): void {
  const { devices, pairing, asks, shares, streams, admission } = parts
  parts.problem = ''
  switch (action.do) {
    case 'pair':
      return pairing.begin(action.role)
    case 'answer':
      return asks.answer(action.id, action.yes)
    case 'set_role':
      devices.setRole(action.device, action.role)
      // Its pages connect again, with what they may do now.
      return streams.end(action.device, '')
    case 'revoke':
      admission.forget(action.device)
      devices.remove(action.device)
      notifier?.forget(action.device)
      return streams.end(action.device, REVOKED)
    case 'share':
      if (at === null) parts.problem = 'A share needs --at: nobody else reaches this address.'
      else if (!shares.begin(action.session, action.endsAt)) parts.problem = 'There are too many shares. End one first.'
      return
    case 'end_share':
      shares.end(action.share)
      return streams.end(action.share, SHARE_ENDED)
  }
}

/** Only one server a person: it is where devices are let in. */
function claimServer({ stateFolder, now }: Pick<ServeOptions, 'stateFolder' | 'now'>): { release: () => void } {
  const folder = runningFolder(stateFolder)
  const only = claim(folder, 'server', claimedAt, now())
  if (only) return only
  const pid = serverPid(stateFolder)
  const which = pid === null ? '' : `: process ${pid}`
  throw new UserError(`zotui serves your conversations already${which}.`, 'End that one first.', 2)
}

const runningFolder = (stateFolder: string): string => join(stateFolder, 'serve', 'running')

/** The process that serves, by its claim; null if none is seen. It may have been killed. */
export function serverPid(stateFolder: string): number | null {
  const name = namesIn(runningFolder(stateFolder)).find(each => each.startsWith('server.'))
  const pid = Number(name?.split('-')[1] ?? '')
  return pid > 0 ? pid : null
}
