/** The socket of a UI. Nothing but the socket is made before a server connects to it. */
import { createServer, type Socket } from 'node:net'

export type PublisherOptions = {
  /** Where to listen. */
  socket: string
  /** It listens: others may know of it. */
  onListening: () => void
  /** It cannot. Called at most once; the UI goes on without it. */
  onFailed: (error: unknown) => void
  /** What speaks with a server; loaded for the first one. */
  load: () => Promise<(socket: Socket) => void>
}

/** Servers at a time. Others are turned away. */
const MOST = 8

/** Listens without keeping the program alive. Nothing here throws. */
export function listenForServers({ socket: path, onListening, onFailed, load }: PublisherOptions): void {
  let connected = 0
  let accept: Promise<(socket: Socket) => void> | null = null
  const server = createServer(socket => {
    socket.unref()
    socket.on('error', () => undefined)
    if (connected >= MOST) return void socket.destroy()
    connected += 1
    socket.on('close', () => (connected -= 1))
    accept ??= load()
    accept.then(
      take => (socket.destroyed ? undefined : take(socket)),
      () => socket.destroy(),
    )
  })
  server.once('error', onFailed)
  server.listen(path, onListening)
  server.unref()
}
