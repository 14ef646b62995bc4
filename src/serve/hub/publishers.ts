/** Finds the processes with conversations, connects to each, and connects again if the connection was lost. */
import type { ServeView } from '../../published/control.ts'
import type { connectToPublisher, PublishedLine, PublisherConnection } from '../../published/socket/connection.ts'
import type { HubConversations } from './hub-conversations.ts'

export type FoundPublisher = { id: string; folder: string; socket: string }

export type PublishersOptions = {
  conversations: HubConversations
  /** The processes that are alive, and whose sockets are this person's own. */
  find: () => readonly FoundPublisher[]
  connect: typeof connectToPublisher
  secret: string
  /** Milliseconds since the Unix epoch. */
  now: () => number
  onChange: () => void
  log: (line: string) => void
}

type KnownPublisher = FoundPublisher & {
  /** Null while there is no connection. */
  link: PublisherConnection | null
  isConnecting: boolean
  isAsked: boolean
  /** When to connect again, in milliseconds since the Unix epoch, and how long to wait after that. */
  nextAt: number
  wait: number
}

/** Processes that the server connects to. */
const MOST = 500
/** Milliseconds until the next try: they double with each that fails. */
const [FIRST_WAIT, LAST_WAIT] = [1000, 30_000]

export class Publishers {
  readonly #options: PublishersOptions
  readonly #known = new Map<string, KnownPublisher>()
  #isClosed = false

  constructor(options: PublishersOptions) {
    this.#options = options
  }

  /** To be called now and then. */
  look(): void {
    const { find, now } = this.#options
    const found = new Map(find().map(each => [each.id, each]))
    for (const { id, link, isConnecting } of this.#known.values()) {
      if (!found.has(id) && !link && !isConnecting) this.#known.delete(id)
    }
    for (const [id, publisher] of found) {
      const known = this.#known.get(id)
      if (known ? known.link || known.isConnecting || now() < known.nextAt : this.#known.size >= MOST) continue
      void this.#connect({
        isAsked: false,
        wait: FIRST_WAIT,
        ...known,
        ...publisher,
        link: null,
        isConnecting: true,
        nextAt: 0,
      })
    }
  }

  list(label: (folder: string) => string): ServeView['publishers'] {
    const { conversations } = this.#options
    return [...this.#known.values()].flatMap(({ id, folder, link, isAsked }) =>
      link
        ? [{ id, folder: label(folder), conversations: conversations.count(id), code: isAsked ? link.code : '' }]
        : [],
    )
  }

  close(): void {
    this.#isClosed = true
    for (const { link } of this.#known.values()) link?.end()
  }

  async #connect(known: KnownPublisher): Promise<void> {
    const { connect, secret, conversations, log, onChange } = this.#options
    const { id, socket } = known
    this.#known.set(id, known)
    // The first lines may come before the link.
    const early: PublishedLine[] = []
    const onLine = (line: PublishedLine): void => {
      if (known.link) this.#take(known, known.link, line)
      else early.push(line)
    }
    const connected = await connect({ path: socket, purpose: 'serve', secret, onLine })
    known.isConnecting = false
    if (connected.ok && !this.#isClosed) {
      const { connection } = connected
      known.link = connection
      known.wait = FIRST_WAIT
      conversations.connected({ id, send: connection.send, call: connection.call })
      for (const line of early) this.#take(known, connection, line)
      onChange()
      await connection.ended
      known.link = null
      conversations.gone(id)
    } else if (connected.ok) connected.connection.end()
    else log(`serve: ${id}: ${connected.message}`)
    known.nextAt = this.#options.now() + known.wait
    known.wait = Math.min(2 * known.wait, LAST_WAIT)
    onChange()
  }

  #take(known: KnownPublisher, link: PublisherConnection, line: PublishedLine): void {
    const { conversations, log, onChange } = this.#options
    if (line.type === 'trust') {
      known.isAsked = line.isAsked
      onChange()
    }
    if (conversations.take(known.id, line)) return
    log(`serve: ${known.id} sent what no zotui sends`)
    link.end()
  }
}
