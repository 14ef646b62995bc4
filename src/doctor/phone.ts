/** Checks what phones and browsers need: the server and its port, ways in from elsewhere, the QR code, notifications. */
import { createServer } from 'node:net'
import { codeOf } from '../platform/errors.ts'
import { dial, type Resolve } from '../sandbox/network/dial.ts'
import { finding, type Finding } from './finding.ts'

export type PhoneFacts = {
  /** The process of the server that runs; null for none. */
  serverPid: number | null
  port: number
  /** The names of the programs for tunnels that this machine has. */
  tunnels: readonly string[]
  /** Whether the terminal draws half blocks. */
  drawsBlocks: boolean
  /** Whether a server has ever run here: only then push services are looked for. */
  hasServed: boolean
  /** What is wrong with `ntfyUrl`, '' for nothing; null if it is not set. */
  ntfyProblem: string | null
  hasCommand: boolean
}

/** The services of Chrome, Firefox and Safari. */
const PUSH_SERVICES = ['fcm.googleapis.com', 'updates.push.services.mozilla.com', 'web.push.apple.com']
const PATIENCE = 3000

export async function phoneFindings(facts: PhoneFacts, resolve: Resolve, services = PUSH_SERVICES): Promise<Finding[]> {
  return [
    serverFinding(facts),
    await portFinding(facts),
    tunnelFinding(facts),
    facts.drawsBlocks
      ? finding('QR code', 'ok', 'can be drawn')
      : finding('QR code', 'warn', 'cannot be drawn', 'the address is shown alone; it needs UTF-8'),
    facts.hasServed ? await pushFinding(resolve, services) : finding('push services', 'ok', 'not looked for', UNUSED),
    ...otherWays(facts),
  ]
}

const UNUSED = 'no server has run here yet'

function serverFinding({ serverPid }: PhoneFacts): Finding {
  return serverPid === null
    ? finding('server', 'ok', 'none runs', '/serve or `zotui serve` starts one')
    : finding('server', 'ok', `process ${serverPid}`, 'it is the only one')
}

async function portFinding({ port, serverPid }: PhoneFacts): Promise<Finding> {
  const trouble = await listenProblem(port)
  if (trouble === '') return finding('port', 'ok', `${port} is free`)
  if (trouble !== 'EADDRINUSE') return finding('port', 'warn', `${port} cannot be used (${trouble})`, OTHER_PORT)
  return serverPid === null
    ? finding('port', 'warn', `${port} is taken by another program`, OTHER_PORT)
    : finding('port', 'ok', `${port} is taken`, 'the server that runs may have it')
}

const OTHER_PORT = '`servePort` or --port names another one'

/** The system's code if nothing can listen there; '' if it can. */
function listenProblem(port: number): Promise<string> {
  const { promise, resolve } = Promise.withResolvers<string>()
  const server = createServer()
  server.once('error', error => resolve(codeOf(error) || error.message))
  server.listen({ host: '127.0.0.1', port, exclusive: true }, () => server.close(() => resolve('')))
  return promise
}

function tunnelFinding({ tunnels }: PhoneFacts): Finding {
  return tunnels.length === 0
    ? finding(
        'tunnels',
        'warn',
        'none of tailscale, cloudflared, ssh',
        'only browsers on this machine reach the server',
      )
    : finding('tunnels', 'ok', tunnels.join(', '), 'zotui shows their commands, and runs none')
}

/** Connects, and sends nothing. */
async function pushFinding(resolve: Resolve, services: readonly string[]): Promise<Finding> {
  const signal = AbortSignal.timeout(PATIENCE)
  const reached = await Promise.all(
    services.map(async host => {
      const options = { resolve, rules: () => [], port: 443, patience: PATIENCE, signal }
      const dialled = await dial({ host, isAddress: false }, options)
      if (dialled.kind === 'connected') dialled.socket.destroy()
      return { host, kind: dialled.kind }
    }),
  )
  const missing = reached.filter(({ kind }) => kind !== 'connected')
  if (missing.length === 0) return finding('push services', 'ok', 'can be reached')
  const hosts = missing.map(({ host }) => host).join(', ')
  const isFiltered = missing.some(({ kind }) => kind === 'refused')
  return finding(
    'push services',
    'warn',
    `${hosts} cannot be reached`,
    isFiltered
      ? 'the network answers for them with an address that is not public; `serveNotifyCommand` is another way'
      : 'their browsers get no notifications; `ntfyUrl` and `serveNotifyCommand` are other ways',
  )
}

function otherWays({ ntfyProblem, hasCommand }: PhoneFacts): Finding[] {
  if (ntfyProblem !== null && ntfyProblem !== '') return [finding('ntfy', 'broken', ntfyProblem)]
  const set = [...(ntfyProblem === '' ? ['ntfyUrl'] : []), ...(hasCommand ? ['serveNotifyCommand'] : [])]
  return set.length === 0 ? [] : [finding('other notifications', 'ok', set.join(', '))]
}
