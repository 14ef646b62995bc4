/** The connection to a guard: lines in both directions. */
import { chmodSync } from 'node:fs'
import { createServer, type Socket } from 'node:net'
import { createLineSplitter } from '../../../transport/lines.ts'

export type GuardListeners = {
  /** The guard has connected. Never called while the channel is being opened. */
  onOpen: () => void
  onLine: (line: string) => void
  /** The guard has disconnected or cannot connect. Gets the reason as text. */
  onLost: (why: string) => void
}

export type GuardChannel = {
  /** Sends a line; the newline is added. Does nothing while there is no guard. */
  write(line: string): void
  close(): void
}

export type OpenGuardChannel = (listeners: GuardListeners) => GuardChannel

export const GONE = 'the guard that asks before calls run is gone'

/** Listens on a local socket with this name. It exists when the function returns. */
export function listenAt(path: string): OpenGuardChannel {
  return ({ onOpen, onLine, onLost }) => {
    let guard: Socket | undefined
    const server = createServer(socket => {
      // Only one guard may connect. Any further connection is closed.
      if (guard) return void socket.destroy()
      guard = socket
      onOpen()
      const lines = createLineSplitter({ onLine })
      socket.on('data', chunk => lines.push(chunk))
      socket.on('error', () => onLost(GONE))
      socket.on('close', () => onLost(GONE))
    })
    server.on('error', error =>
      onLost(`zotui cannot listen for the guard that asks before calls run (${error.message})`),
    )
    server.listen(path)
    // A socket that could not be made is reported as an error of the server.
    if (process.platform !== 'win32' && server.listening) chmodSync(path, 0o600)
    server.unref()
    return {
      write(line) {
        if (guard?.writable) guard.write(`${line}\n`)
      },
      close() {
        guard?.destroy()
        server.close()
      },
    }
  }
}
