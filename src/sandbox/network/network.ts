/**
 * The network of the boxes of one conversation. It is made when the first command needs it, and it has no process of its own.
 *
 * Where there is to be no network at all (`sandbox: closed`), nothing of this is needed: the box has an empty network by `--unshare-net`.
 */
import { createServer } from 'node:net'
import { once } from 'node:events'
import { findProgram } from '../../platform/programs.ts'
import { boxMakerHere } from '../working-box.ts'
import type { Resolve } from './dial.ts'
import { createNetworkNamespace, type NetworkNamespace } from './namespace.ts'
import type { DecideHost, HostPolicy, RefusedHost } from './pass.ts'
import { createHostProxy, type HostProxy, type ProxyLimits } from './proxy.ts'

type ConversationNetworkOptions = {
  /** That of the project, whose programs are passed over. */
  folder: string
  env: NodeJS.ProcessEnv
  /** Asked for each request, so that a host which is allowed meanwhile counts at once. */
  policy: () => HostPolicy
  resolve?: Resolve
  limits?: Partial<ProxyLimits>
}

/** The network for one command. */
export type CommandNetwork = {
  /** What programs look at to find the proxy. */
  env: Record<string, string>
  /** The program and its arguments before that which makes the box, and which must not make a network then. Empty on macOS. */
  enter: readonly string[]
  /** The port of the proxy on loopback, which is all that the box has to reach. */
  port: number
  /** The first hosts that it did not reach. */
  refused(): readonly RefusedHost[]
  /** To be called when the command has ended: its connections are closed, and its questions withdrawn. */
  close(): void
}

export type ConversationNetwork = {
  /**
   * `decide` is asked for each host that no rule names, while the connection waits without a limit.
   *
   * @throws an error in one line: then nothing may run in a box with a network.
   */
  open(decide: DecideHost): Promise<CommandNetwork>
  /** Ends it for all commands. None can be opened any more. Never rejects. */
  close(): Promise<void>
}

type Made = { proxy: HostProxy; place: Pick<NetworkNamespace, 'enter' | 'close'> }

export function createBoxNetwork(options: ConversationNetworkOptions): ConversationNetwork {
  let making: Promise<Made> | undefined
  let isClosed = false

  /** The next command tries again what has failed. */
  const made = (): Promise<Made> => {
    making ??= make(options).catch((error: unknown) => {
      making = undefined
      throw error
    })
    return making
  }
  return {
    async open(decide) {
      const current = isClosed ? null : await made()
      if (current === null || isClosed) throw new Error('the network of the box is closed')
      const { proxy, place } = current
      const pass = proxy.admit(decide)
      return {
        env: proxyEnvironment(proxy.port, pass.token),
        enter: place.enter,
        port: proxy.port,
        refused: () => pass.refused(),
        close: () => pass.close(),
      }
    },
    async close() {
      isClosed = true
      const current = await making?.catch(() => undefined)
      making = undefined
      current?.proxy.close()
      current?.place.close()
    },
  }
}

async function make({ folder, env, policy, resolve, limits = {} }: ConversationNetworkOptions): Promise<Made> {
  const { listener, ...place } = await placeOf(folder, env)
  return { proxy: createHostProxy({ listener, policy, limits, ...(resolve && { resolve }) }), place }
}

async function placeOf(folder: string, env: NodeJS.ProcessEnv): Promise<NetworkNamespace> {
  const maker = await boxMakerHere({ folder, env })
  if (maker.kind === 'seatbelt') return loopbackOfMachine()
  const nsenter = findProgram('nsenter', env, folder)
  if (nsenter === null) throw new Error('the network of the box needs nsenter: install the package util-linux')
  return createNetworkNamespace({ bwrap: maker.file, nsenter })
}

/** macOS has no namespaces: the profile of the box allows this port only. */
async function loopbackOfMachine(): Promise<NetworkNamespace> {
  const listener = createServer()
  listener.listen(0, '127.0.0.1')
  await once(listener, 'listening')
  return { listener, enter: [], close() {} }
}

/** Where a program is not sent to the proxy: servers of the box itself. */
const OWN = 'localhost,127.0.0.1,::1'

/**
 * Both cases are in use, and Node does it only when told to. npm and yarn are told once more, since what stands in their files comes before
 * the usual variables.
 */
function proxyEnvironment(port: number, token: string): Record<string, string> {
  // Some programs send nothing without a password.
  const proxy = `http://${token}:box@127.0.0.1:${port}`
  const usual = { HTTP_PROXY: proxy, HTTPS_PROXY: proxy, ALL_PROXY: proxy, NO_PROXY: OWN }
  return {
    ...usual,
    ...Object.fromEntries(Object.entries(usual).map(([name, value]) => [name.toLowerCase(), value])),
    NODE_USE_ENV_PROXY: '1',
    npm_config_proxy: proxy,
    npm_config_https_proxy: proxy,
    npm_config_noproxy: OWN,
    YARN_HTTP_PROXY: proxy,
    YARN_HTTPS_PROXY: proxy,
  }
}
