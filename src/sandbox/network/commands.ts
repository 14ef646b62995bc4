/** The commands that may use the proxy, each by its token, and the connections that are open for them. */
import { randomBytes } from 'node:crypto'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { dial, type Resolve } from './dial.ts'
import { createHostPass, type DecideHost, type HostPass, type HostPolicy, type RefusedHost } from './pass.ts'
import { writtenTarget, type HostTarget } from './request-head.ts'

/** The way of one command through the proxy. */
export type ProxyPass = {
  token: string
  /** The first hosts that it did not reach. */
  refused(): readonly RefusedHost[]
  /** The token is worth nothing any more, and what was opened with it is closed. */
  close(): void
}

/** An answer of the proxy instead of the host's. */
export type Denial = { kind: 'denied'; status: number; words: string }

/** 'gone': the client does not wait any more. */
type ReachedHost = { kind: 'connected'; socket: Socket } | Denial | { kind: 'gone' }

type ProxyClient = {
  token: string | null
  socket: Duplex
  /** Where it wants to go, or why that cannot be understood. */
  target: HostTarget | Denial
  /** Aborted when the client does not wait any more, or has got all that it will get. */
  gone: AbortSignal
}

export type ProxyCommands = {
  admit(decide: DecideHost): ProxyPass
  /** Does everything up to the connection to the host. Never rejects. */
  reach(client: ProxyClient): Promise<ReachedHost>
  close(): void
}

type CommandOptions = {
  policy: () => HostPolicy
  resolve: Resolve
  limits: { dial: number; absence: number; requests: number }
}

type Admitted = { pass: HostPass; sockets: Set<Duplex>; running: number; isOver: boolean }

export function createProxyCommands({ policy, resolve, limits }: CommandOptions): ProxyCommands {
  const admitted = new Map<string, Admitted>()

  async function reach({ token, socket, target, gone }: ProxyClient): Promise<ReachedHost> {
    const command = admitted.get(token ?? '')
    if (gone.aborted) return { kind: 'gone' }
    if (!command) return denied(407, 'this needs the address of the proxy as the command got it')
    if ('kind' in target) return target
    if (command.running >= limits.requests) return denied(503, 'the command has too many connections')
    track(socket, command.sockets)
    command.running += 1
    gone.addEventListener('abort', () => void (command.running -= 1), { once: true })
    const verdict = await command.pass.judge(target.named, target.port, gone)
    if (gone.aborted || command.isOver) return { kind: 'gone' }
    if (verdict !== 'allowed') return denial(target, verdict)
    return connected(command, target, gone)
  }

  async function connected(command: Admitted, target: HostTarget, gone: AbortSignal): Promise<ReachedHost> {
    const { named, port } = target
    const dialled = await dial(named, {
      resolve,
      rules: () => policy().rules,
      port,
      patience: limits.dial,
      signal: gone,
    })
    if (gone.aborted || command.isOver) {
      if (dialled.kind === 'connected') dialled.socket.destroy()
      return { kind: 'gone' }
    }
    switch (dialled.kind) {
      case 'connected':
        track(dialled.socket, command.sockets)
        return dialled
      case 'refused':
        command.pass.refuse({ host: named.host, port, why: 'address' })
        return denial(target, 'address')
      case 'failed':
        return unreachable(target, dialled.why)
    }
  }

  const end = (token: string, command: Admitted): void => {
    admitted.delete(token)
    command.isOver = true
    command.pass.close()
    for (const socket of command.sockets) socket.destroy()
  }

  return {
    async reach(client) {
      try {
        return await reach(client)
      } catch {
        // What holds cannot be found out.
        return denied(503, 'it is not known what is allowed')
      }
    },
    admit(decide) {
      const token = randomBytes(18).toString('base64url')
      const command = {
        pass: createHostPass({ policy, decide, absence: limits.absence }),
        sockets: new Set<Duplex>(),
        running: 0,
        isOver: false,
      }
      admitted.set(token, command)
      return { token, refused: () => command.pass.refused(), close: () => end(token, command) }
    },
    close() {
      for (const [token, command] of admitted) end(token, command)
    },
  }
}

function track(socket: Duplex, sockets: Set<Duplex>): void {
  if (sockets.has(socket)) return
  sockets.add(socket)
  socket.once('close', () => sockets.delete(socket))
}

const reasons: Readonly<Record<RefusedHost['why'], string>> = {
  unlisted: 'is not allowed',
  address: 'is not allowed: it is in a private network or on this machine, so sandboxHosts has to name its address',
  closed: 'is not allowed: there is no network',
  many: 'is not allowed: the command wants too many hosts',
}

/** In words that a model can read. They have no line break, and nothing that the client wrote but a host. */
export const denied = (status: number, words: string): Denial => ({
  kind: 'denied',
  status,
  words: `zotui's sandbox: ${words}`,
})

const denial = (target: HostTarget, why: RefusedHost['why']): Denial =>
  denied(403, `${writtenTarget(target)} ${reasons[why]}`)

/** `why` may be empty. */
export const unreachable = (target: HostTarget, why: string): Denial =>
  denied(502, `${writtenTarget(target)} cannot be reached${why === '' ? '' : ` (${why})`}`)
