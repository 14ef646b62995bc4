/**
 * The connections of the server. Anybody on this machine can open as many as he likes, so of those that have not sent a signed request the
 * oldest gives way to a new one: a flood neither fills memory nor keeps a device out, nor ends what a device reads.
 */
import type { Server } from 'node:http'
import type { Socket } from 'node:net'

/** Connections at a time. */
export const MOST_CONNECTIONS = 256
/** Of them those of devices. */
const MOST_PROVEN = 128

export class Connections {
  /** In the order in which they began. */
  readonly #unproven = new Set<Socket>()
  readonly #proven = new Set<Socket>()
  readonly #most: number

  constructor(most = MOST_CONNECTIONS) {
    this.#most = most
  }

  watch(server: Server): void {
    server.on('connection', socket => {
      this.#unproven.add(socket)
      socket.once('close', () => {
        this.#unproven.delete(socket)
        this.#proven.delete(socket)
      })
      if (this.size > this.#most) {
        const [oldest] = this.#unproven
        oldest?.destroy()
        if (oldest) this.#unproven.delete(oldest)
      }
    })
  }

  get size(): number {
    return this.#unproven.size + this.#proven.size
  }

  /** A device or a reader has sent a signed request over it. */
  prove(socket: Socket): void {
    if (this.#unproven.delete(socket) && this.#proven.size < MOST_PROVEN) this.#proven.add(socket)
    else if (!this.#proven.has(socket)) this.#unproven.add(socket)
  }

  isProven(socket: Socket): boolean {
    return this.#proven.has(socket)
  }
}
